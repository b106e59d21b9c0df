import type pg from "pg";
import { type Database, openDatabase, type Transaction } from "../../src/store/database.ts";

/** The process was killed: nothing it had started reaches the database any more. */
export class Killed extends Error {}

export interface SimDatabase extends Database {
  /** From now on every call fails, as for a process that is dead. */
  kill(): void;
}

/** Connections whose clock is the simulation's. They are shared by all incarnations of the app. */
export function openSimPool(
  url: string,
  nowMs: () => number,
): { pool: Database; close(): Promise<void> } {
  const shown = new WeakMap<pg.PoolClient, number>();
  const pool = openDatabase({
    url,
    connections: 4,
    beforeUse: async (client) => {
      const now = nowMs();
      if (shown.get(client) === now) return;
      shown.set(client, now);
      await client.query({
        name: "sim-clock",
        text: "SELECT set_config('postroom.now', $1, false)",
        values: [new Date(now).toISOString()],
      });
    },
  });
  return { pool, close: pool.close };
}

const names = new Map<string, string>();

/** Every statement is parsed once on each connection: a seed has some seven hundred, nearly all alike. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `sim-${names.size}`;
  names.set(text, name);
  return name;
}

/** One incarnation's view of the database. `onCommit` runs after a commit, with what the transaction staged. */
export function createSimDatabase(
  pool: Database,
  onCommit: (tx: Transaction) => void,
): SimDatabase {
  let isDead = false;
  const alive = <T>(value: T): T => {
    if (isDead) throw new Killed();
    return value;
  };
  return {
    pool: pool.pool,
    url: pool.url,
    query: async (text, values) =>
      alive(await alive(pool).query(text, values, nameOf(text))) as never,
    transaction: async (work) => {
      let opened: Transaction | null = null;
      const result = await alive(pool).transaction(async (tx) => {
        opened = {
          isTransaction: true,
          query: async (text, values) =>
            alive(await alive(tx).query(text, values, nameOf(text))) as never,
        };
        const value = await work(opened);
        alive(null);
        return value;
      });
      // Committed, whatever happens to the process now.
      if (opened !== null) onCommit(opened);
      return alive(result);
    },
    close: async () => {},
    kill: () => {
      isDead = true;
    },
  };
}

import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { Database, Queryable, Transaction } from "./database.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
const LOCK_KEY = 7_070_017; // any number, the same in every process

/**
 * Brings the database up to date: plain SQL files in the order of their names, each in its own transaction,
 * forward only, one process at a time. `lock_timeout` keeps a migration from blocking live traffic: it fails
 * instead and is retried at the next start.
 */
export async function migrate(database: Database, folder = FOLDER): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const applied: string[] = [];
  for (const name of files) {
    const sql = await readFile(`${folder}/${name}`, "utf8");
    const isNew = await database.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock($1)", [LOCK_KEY]);
      await tx.query("CREATE SCHEMA IF NOT EXISTS postroom");
      await tx.query(
        `CREATE TABLE IF NOT EXISTS postroom.migration (
           name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
      );
      return applyOnce(tx, name, sql);
    });
    if (isNew) applied.push(name);
  }
  return applied;
}

/** When the first migration was applied, which is when this database was created. */
export async function madeAt(on: Queryable): Promise<Date> {
  const sql = "SELECT min(applied_at) AS at FROM postroom.migration";
  return (await on.query<{ at: Date }>(sql)).rows[0]!.at;
}

async function applyOnce(tx: Transaction, name: string, sql: string): Promise<boolean> {
  const hash = sha256Hex(sql);
  const known = await tx.query<{ sha256: string }>(
    "SELECT sha256 FROM postroom.migration WHERE name = $1",
    [name],
  );
  const earlier = known.rows[0];
  if (earlier !== undefined) {
    if (earlier.sha256 !== hash) {
      throw new Fault("settings.bad", `migration ${name} was changed after it had been applied`);
    }
    return false;
  }
  await tx.query("SET LOCAL lock_timeout = '2s'");
  await tx.query(sql);
  await tx.query("INSERT INTO postroom.migration (name, sha256) VALUES ($1, $2)", [name, hash]);
  return true;
}

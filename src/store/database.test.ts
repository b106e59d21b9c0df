import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../test/helpers/app.ts";
import { emptyDatabaseUrl, freshDatabase } from "../../test/helpers/database.ts";
import { outcomeOf } from "../jobs/outcome.ts";
import { Fault } from "../lib/fault.ts";
import { openDatabase, toStorableText } from "./database.ts";
import { createGroupCommit } from "./group-commit.ts";
import { migrate } from "./migrate.ts";

describe("the database", () => {
  it("a transaction that throws leaves nothing behind", async () => {
    const database = await freshDatabase();
    await database.query("CREATE TABLE probe (n int)");
    const failed = database.transaction(async (tx) => {
      await tx.query("INSERT INTO probe VALUES (1)");
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect((await database.query("SELECT * FROM probe")).rows).toEqual([]);
  });

  it("several statements in one text return all their rows, as pg-boss expects", async () => {
    const database = await freshDatabase();
    const { rows, rowCount } = await database.query("SELECT 1 AS n; SELECT 2 AS n");
    expect({ rows, rowCount }).toEqual({ rows: [{ n: 1 }, { n: 2 }], rowCount: 1 });
  });

  it("a test can move the database's clock per connection", async () => {
    const database = await freshDatabase({
      beforeUse: async (client) => {
        await client.query("SELECT set_config('postroom.now', '2030-01-02T03:04:05Z', false)");
      },
    });
    const { rows } = await database.query<{ now: Date }>("SELECT postroom.now() AS now");
    expect(rows[0]!.now.toISOString()).toBe("2030-01-02T03:04:05.000Z");
  });

  it("an unreachable server is a fault that waits; an invalid statement is a bug of ours", async () => {
    const nowhere = openDatabase({ url: "postgres://x:y@127.0.0.1:1/z", statementTimeoutMs: 500 });
    await expect(nowhere.query("SELECT 1")).rejects.toMatchObject({ code: "store.unavailable" });
    await nowhere.close();
    const database = await freshDatabase();
    await expect(database.query("SELEC 1")).rejects.toMatchObject({ code: "42601" });
  });

  it("a statement that times out while the server is up is retried a few times, not forever", async () => {
    const database = await freshDatabase({ statementTimeoutMs: 300 });
    // A connection, or the answer, may also take too long on a busy machine.
    const error = await until("the server to cancel the statement", async () => {
      const thrown = await database.query("SELECT pg_sleep(30)").catch((it: unknown) => it);
      return (thrown as { code?: string }).code !== "store.unavailable" && thrown;
    });
    expect(error).toMatchObject({ code: "store.slow" });
    expect(outcomeOf(error)).toMatchObject({ retryable: true, countsAsAttempt: true });
  });

  it("a commit waits for the disk even if the server's default is not to", async () => {
    const database = await freshDatabase();
    const shown = async () =>
      (await database.query<{ it: string }>("SELECT current_setting('synchronous_commit') AS it"))
        .rows;
    const sql = "SELECT reset_val AS it FROM pg_settings WHERE name = 'synchronous_commit'";
    expect((await database.query(sql)).rows).toEqual([{ it: "off" }]);
    expect(await shown()).toEqual([{ it: "on" }]);
  });

  it("text that PostgreSQL cannot store is cleaned first", async () => {
    const database = await freshDatabase();
    const text = toStorableText("a\0b\uD800c😀");
    const { rows } = await database.query<{ t: string }>("SELECT $1::text AS t", [text]);
    expect(rows[0]!.t).toBe("a\uFFFDb\uFFFDc😀");
  });
});

describe("migrations", () => {
  it("are applied once even if two processes start together", async () => {
    const url = await emptyDatabaseUrl();
    const [one, two] = [openDatabase({ url }), openDatabase({ url })];
    const applied = await Promise.all([migrate(one), migrate(two)]);
    expect(new Set(applied.flat()).size).toBe(applied.flat().length);
    expect(await migrate(one)).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  /** Fills a column of 2,500 rows, 1,000 at a time, and breaks at the part after it for as long as `broken` exists. */
  const BIG = `CREATE TABLE big (id integer PRIMARY KEY, word text, xid xid8);
INSERT INTO big SELECT n FROM generate_series(1, 2500) n;
-- part in batches
UPDATE big SET word = 'filled', xid = pg_current_xact_id()
 WHERE id IN (SELECT id FROM big WHERE word IS NULL ORDER BY id LIMIT 1000);
-- part: needs what every batch has written
DO $$ BEGIN IF to_regclass('broken') IS NOT NULL THEN RAISE 'stopped'; END IF; END $$;
ALTER TABLE big ALTER COLUMN word SET NOT NULL;
`;

  it("on a large table commit batch by batch; one that is stopped goes on where it was", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postroom-migrations-"));
    await writeFile(join(folder, "0001_big.sql"), BIG);
    const database = openDatabase({ url: await emptyDatabaseUrl() });
    await database.query("CREATE TABLE broken ()");
    await expect(migrate(database, folder)).rejects.toThrow("stopped");
    const batches = async () =>
      (await database.query("SELECT xid, count(*) AS n FROM big GROUP BY xid ORDER BY min(id)"))
        .rows;
    const first = await batches();
    expect(first).toMatchObject([{ n: 1_000 }, { n: 1_000 }, { n: 500 }]);
    await database.query("DROP TABLE broken");
    expect(await migrate(database, folder)).toEqual(["0001_big.sql"]);
    expect(await batches()).toEqual(first);
    expect(await migrate(database, folder)).toEqual([]);
    await database.close();
    await rm(folder, { recursive: true });
  });

  it("may take longer than a statement in service", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postroom-migrations-"));
    await writeFile(join(folder, "0001_slow.sql"), "SELECT pg_sleep(0.7)");
    const database = openDatabase({ url: await emptyDatabaseUrl(), statementTimeoutMs: 100 });
    await expect(database.query("SELECT pg_sleep(0.7)")).rejects.toThrow();
    expect(await migrate(database, folder)).toEqual(["0001_slow.sql"]);
    await database.close();
    await rm(folder, { recursive: true });
  });
});

describe("the group-commit writer", () => {
  it("writes everything that arrived meanwhile in one batch and resolves after the commit", async () => {
    const batches: number[][] = [];
    const gates: (() => void)[] = [];
    const writer = createGroupCommit<number>({
      write: (items) => {
        batches.push([...items]);
        return new Promise((resolve) => gates.push(resolve));
      },
      batchMax: 100,
      inFlightMax: 1,
      depthMax: 1_000,
      refuse: () => new Error("full"),
    });
    let done = 0;
    const first = writer.add([1]).then(() => done++);
    await new Promise((resolve) => setImmediate(resolve));
    const later = [2, 3, 4].map((n) => writer.add([n]).then(() => done++));
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches).toEqual([[1]]);
    expect(done).toBe(0);
    gates[0]!();
    await first;
    gates[1]!();
    await Promise.all(later);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it("writes the others if one item cannot be written, and fails only the request that added it", async () => {
    const written: number[] = [];
    const writer = createGroupCommit<number>({
      write: async (items) => {
        if (items.includes(13)) throw new Error("13 cannot be written");
        written.push(...items);
      },
      batchMax: 100,
      depthMax: 1_000,
      refuse: () => new Error("full"),
    });
    const requests = [[1, 2, 3], [4, 13, 5], [6], [7, 8]].map((items) => writer.add(items));
    const results = await Promise.allSettled(requests);
    expect(results.map((result) => result.status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(written.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(writer.depth).toBe(0);
  });

  it("does not try items one by one while the database is down", async () => {
    let tries = 0;
    const writer = createGroupCommit<number>({
      write: async () => {
        tries += 1;
        throw new Fault("store.unavailable", "away");
      },
      batchMax: 100,
      depthMax: 1_000,
      refuse: () => new Error("full"),
    });
    const results = await Promise.allSettled([writer.add([1, 2]), writer.add([3, 4])]);
    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(tries).toBe(1);
  });

  it("refuses immediately when too many items wait, and a failed write fails only its own batch", async () => {
    let fail = true;
    const writer = createGroupCommit<number>({
      write: async () => {
        if (fail) throw new Error("disk");
      },
      batchMax: 10,
      depthMax: 3,
      refuse: () => new Error("full"),
    });
    await expect(writer.add([1, 2, 3, 4])).rejects.toThrow("full");
    await expect(writer.add([1])).rejects.toThrow("disk");
    fail = false;
    await expect(writer.add([1, 2, 3])).resolves.toBeUndefined();
    expect(writer.depth).toBe(0);
  });
});

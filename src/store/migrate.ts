import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { type Database, openDatabase, type Queryable, type Transaction } from "./database.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
const LOCK_KEY = 7_070_017; // arbitrary, but the same in every process

/** An index on a large table takes longer than any statement in service; nobody waits for its answer. */
const MIGRATION_MS_MAX = 24 * 60 * 60 * 1_000;

/**
 * Brings the database up to date: plain SQL files in the order of their names, forward only, one process at a time.
 * Each part of a file is a transaction, and a part that works in batches one for each batch, so that none holds locks
 * for long. `lock_timeout` keeps a migration from blocking live traffic: it fails instead and is retried at the next
 * start, which repeats the last part only.
 */
export async function migrate(database: Database, folder = FOLDER): Promise<string[]> {
  const own = openDatabase({
    url: database.url,
    connections: 1,
    statementTimeoutMs: MIGRATION_MS_MAX,
    applicationName: "postroom-migrate",
  });
  try {
    const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
    const applied: string[] = [];
    for (const name of files) {
      const sql = await readFile(`${folder}/${name}`, "utf8");
      if (await applyFile(own, { name, sql, hash: sha256Hex(sql) })) applied.push(name);
    }
    return applied;
  } finally {
    await own.close();
  }
}

/** The files that the next start would apply, without changing anything. */
export async function findPending(database: Database, folder = FOLDER): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  if (!(await hasOurTables(database))) return files;
  const { rows } = await database.query<{ name: string }>("SELECT name FROM postroom.migration");
  const applied = new Set(rows.map(({ name }) => name));
  return files.filter((name) => !applied.has(name));
}

/** False for a database that no Postroom has ever used. */
export async function hasOurTables(database: Database): Promise<boolean> {
  const sql = "SELECT to_regclass('postroom.migration') IS NOT NULL AS found";
  return (await database.query<{ found: boolean }>(sql)).rows[0]!.found;
}

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** False if another start, or another process just now, has applied it. */
async function applyFile(database: Database, file: MigrationFile): Promise<boolean> {
  const parts = partsOf(file.sql);
  for (;;) {
    const state = await database.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock($1)", [LOCK_KEY]);
      await createOwnTables(tx);
      if (await isApplied(tx, file)) return "applied before";
      const done = await getPartsDone(tx, file.name);
      await tx.query("SET LOCAL lock_timeout = '2s'");
      const { sql, isBatched } = parts[done]!;
      const { rowCount } = await tx.query(sql);
      if (isBatched && rowCount > 0) return "goes on";
      if (done + 1 < parts.length) {
        await recordPart(tx, file.name, done + 1);
        return "goes on";
      }
      await recordApplied(tx, file);
      return "applied";
    });
    if (state !== "goes on") return state === "applied";
  }
}

/**
 * A line that begins with `-- part` begins a part. `-- part in batches` begins a statement that changes a limited number
 * of rows and is repeated until it changes none.
 */
function partsOf(sql: string): { sql: string; isBatched: boolean }[] {
  return sql
    .split(/^(?=-- part\b)/m)
    .map((part) => ({ sql: part, isBatched: part.startsWith("-- part in batches") }));
}

async function createOwnTables(tx: Transaction): Promise<void> {
  await tx.query("CREATE SCHEMA IF NOT EXISTS postroom");
  await tx.query(
    `CREATE TABLE IF NOT EXISTS postroom.migration (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  await tx.query(
    `CREATE TABLE IF NOT EXISTS postroom.migration_begun (name text PRIMARY KEY, parts integer NOT NULL)`,
  );
}

/** When the first migration was applied, which is when this database was created. */
export async function madeAt(on: Queryable): Promise<Date> {
  const sql = "SELECT min(applied_at) AS at FROM postroom.migration";
  return (await on.query<{ at: Date }>(sql)).rows[0]!.at;
}

async function isApplied(tx: Transaction, { name, hash }: MigrationFile): Promise<boolean> {
  const known = await tx.query<{ sha256: string }>(
    "SELECT sha256 FROM postroom.migration WHERE name = $1",
    [name],
  );
  const earlier = known.rows[0];
  if (earlier !== undefined && earlier.sha256 !== hash) {
    throw new Fault("settings.bad", `migration ${name} was changed after it had been applied`);
  }
  return earlier !== undefined;
}

async function getPartsDone(tx: Transaction, name: string): Promise<number> {
  const sql = "SELECT parts FROM postroom.migration_begun WHERE name = $1";
  return (await tx.query<{ parts: number }>(sql, [name])).rows[0]?.parts ?? 0;
}

async function recordPart(tx: Transaction, name: string, parts: number): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.migration_begun (name, parts) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET parts = excluded.parts`,
    [name, parts],
  );
}

async function recordApplied(tx: Transaction, { name, hash }: MigrationFile): Promise<void> {
  await tx.query("DELETE FROM postroom.migration_begun WHERE name = $1", [name]);
  await tx.query("INSERT INTO postroom.migration (name, sha256) VALUES ($1, $2)", [name, hash]);
}

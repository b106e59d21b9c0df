import type { Database, Transaction } from "./database.ts";

/** Checks that the database can be read and written, and throws the reason if not. */
export async function probeDatabase(database: Database): Promise<string> {
  const { rows } = await database.query<{ isReplica: boolean }>(
    'SELECT pg_is_in_recovery() AS "isReplica"',
  );
  if (rows[0]!.isReplica) throw new Error("this is a read-only replica");
  await database.transaction(probeDisk);
  return "reachable and writable";
}

/**
 * Sorts more than fits into this little memory, so that the server must write to its disk; nothing is kept.
 */
async function probeDisk(tx: Transaction): Promise<void> {
  await tx.query("SET LOCAL work_mem = '64kB'");
  await tx.query(
    "SELECT max(n) FROM (SELECT n FROM generate_series(1, 10000) n ORDER BY -n OFFSET 0) t",
  );
}

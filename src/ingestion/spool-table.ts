import type { Queryable, Transaction } from "../store/database.ts";

/** Putting the same file again only updates its time, so that it is not removed as old. */
export async function putSpoolFile(on: Queryable, sha256: string, bytes: Buffer): Promise<void> {
  const { rowCount } = await on.query(
    "UPDATE postroom.spool_file SET put_at = postroom.now() WHERE sha256 = $1",
    [sha256],
  );
  if (rowCount > 0) return;
  await on.query(
    `INSERT INTO postroom.spool_file (sha256, bytes, put_at) VALUES ($1, $2, postroom.now())
     ON CONFLICT (sha256) DO UPDATE SET put_at = excluded.put_at`,
    [sha256, bytes],
  );
}

export async function getSpoolFile(on: Queryable, sha256: string): Promise<Buffer | null> {
  const { rows } = await on.query<{ bytes: Buffer }>(
    "SELECT bytes FROM postroom.spool_file WHERE sha256 = $1",
    [sha256],
  );
  return rows[0]?.bytes ?? null;
}

/** The size in bytes; null if there is no such file. */
export async function sizeOfSpoolFile(on: Queryable, sha256: string): Promise<number | null> {
  const { rows } = await on.query<{ size: number }>(
    "SELECT length(bytes) AS size FROM postroom.spool_file WHERE sha256 = $1",
    [sha256],
  );
  return rows[0]?.size ?? null;
}

/** Removes the file unless it was put again since then. */
export async function removeSpoolFile(on: Queryable, sha256: string, since: Date): Promise<void> {
  await on.query("DELETE FROM postroom.spool_file WHERE sha256 = $1 AND put_at < $2", [
    sha256,
    since,
  ]);
}

/** Files put before the given time, ordered by name; the caller decides which are still needed. */
export async function findSpoolFiles(
  on: Queryable,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await on.query<{ sha256: string }>(
    `SELECT sha256 FROM postroom.spool_file WHERE put_at < $1 AND sha256 > $2 ORDER BY sha256 LIMIT $3`,
    [before, after, limit],
  );
  return rows.map((row) => row.sha256);
}

export async function eraseSpoolFiles(tx: Transaction, sha256s: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.spool_file WHERE sha256 = ANY($1)", [sha256s]);
}

import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

/** A document that waits in the spool for the archive. */
export interface PendingArchive {
  readonly id: number;
  readonly path: string;
  readonly sha256: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly subjectId: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly nextTryAt: Date;
  readonly createdAt: Date;
}

const COLUMNS = `id, path, sha256, metadata, subject_id AS "subjectId", attempts,
  last_error AS "lastError", next_try_at AS "nextTryAt", created_at AS "createdAt"`;

/** Does nothing if the document is already waiting for the same subject. */
export async function insertPending(
  tx: Transaction,
  row: Pick<PendingArchive, "path" | "sha256" | "metadata" | "subjectId">,
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.archive_pending (path, sha256, metadata, subject_id)
     VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [row.path, row.sha256, toJson(row.metadata), row.subjectId],
  );
}

export async function isPathPromisedToOther(
  tx: Transaction,
  path: string,
  sha256: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    "SELECT FROM postroom.archive_pending WHERE path = $1 AND sha256 <> $2 LIMIT 1",
    [path, sha256],
  );
  return rowCount > 0;
}

/** Takes one due row; nobody else gets it for `leaseMs`. Null if none is due. */
export async function takeDuePending(
  database: Queryable,
  leaseMs: number,
): Promise<PendingArchive | null> {
  const { rows } = await database.query<PendingArchive>(
    `UPDATE postroom.archive_pending
        SET attempts = attempts + 1, next_try_at = postroom.now() + $1 * interval '1 millisecond'
      WHERE id = (SELECT id FROM postroom.archive_pending WHERE next_try_at <= postroom.now()
                   ORDER BY next_try_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${COLUMNS}`,
    [leaseMs],
  );
  return rows[0] ?? null;
}

export async function postponePending(
  database: Queryable,
  id: number,
  options: { readonly error: string; readonly delayMs: number },
): Promise<void> {
  await database.query(
    `UPDATE postroom.archive_pending
        SET last_error = $2, next_try_at = postroom.now() + $3 * interval '1 millisecond'
      WHERE id = $1`,
    [id, options.error, options.delayMs],
  );
}

/** False if another worker has completed it meanwhile. */
export async function deletePending(tx: Transaction, id: number): Promise<boolean> {
  const { rowCount } = await tx.query("DELETE FROM postroom.archive_pending WHERE id = $1", [id]);
  return rowCount === 1;
}

/** Pending documents, oldest first. */
export async function findPendingArchives(
  database: Queryable,
  limit = 100,
): Promise<PendingArchive[]> {
  const { rows } = await database.query<PendingArchive>(
    `SELECT ${COLUMNS} FROM postroom.archive_pending ORDER BY created_at, id LIMIT $1`,
    [limit],
  );
  return rows;
}

/** The number of pending documents and the age of the oldest, for the overview and the metrics. */
export async function countPendingArchives(
  database: Queryable,
): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await database.query<{ count: number; oldestAt: Date | null }>(
    `SELECT count(*)::int AS count, min(created_at) AS "oldestAt" FROM postroom.archive_pending`,
  );
  return rows[0]!;
}

export async function erasePending(
  tx: Transaction,
  { paths, sha256s }: { readonly paths: readonly string[]; readonly sha256s: readonly string[] },
): Promise<void> {
  await tx.query("DELETE FROM postroom.archive_pending WHERE path = ANY($1) OR sha256 = ANY($2)", [
    paths,
    sha256s,
  ]);
}

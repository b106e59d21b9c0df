/**
 * How long claims of other programs last, because those programs do not renew them. The longest matching
 * prefix of a worker id wins.
 */
import type { Queryable } from "../store/database.ts";

export interface ForeignLease {
  readonly workerPrefix: string;
  readonly leaseSeconds: number;
}

export async function setForeignLease(
  on: Queryable,
  workerPrefix: string,
  leaseMs: number,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.ingest_foreign_lease (worker_prefix, lease)
     VALUES ($1, $2 * interval '1 millisecond')
     ON CONFLICT (worker_prefix) DO UPDATE SET lease = EXCLUDED.lease`,
    [workerPrefix, leaseMs],
  );
}

export async function findForeignLeases(on: Queryable): Promise<ForeignLease[]> {
  const { rows } = await on.query<ForeignLease>(
    `SELECT worker_prefix AS "workerPrefix", extract(epoch FROM lease)::float8 AS "leaseSeconds"
       FROM postroom.ingest_foreign_lease ORDER BY worker_prefix`,
  );
  return rows;
}

/** The processes that run jobs. The lease of a process covers every job that it has taken. */
import { toTextArray } from "../store/array-text.ts";
import type { Queryable } from "../store/database.ts";
import { type LeaseTable, releaseLease, takeLease } from "../store/lease.ts";

export const WORKER_LEASE: LeaseTable = {
  name: "postroom.job_worker",
  clock: "clock_timestamp()",
  takeover: null,
  returning: "id",
};

export async function registerWorker(
  on: Queryable,
  worker: { readonly name: string; readonly types: readonly string[] },
  leaseMs: number,
): Promise<number> {
  const holder = { name: worker.name, types: toTextArray(worker.types) };
  return (await takeLease<{ id: number }>(on, WORKER_LEASE, holder, leaseMs))!.id;
}

/** Notes that a live worker knows these types. */
export async function noteServed(on: Queryable, types: readonly string[]): Promise<void> {
  await on.query(
    `INSERT INTO postroom.job_type (type, served_at) SELECT unnest($1::text[]), clock_timestamp()
     ON CONFLICT (type) DO UPDATE SET served_at = EXCLUDED.served_at`,
    [[...types].sort()],
  );
}

/**
 * Types of open jobs that no live worker has known for this long, although workers ran all the time. Without any
 * worker, jobs wait: their worker may be the one that is down.
 */
export async function findUnserved(on: Queryable, forMs: number): Promise<string[]> {
  const { rows } = await on.query<{ type: string }>(
    `WITH live AS (SELECT types, started_at FROM postroom.job_worker WHERE until > clock_timestamp()),
          limits AS (SELECT clock_timestamp() - $1 * interval '1 ms' AS served)
     SELECT DISTINCT j.type FROM postroom.job j, limits
      WHERE j.is_open AND j.lease_owner IS NULL
        AND EXISTS (SELECT 1 FROM live WHERE started_at < limits.served)
        AND NOT EXISTS (SELECT 1 FROM live WHERE types IS NULL OR j.type = ANY(types))
        AND NOT EXISTS (SELECT 1 FROM postroom.job_type t
                         WHERE t.type = j.type AND t.served_at > limits.served)`,
    [forMs],
  );
  return rows.map((row) => row.type);
}

export async function removeWorker(on: Queryable, id: number): Promise<void> {
  await releaseLease(on, WORKER_LEASE, { id });
}

/** Removes the workers whose lease has expired and returns their ids; the caller takes back their jobs. */
export async function removeDeadWorkers(on: Queryable): Promise<number[]> {
  const { rows } = await on.query<{ id: number }>(
    `DELETE FROM postroom.job_worker WHERE id IN (
       SELECT id FROM postroom.job_worker WHERE until < clock_timestamp() FOR UPDATE SKIP LOCKED)
     RETURNING id`,
  );
  return rows.map((row) => row.id);
}

/** Whether a running process knows this type of job. */
export async function hasLiveWorker(on: Queryable, type: string): Promise<boolean> {
  const { rows } = await on.query<{ alive: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM postroom.job_worker
                     WHERE until > clock_timestamp() AND (types IS NULL OR $1 = ANY(types))) AS alive`,
    [type],
  );
  return rows[0]!.alive;
}

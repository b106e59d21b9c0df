/** The processes that run jobs. The lease of a process covers every job that it has taken. */
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
  name: string,
  leaseMs: number,
): Promise<number> {
  return (await takeLease<{ id: number }>(on, WORKER_LEASE, { name }, leaseMs))!.id;
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

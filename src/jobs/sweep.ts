/**
 * Keeps every open job moving whatever happened to workers and engines: takes jobs from workers whose
 * lease ran out, sends again what an engine lost, removes what is long over. Safe to run anywhere, any
 * number of times, by many processes at once.
 */
import type { Database } from "../store/database.ts";
import { dispatch } from "./dispatch.ts";
import type { JobEngine } from "./engine.ts";
import { firstIdOf } from "./job-id.ts";
import { type ReissuedRow, releaseJobs } from "./job-table.ts";
import type { JobMetrics } from "./metrics.ts";
import { removeDeadWorkers } from "./worker-table.ts";

export interface SweepNeeds {
  readonly database: Database;
  readonly engine: JobEngine;
  readonly metrics: JobMetrics;
  readonly queues: readonly string[];
  /** Jobs whose messages this process has taken and not begun. */
  readonly held: () => readonly string[];
}

/** Jobs of dead workers go back in line at once. */
export async function reapLeases({ database, engine, metrics }: SweepNeeds): Promise<number> {
  return database.transaction(async (tx) => {
    const dead = await removeDeadWorkers(tx);
    if (dead.length === 0) return 0;
    const released = await releaseJobs(tx, dead, true);
    await dispatch(
      engine,
      tx,
      released.map((row) => ({ ...row, delayMs: 0 })),
    );
    metrics.leasesLost(dead.length);
    return released.length;
  });
}

/** Jobs that ran for too long under a live worker go back in line too; their old run is fenced off. */
export async function reapStuck(
  { database, engine }: SweepNeeds,
  stuckMs: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<ReissuedRow>(
      `UPDATE postroom.job SET lease_owner = NULL, takeovers = takeovers + 1, version = version + 1,
              attempt = attempt - 1
        WHERE is_open AND lease_owner IS NOT NULL
          AND leased_at < clock_timestamp() - $1 * interval '1 ms'
       RETURNING id, queue, type, key, attempt, due_at`,
      [stuckMs],
    );
    await dispatch(
      engine,
      tx,
      rows.map((row) => ({ ...row, delayMs: 0 })),
    );
    return rows.length;
  });
}

/** How long a job may wait behind others before its message is doubted. */
export const PATIENCE_MS = 10 * 60_000;

export interface SweepLimits {
  /** Overdue by this much while its queue is empty: the message is gone. */
  readonly graceMs: number;
  /** Overdue by this much: sent again even if the queue is not empty. */
  readonly patienceMs: number;
}

const SWEEP_MAX = 5_000;

/** Sends again the jobs that should have run and that no message stands for. */
export async function reissueLost(needs: SweepNeeds, limits: SweepLimits): Promise<number> {
  const overdue = await needs.database.query<{ queue: string }>(
    `SELECT q.queue FROM unnest($2::text[]) AS q (queue)
      WHERE EXISTS (SELECT 1 FROM postroom.job j
        WHERE j.is_open AND j.queue = q.queue AND j.lease_owner IS NULL
          AND j.due_at < postroom.now() - $1 * interval '1 ms')`,
    [limits.graceMs, needs.queues],
  );
  let count = 0;
  for (const { queue } of overdue.rows) {
    const isEmpty = (await needs.engine.depth(queue)) === 0;
    const lost = await reissueOverdue(needs, queue, isEmpty ? limits.graceMs : limits.patienceMs);
    if (lost > 0) needs.metrics.hintsLost(queue, lost);
    count += lost;
  }
  return count;
}

async function reissueOverdue(needs: SweepNeeds, queue: string, byMs: number): Promise<number> {
  return needs.database.transaction(async (tx) => {
    // The new due time is the new patience: a job is not sent again with every sweep.
    const { rows } = await tx.query<ReissuedRow>(
      `UPDATE postroom.job SET due_at = postroom.now() WHERE id IN (
         SELECT id FROM postroom.job j
          WHERE is_open AND queue = $1 AND lease_owner IS NULL
            AND due_at < postroom.now() - $2 * interval '1 ms'
            AND NOT EXISTS (SELECT 1 FROM postroom.job_outbox o WHERE o.job_id = j.id)
            AND id <> ALL($4::uuid[])
          ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, queue, type, key, attempt, due_at`,
      [queue, byMs, SWEEP_MAX, needs.held()],
    );
    await dispatch(
      needs.engine,
      tx,
      rows.map((row) => ({ ...row, delayMs: 0 })),
    );
    return rows.length;
  });
}

const PURGE_BATCH = 10_000;

/** Removes finished jobs, and with them their keys, after the time that keys are kept. Dead letters stay. */
export async function purgeFinished(
  database: Database,
  keepMs: number,
  nowMs: number,
): Promise<number> {
  let count = 0;
  for (;;) {
    const { rows } = await database.query<{ id: string }>(
      `DELETE FROM postroom.job WHERE id IN (
         SELECT id FROM postroom.job WHERE id < $1 AND NOT is_open AND NOT is_dead
            AND finished_at < postroom.now() - $2 * interval '1 ms' LIMIT $3)
       RETURNING id`,
      [firstIdOf(nowMs - keepMs), keepMs, PURGE_BATCH],
    );
    const ids = rows.map((row) => row.id);
    await database.query("DELETE FROM postroom.job_event WHERE job_id = ANY($1::uuid[])", [ids]);
    count += ids.length;
    if (ids.length < PURGE_BATCH) return count;
  }
}

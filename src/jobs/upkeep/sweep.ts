/**
 * Keeps every open job moving, whatever happened to workers and engines: takes jobs back from workers whose
 * lease has expired, sends again what an engine lost, removes old finished jobs. Safe to run in many
 * processes at once.
 */
import type { Database, Transaction } from "../../store/database.ts";
import type { JobEngine } from "../engine.ts";
import { firstIdOf } from "../job-id.ts";
import {
  deleteFinished,
  findOverdueQueues,
  type ReissuedRow,
  releaseOrphans,
  releaseStuck,
  renewOverdue,
} from "../job-table.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import { deleteJobEvents } from "../status/job-event-table.ts";
import type { JobMetrics } from "../worker/metrics.ts";
import { removeDeadWorkers } from "../worker-table.ts";

export interface SweepNeeds {
  readonly database: Database;
  readonly engine: JobEngine;
  readonly metrics: JobMetrics;
  readonly queues: readonly string[];
  /** Jobs whose tickets this process holds and that it has not begun. */
  readonly held: () => readonly string[];
}

/** Immediately sends the jobs of dead workers again. */
export async function reapLeases(needs: SweepNeeds): Promise<number> {
  const dead: number[] = [];
  const count = await sendAgain(needs, async (tx) => {
    dead.push(...(await removeDeadWorkers(tx)));
    return dead.length === 0 ? [] : releaseOrphans(tx, dead);
  });
  if (dead.length > 0) needs.metrics.leasesLost(dead.length);
  return count;
}

/** Sends jobs again that have shown no progress for too long under a live worker. */
export function reapStuck(needs: SweepNeeds, stuckMs: number): Promise<number> {
  return sendAgain(needs, (tx) => releaseStuck(tx, stuckMs));
}

/** How long a job may wait behind others before we assume that its message is lost. */
export const PATIENCE_MS = 10 * 60_000;

export interface SweepLimits {
  /** A job that is overdue by this much while its queue is empty has lost its message. */
  readonly graceMs: number;
  /** A job that is overdue by this much is sent again even if the queue is not empty. */
  readonly patienceMs: number;
}

const SWEEP_MAX = 5_000;

/** Sends jobs again that are overdue and for which the engine has no message. */
export async function reissueLost(needs: SweepNeeds, limits: SweepLimits): Promise<number> {
  let count = 0;
  for (const queue of await findOverdueQueues(needs.database, needs.queues, limits.graceMs)) {
    const isEmpty = (await needs.engine.depth(queue)) === 0;
    const overdueMs = isEmpty ? limits.graceMs : limits.patienceMs;
    const lost = await sendAgain(needs, (tx) =>
      renewOverdue(tx, { queue, byMs: overdueMs, held: needs.held(), limit: SWEEP_MAX }),
    );
    if (lost > 0) needs.metrics.hintsLost(queue, lost);
    count += lost;
  }
  return count;
}

async function sendAgain(
  { database, engine }: SweepNeeds,
  find: (tx: Transaction) => Promise<ReissuedRow[]>,
): Promise<number> {
  return database.transaction(async (tx) => {
    const jobs = await find(tx);
    await sendJobs(engine, tx, jobs);
    return jobs.length;
  });
}

const PURGE_BATCH = 10_000;

/** Removes finished jobs once their keys need not be kept any more. Dead letters stay. */
export async function purgeFinished(
  database: Database,
  keepMs: number,
  nowMs: number,
): Promise<number> {
  const old = { beforeId: firstIdOf(nowMs - keepMs), keepMs, limit: PURGE_BATCH };
  for (let count = 0; ; ) {
    const ids = await deleteFinished(database, old);
    await deleteJobEvents(database, ids);
    count += ids.length;
    if (ids.length < PURGE_BATCH) return count;
  }
}

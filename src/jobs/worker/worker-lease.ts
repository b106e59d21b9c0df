/** Registers this process as a worker and keeps its lease, which covers every job that it runs. */
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { type LeaseThread, startLeaseThread } from "../../store/lease-thread.ts";
import { registerWorker, removeWorker, WORKER_LEASE } from "../worker-table.ts";

export interface WorkerLease {
  /** The id under which jobs are taken now; null while this process has no lease. */
  readonly workerId: number | null;
  /** Aborted if other workers may have taken over our jobs. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

export async function holdWorkerLease(needs: {
  database: Database;
  log: Log;
  leaseMs: number;
  /** The types of job that this process can run. */
  types: readonly string[];
}): Promise<WorkerLease> {
  const { database, log, leaseMs, types } = needs;
  let thread: LeaseThread | null = null;
  let workerId: number | null = null;
  let lost = startLoss();
  let isStopped = false;
  let renewedAtMs = 0;

  const register = async (): Promise<void> => {
    const name = `${hostname()}:${process.pid}`;
    const id = await registerWorker(database, { name, types }, leaseMs);
    renewedAtMs = systemClock.now();
    lost = startLoss();
    workerId = id;
    thread = startLeaseThread({
      url: database.url,
      table: WORKER_LEASE,
      holder: { id },
      leaseMs,
      onBeat: (beat) => onBeat(id, beat),
    });
  };

  const onBeat = (id: number, beat: "renewed" | "gone" | "failed"): void => {
    if (isStopped || id !== workerId) return;
    if (beat === "renewed") {
      renewedAtMs = systemClock.now();
      return;
    }
    // One renewal may fail: the lease lasts until the time that the last one set.
    if (beat === "failed" && systemClock.now() - renewedAtMs < leaseMs) return;
    log.warn({ workerId: id }, "this worker has lost its lease; other workers may run its jobs");
    workerId = null;
    lost.abort();
    void thread?.stop();
    thread = null;
    void registerAgain();
  };

  const registerAgain = async (): Promise<void> => {
    while (!isStopped && workerId === null) {
      await register().catch((error) => log.warn({ err: error }, "this worker has no lease yet"));
      if (workerId === null) await systemClock.sleep(Math.min(1_000, leaseMs / 4));
    }
  };

  await register();
  return {
    get workerId() {
      return workerId;
    },
    get lost() {
      return lost.signal;
    },
    async stop() {
      isStopped = true;
      await thread?.stop();
      if (workerId === null) return;
      await removeWorker(database, workerId);
    },
  };
}

/** Every running batch listens, and there may be more of them than Node expects. */
function startLoss(): AbortController {
  const loss = new AbortController();
  setMaxListeners(0, loss.signal);
  return loss;
}

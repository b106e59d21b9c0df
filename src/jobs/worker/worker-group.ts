/** The workers of this process: one for each queue, all under one lease. */
import { setMaxListeners } from "node:events";
import { systemClock } from "../../lib/clock.ts";
import type { JobHandler } from "../handler.ts";
import { releaseJobs } from "../job-table.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import { noteServed } from "../worker-table.ts";
import { type QueueWorker, startQueueWorker } from "./queue-worker.ts";
import type { WorkerBench } from "./worker-bench.ts";
import { holdWorkerLease, type WorkerLease } from "./worker-lease.ts";

export interface WorkerGroupNeeds extends Omit<WorkerBench, "lease" | "stopping" | "queueOf"> {
  readonly handlers: readonly JobHandler[];
  readonly queues: readonly string[];
  readonly leaseMs: number;
}

export interface WorkerGroup {
  /** By queue; empty before the start. */
  readonly workers: ReadonlyMap<string, QueueWorker>;
  start(): Promise<void>;
  /** Jobs whose tickets this process holds and that it has not begun. */
  heldIds(): string[];
  /** Notes that this process knows its types of job, as long as it has a lease. */
  noteServed(): Promise<void>;
  /** Takes no more jobs, lets running ones finish within the limit, and aborts them shortly before its end. */
  finish(withinMs: number): Promise<void>;
  /** Returns the jobs that did not finish, without counting an attempt. */
  release(): Promise<void>;
  endLease(): Promise<void>;
}

/** The share of the time for a shutdown after which running jobs are aborted. */
const ABORT_AFTER_SHARE = 0.8;

export function createWorkerGroup(needs: WorkerGroupNeeds): WorkerGroup {
  const { database, engine, handlers, queues, log, leaseMs } = needs;
  const types = handlers.map(({ spec }) => spec.type);
  const workers = new Map<string, QueueWorker>();
  const stopping = new AbortController();
  // Every running batch listens, and there may be more of them than Node expects.
  setMaxListeners(0, stopping.signal);
  let lease: WorkerLease | null = null;

  const idleWithin = async (limitMs: number): Promise<void> => {
    const allIdle = Promise.all([...workers.values()].map((worker) => worker.idle()));
    const raceOver = new AbortController();
    await Promise.race([allIdle, systemClock.sleep(limitMs, raceOver.signal)]);
    raceOver.abort();
  };

  return {
    workers,
    async start() {
      await noteServed(database, types);
      lease = await holdWorkerLease({ database, log, types, leaseMs });
      const bench: WorkerBench = {
        ...needs,
        lease,
        stopping: stopping.signal,
        queueOf: (type) => handlers.find(({ spec }) => spec.type === type)?.spec.queue ?? null,
      };
      // Queues without a handler are read too: a message in one would otherwise wait where nobody looks.
      for (const name of queues) {
        const ofQueue = handlers.filter((handler) => handler.spec.queue === name);
        workers.set(name, startQueueWorker(bench, name, ofQueue));
      }
    },
    heldIds: () => [...workers.values()].flatMap((worker) => worker.waitingIds()),
    async noteServed() {
      if (lease !== null && lease.workerId !== null) await noteServed(database, types);
    },
    async finish(withinMs) {
      await Promise.all([...workers.values()].map((worker) => worker.stopTaking()));
      await idleWithin(withinMs * ABORT_AFTER_SHARE);
      stopping.abort();
      await idleWithin(withinMs * (1 - ABORT_AFTER_SHARE));
    },
    async release() {
      const workerId = lease?.workerId ?? null;
      if (workerId === null) return;
      await database.transaction(async (tx) => {
        const released = await releaseJobs(tx, [workerId]);
        await sendJobs(engine, tx, released);
      });
    },
    async endLease() {
      await lease?.stop();
    },
  };
}

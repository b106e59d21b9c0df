/** This process as a worker: one row whose lease covers every job that it runs. */
import { hostname } from "node:os";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";
import { type LeaseThread, startLeaseThread } from "../store/lease-thread.ts";
import { registerWorker, removeWorker, WORKER_LEASE } from "./worker-table.ts";

export interface Lease {
  /** The row under which jobs are claimed now; null while there is none. */
  readonly workerId: number | null;
  /** Aborted when the jobs claimed so far may be with somebody else. */
  readonly lost: AbortSignal;
  stop(): Promise<void>;
}

export async function holdLease(needs: {
  database: Database;
  log: Log;
  leaseMs: number;
}): Promise<Lease> {
  const { database, log, leaseMs } = needs;
  let thread: LeaseThread | null = null;
  let workerId: number | null = null;
  let lost = new AbortController();
  let isStopped = false;
  let renewedAtMs = 0;

  const register = async (): Promise<void> => {
    const id = await registerWorker(database, `${hostname()}:${process.pid}`, leaseMs);
    renewedAtMs = systemClock.now();
    lost = new AbortController();
    workerId = id;
    thread = startLeaseThread({
      url: database.url,
      table: WORKER_LEASE,
      holder: { id },
      leaseMs,
      onBeat: (b) => onBeat(id, b),
    });
  };

  const onBeat = (id: number, beat: "renewed" | "gone" | "failed"): void => {
    if (isStopped || id !== workerId) return;
    if (beat === "renewed") {
      renewedAtMs = systemClock.now();
      return;
    }
    // A failed beat is survived while the last one still holds.
    if (beat === "failed" && systemClock.now() - renewedAtMs < leaseMs) return;
    log.warn({ workerId: id }, "the lease of this worker was lost; its jobs may run elsewhere");
    workerId = null;
    lost.abort();
    void thread?.stop();
    thread = null;
    void registerAgain();
  };

  const registerAgain = async (): Promise<void> => {
    while (!isStopped && workerId === null) {
      await register().catch((error) => log.warn({ err: error }, "no lease yet"));
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

/** What the workers of one process share. */
import { type Clock, systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Database } from "../../store/database.ts";
import type { JobEngine, Settlement, Ticket } from "../engine.ts";
import type { RetryRules } from "./judge.ts";
import type { JobMetrics } from "./metrics.ts";
import type { WorkerLease } from "./worker-lease.ts";

export interface WorkerBench {
  readonly database: Database;
  readonly engine: JobEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly lease: WorkerLease;
  readonly metrics: JobMetrics;
  readonly rules: RetryRules;
  readonly concurrencyMax: number;
  /** A job that shows no progress for this long counts as stuck and may be taken over. */
  readonly stuckMs: number;
  /** The queue of a type that this process can run. */
  readonly queueOf: (type: string) => string | null;
  /** Aborted when running jobs have to end. */
  readonly stopping: AbortSignal;
}

/**
 * Repeats database work until the database can be reached again. Returns null if the worker had to stop
 * first: nothing was written and the job is still open.
 */
export async function untilStored<T>(
  bench: WorkerBench,
  work: () => Promise<T>,
): Promise<T | null> {
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = error instanceof Fault ? isStoreFault(error) : isContention(error);
      if (!isTemporary) throw error;
      if (bench.stopping.aborted) return null;
      bench.log.warn({ err: error }, "waiting for the database");
      await systemClock.sleep(pauseMs, bench.stopping);
    }
  }
}

/** Our own statements are small: if one times out, the database is the cause, not the job. */
const isStoreFault = (fault: Fault): boolean =>
  fault.remedy === "wait" || fault.code === "store.slow";

/** Two transactions wanted the same rows and the database aborted one, which can simply be repeated. */
export function isContention(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "40P01" || code === "40001";
}

/** An error is harmless here: the engine hands the ticket out again, and the table knows that the job is done. */
export async function settleQuietly(
  bench: WorkerBench,
  tickets: readonly Ticket[],
  how: Settlement,
): Promise<void> {
  if (tickets.length === 0) return;
  try {
    await bench.engine.settle(tickets, how);
  } catch (error) {
    bench.log.warn({ err: error, count: tickets.length }, "tickets could not be settled");
  }
}

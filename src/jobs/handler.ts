import type { Transaction } from "../store/database.ts";
import type { Job, JobSpec } from "./job.ts";
import type { JobOutcome } from "./outcome.ts";

/** What a running job is given. */
export interface JobRun {
  /** Aborted at shutdown and when the lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Commits the effects of these jobs together with their done marks and follow-up jobs. Throws the
   * fault `job.lease-lost`, with nothing written, when another worker has taken one over.
   */
  commit<T>(jobs: readonly Job[], effects: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Does one kind of work, many jobs at a time where that is cheaper. */
export interface JobHandler<Payload = unknown> {
  readonly spec: JobSpec<Payload>;
  /** Jobs handed over together; 1 when absent. */
  readonly batchSize?: number;
  /** Batches under way at once in this process; 1 when absent. */
  readonly concurrency?: number;
  /**
   * One outcome per job, in order. A thrown error is the outcome of all of them. A success that was
   * not passed through `run.commit` is marked done by the worker.
   */
  process(jobs: readonly Job<Payload>[], run: JobRun): Promise<JobOutcome[]>;
}

/** A handler that takes one job at a time. */
export function handle<Payload>(
  spec: JobSpec<Payload>,
  process: (job: Job<Payload>, run: JobRun) => Promise<JobOutcome>,
  options: { concurrency?: number } = {},
): JobHandler<Payload> {
  return {
    spec,
    batchSize: 1,
    ...options,
    process: async (jobs, run) => Promise.all(jobs.map((job) => process(job, run))),
  };
}

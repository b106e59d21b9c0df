import type { Transaction } from "../store/database.ts";
import type { Job, JobSpec } from "./job.ts";
import type { JobOutcome } from "./outcome.ts";

/** What a handler gets besides its jobs. */
export interface JobRun {
  /** Aborted at shutdown and when the lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Reports that the work continues. A job that reports nothing for ten minutes counts as stuck and goes to
   * another worker, however long it has run before.
   */
  progress(): void;
  /**
   * Commits the effects of these jobs, their done marks and follow-up jobs in one transaction. If another
   * worker has taken one of them over, it writes nothing and throws the fault `job.lease-lost`.
   */
  commit<T>(jobs: readonly Job[], effects: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Does one kind of work, for several jobs at a time if that is cheaper. */
export interface JobHandler<Payload = unknown> {
  readonly spec: JobSpec<Payload>;
  /** Number of jobs passed together; 1 if absent. */
  readonly batchSize?: number;
  /** Batches that run at once in this process; 1 if absent. */
  readonly concurrency?: number;
  /** The error code of a payload that does not have the shape of the spec; `job.malformed` if absent. */
  readonly malformedCode?: string;
  /**
   * Returns one outcome per job, in order. A thrown error counts for all of them. If a job succeeds without
   * `run.commit`, the worker marks it as done.
   */
  process(jobs: readonly Job<Payload>[], run: JobRun): Promise<JobOutcome[]>;
}

/** A handler that takes one job at a time. */
export function handle<Payload>(
  spec: JobSpec<Payload>,
  process: (job: Job<Payload>, run: JobRun) => Promise<JobOutcome>,
  options: { concurrency?: number; malformedCode?: string } = {},
): JobHandler<Payload> {
  return {
    spec,
    batchSize: 1,
    ...options,
    process: async (jobs, run) => Promise.all(jobs.map((job) => process(job, run))),
  };
}

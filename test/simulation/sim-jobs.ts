import type { JobHandler } from "../../src/jobs/handler.ts";
import type { Job, JobQueue, JobSpec, NewJob } from "../../src/jobs/job.ts";
import { type JobOutcome, outcomeOf } from "../../src/jobs/outcome.ts";
import type { Database, Transaction } from "../../src/store/database.ts";
import { Killed } from "./sim-database.ts";

interface Waiting {
  readonly job: Job;
  readonly dueMs: number;
}

/**
 * A durable engine at its simplest: at least once, in the transaction of the cause, with attempts and
 * delays on virtual time. The real engines have suites of their own.
 */
export class SimEngine {
  readonly #nowMs: () => number;
  readonly #staged = new WeakMap<Transaction, Waiting[]>();
  readonly #keys = new Set<string>();
  waiting: Waiting[] = [];
  dead: { type: string; code: string }[] = [];
  /** How many jobs there ever were. */
  count = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  readonly queue: JobQueue = {
    add: async <P>(tx: Transaction, spec: JobSpec<P>, jobs: readonly NewJob<P>[]) => {
      const staged = this.#staged.get(tx) ?? [];
      this.#staged.set(tx, staged);
      for (const given of jobs) {
        const jobId = `job-${++this.count}`;
        const job = {
          jobId,
          jobType: spec.type,
          correlationId: jobId,
          attempt: 1,
          maxAttempts: spec.maxAttempts,
          createdAt: new Date(this.#nowMs()).toISOString(),
          ...given,
        };
        staged.push({ job, dueMs: this.#nowMs() });
      }
      return staged.map((entry) => entry.job.jobId);
    },
  };

  committed(tx: Transaction): void {
    for (const entry of this.#staged.get(tx) ?? []) {
      if (this.#keys.has(entry.job.idempotencyKey)) continue;
      this.#keys.add(entry.job.idempotencyKey);
      this.waiting.push(entry);
    }
  }

  /** Runs what is due until nothing is. A kill leaves the jobs of its batch waiting. */
  async work(handlers: readonly JobHandler[], database: Database): Promise<void> {
    for (let rounds = 0; rounds < 200; rounds++) {
      const nowMs = this.#nowMs();
      const first = this.waiting.find((entry) => entry.dueMs <= nowMs);
      if (first === undefined) return;
      const handler = handlers.find((other) => other.spec.type === first.job.jobType)!;
      const batch = this.waiting
        .filter((entry) => entry.dueMs <= nowMs && entry.job.jobType === first.job.jobType)
        .slice(0, handler.batchSize ?? 1);
      const outcomes = await this.#run(
        handler,
        batch.map((entry) => entry.job),
        database,
      );
      this.waiting = this.waiting.filter((entry) => !batch.includes(entry));
      for (const [index, entry] of batch.entries()) this.#settle(entry, outcomes[index]!);
    }
  }

  async #run(handler: JobHandler, jobs: Job[], database: Database): Promise<JobOutcome[]> {
    const run = {
      signal: new AbortController().signal,
      progress: () => {},
      commit: <T>(_: readonly Job[], effects: (tx: Transaction) => Promise<T>) =>
        database.transaction(effects),
    };
    try {
      return await handler.process(jobs, run);
    } catch (error) {
      if (error instanceof Killed) throw error;
      return jobs.map(() => outcomeOf(error));
    }
  }

  #settle({ job }: Waiting, outcome: JobOutcome): void {
    if (outcome.isSuccess) return;
    const attempt = outcome.countsAsAttempt ? job.attempt + 1 : job.attempt;
    if (!outcome.retryable || attempt > job.maxAttempts) {
      this.dead.push({ type: job.jobType, code: outcome.errorCode });
      return;
    }
    const delayMs = outcome.retryAfterMs ?? 5_000 * 2 ** attempt;
    this.waiting.push({ job: { ...job, attempt }, dueMs: this.#nowMs() + delayMs });
  }
}

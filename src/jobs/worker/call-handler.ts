/** Runs a handler under a fencing token and turns every result or error into one outcome per job. */
import { systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { withCorrelation } from "../../lib/log.ts";
import { inSpan } from "../../lib/tracing.ts";
import type { Transaction } from "../../store/database.ts";
import type { JobHandler, JobRun } from "../handler.ts";
import type { Job } from "../job.ts";
import { completeJobs, noteProgressOf } from "../job-table.ts";
import { failure, type JobOutcome, outcomeOf } from "../outcome.ts";
import { isContention, type WorkerBench } from "./worker-bench.ts";

/** After this many, the cause is taken to lie outside the batch, and its other jobs wait for a retry. */
const FAILURES_IN_A_ROW_MAX = 3;

export interface HandlerAnswer {
  readonly outcomes: readonly JobOutcome[];
  /** Jobs that were marked done in the transaction of their effects. */
  readonly committed: ReadonlySet<string>;
}

export async function callHandler(
  bench: WorkerBench,
  handler: JobHandler,
  jobs: readonly Job[],
  token: number,
): Promise<HandlerAnswer> {
  const committed = new Set<string>();
  if (jobs.length === 0) return { outcomes: [], committed };
  const { run, end } = createRun(bench, jobs, token, committed);
  const call: Call = async (batch) => {
    const outcomes = await underCorrelation(batch, () => handler.process(batch, run));
    if (outcomes.length === batch.length) return outcomes;
    throw new Error(`the handler returned ${outcomes.length} outcomes for ${batch.length} jobs`);
  };
  try {
    const outcomes = await callTogether(call, jobs, run.signal);
    return {
      outcomes: outcomes.map((outcome, index) =>
        committed.has(jobs[index]!.jobId) ? { isSuccess: true } : outcome,
      ),
      committed,
    };
  } finally {
    end();
  }

  /** After an error the jobs of a batch run one by one, so that one bad job does not fail the others. */
  async function callTogether(
    call: Call,
    jobs: readonly Job[],
    signal: AbortSignal,
  ): Promise<JobOutcome[]> {
    const first = await callOnce(call, jobs, signal);
    if (Array.isArray(first)) return first;
    if (jobs.length === 1 || !first.countsAsAttempt) return jobs.map(() => first);
    const outcomes: JobOutcome[] = [];
    let failuresInARow = 0;
    for (const job of jobs) {
      const outcome = committed.has(job.jobId)
        ? success
        : failuresInARow < FAILURES_IN_A_ROW_MAX
          ? await callAlone(call, job, signal)
          : uncounted(first);
      outcomes.push(outcome);
      failuresInARow = outcome.isSuccess ? 0 : failuresInARow + 1;
    }
    return outcomes;
  }
}

type Call = (jobs: readonly Job[]) => Promise<JobOutcome[]>;
type Failed = Extract<JobOutcome, { isSuccess: false }>;

const success: JobOutcome = { isSuccess: true };

/** Returns the handler's outcomes, or what a thrown error means. A shutdown is not a failure. */
async function callOnce(
  call: Call,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<JobOutcome[] | Failed> {
  try {
    return await call(jobs);
  } catch (error) {
    if (isContention(error)) return outcomeOf(new Fault("job.busy", "rows were busy")) as Failed;
    if (!signal.aborted) return outcomeOf(error) as Failed;
    const text = "the worker stopped before the job was done";
    const options = { countsAsAttempt: false, retryAfterMs: 0 };
    return failure("job.cancelled", text, options) as Failed;
  }
}

async function callAlone(call: Call, job: Job, signal: AbortSignal): Promise<JobOutcome> {
  const answer = await callOnce(call, [job], signal);
  return Array.isArray(answer) ? answer[0]! : answer;
}

/** The failure was not caused by this job, so it is retried without counting an attempt. */
const uncounted = (outcome: Failed): Failed => ({
  ...outcome,
  retryable: true,
  countsAsAttempt: false,
});

/** How often progress is written, as a share of the time after which a job counts as stuck. */
const PROGRESS_SHARE = 1 / 20;

function createRun(
  bench: WorkerBench,
  jobs: readonly Job[],
  token: number,
  committed: Set<string>,
): { run: JobRun; end(): void } {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const signals = [bench.stopping, bench.lease.lost];
  for (const signal of signals) {
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  }
  // A live worker renews its lease forever, so a job that shows no progress for this long counts as stuck.
  let cancelTimer = systemClock.after(bench.stuckMs, stop);
  let notedAtMs = systemClock.now();
  const writeProgress = async (): Promise<void> => {
    const open = jobs.map((job) => job.jobId).filter((id) => !committed.has(id));
    if (open.length > 0 && !(await noteProgressOf(bench.database, open, token))) stop();
  };
  return {
    run: {
      signal: abort.signal,
      progress() {
        if (abort.signal.aborted) return;
        const nowMs = systemClock.now();
        if (nowMs - notedAtMs < bench.stuckMs * PROGRESS_SHARE) return;
        notedAtMs = nowMs;
        cancelTimer();
        cancelTimer = systemClock.after(bench.stuckMs, stop);
        writeProgress().catch((error: unknown) => {
          bench.log.warn(
            { err: error },
            "the progress of a job could not be recorded; the next report tries again",
          );
        });
      },
      async commit(jobs, effects) {
        const ids = jobs.map((job) => job.jobId);
        const write = async (tx: Transaction) => {
          // The jobs are marked first, so that a worker that lost its lease is refused before it writes
          // anything.
          const held = await completeJobs(tx, ids, token);
          if (held !== ids.length) {
            throw new Fault("job.lease-lost", "another worker has taken over");
          }
          return effects(tx);
        };
        const name = `effects of ${jobs[0]?.jobType ?? "no job"}`;
        const commit = () => bench.database.transaction(write);
        const result = await inSpan(name, { kind: "internal" }, commit);
        for (const id of ids) committed.add(id);
        return result;
      },
    },
    end() {
      cancelTimer();
      for (const signal of signals) signal.removeEventListener("abort", stop);
    },
  };
}

/** Logs under a correlation id only if all jobs of the batch share it. */
function underCorrelation<T>(jobs: readonly Job[], task: () => T): T {
  const id = jobs[0]!.correlationId;
  return jobs.every((job) => job.correlationId === id) ? withCorrelation(id, task) : task();
}

/** Decides what follows a failure: a retry after a pause, or the end. */
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import type { Random } from "../../lib/random.ts";
import { redactText } from "../../lib/redact.ts";
import { toStorableText } from "../../store/database.ts";
import { causeOf } from "../cause.ts";
import type { Job } from "../job.ts";
import type { FailureRow } from "../job-table.ts";
import type { JobOutcome } from "../outcome.ts";

export type FailedOutcome = Extract<JobOutcome, { isSuccess: false }>;

export interface RetryRules {
  readonly retry: Backoff;
  /** Between attempts that do not count. */
  readonly wait: Backoff;
}

export const DEFAULT_RETRY_RULES: RetryRules = {
  retry: { firstMs: 2_000, capMs: 5 * 60_000 },
  wait: { firstMs: 5_000, capMs: 60_000 },
};

const MESSAGE_LENGTH_MAX = 1_000;
const CODE_LENGTH_MAX = 200;

export function judgeFailure(
  job: Job,
  outcome: FailedOutcome,
  rules: RetryRules,
  random: Random,
): FailureRow {
  const message = toStorableText(redactText(outcome.errorMessage), MESSAGE_LENGTH_MAX);
  const code = toStorableText(outcome.errorCode, CODE_LENGTH_MAX);
  const isLast = outcome.countsAsAttempt && job.attempt >= job.maxAttempts;
  const isEnd = !outcome.retryable || isLast;
  const backoff = outcome.countsAsAttempt ? rules.retry : rules.wait;
  return {
    id: job.jobId,
    code,
    message,
    countsAsAttempt: outcome.countsAsAttempt,
    retryInMs: isEnd ? null : backoffMs(backoff, job.attempt, random, outcome.retryAfterMs),
    endState: isEnd ? (outcome.retryable ? "Failed" : "Poisoned") : null,
    cause: isEnd ? causeOf(job.jobType, code, message) : null,
  };
}

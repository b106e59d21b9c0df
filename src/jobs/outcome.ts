import { type Fault, toFault } from "../lib/fault.ts";

/** How one run of a job ended. */
export type JobOutcome =
  | { readonly isSuccess: true; readonly note?: string }
  /** Skipped on purpose; counts as done and says why. */
  | { readonly isSuccess: true; readonly excluded: string }
  | {
      readonly isSuccess: false;
      readonly errorCode: string;
      readonly errorMessage: string;
      /** False makes the job a dead letter at once. */
      readonly retryable: boolean;
      /** False if the attempt must not be counted: throttled, busy, shutting down. */
      readonly countsAsAttempt: boolean;
      readonly retryAfterMs?: number;
      /** The handler did not return this but threw. */
      readonly isThrown?: boolean;
    };

export const success = (note?: string): JobOutcome =>
  note === undefined ? { isSuccess: true } : { isSuccess: true, note };

export const excluded = (reason: string): JobOutcome => ({ isSuccess: true, excluded: reason });

export function failure(
  errorCode: string,
  errorMessage: string,
  options: { retryable?: boolean; countsAsAttempt?: boolean; retryAfterMs?: number } = {},
): Extract<JobOutcome, { isSuccess: false }> {
  return {
    isSuccess: false,
    errorCode,
    errorMessage,
    retryable: options.retryable ?? true,
    countsAsAttempt: options.countsAsAttempt ?? true,
    ...(options.retryAfterMs === undefined ? {} : { retryAfterMs: options.retryAfterMs }),
  };
}

/** What a thrown error means for the job; the remedy of the fault decides. */
export function outcomeOf(thrown: unknown): JobOutcome {
  const fault: Fault = toFault(thrown);
  const outcome = failure(fault.code, fault.message, {
    retryable: fault.remedy === "retry" || fault.remedy === "wait",
    countsAsAttempt: fault.remedy !== "wait",
    ...(fault.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs }),
  });
  return { ...outcome, isThrown: true };
}

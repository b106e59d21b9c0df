/** The error codes that the Office add-in expects. */
import { ZodError } from "zod";
import { Fault, type FaultCode } from "../lib/fault.ts";
import type { JobHandler } from "./handler.ts";
import { handle } from "./handler.ts";
import type { JobSpec } from "./job.ts";
import { failure, type JobOutcome } from "./outcome.ts";

const INVALID: ReadonlySet<FaultCode> = new Set(["request.bad", "job.malformed", "job.key-reused"]);

const INVALID_DATA = "OFFICE_INVALID_DATA";

/** A fault whose remedy is to wait costs no attempt; bad data is final; everything else is retried. */
export function officeOutcomeOf(thrown: unknown): JobOutcome {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Fault && thrown.remedy === "wait") {
    return failure("OFFICE_THROTTLED", message, {
      countsAsAttempt: false,
      ...(thrown.retryAfterMs === undefined ? {} : { retryAfterMs: thrown.retryAfterMs }),
    });
  }
  if (thrown instanceof ZodError || (thrown instanceof Fault && INVALID.has(thrown.code))) {
    return failure(INVALID_DATA, message, { retryable: false });
  }
  return failure("OFFICE_UNEXPECTED", message);
}

/** How many jobs of one Office type a process runs at once. */
const OFFICE_CONCURRENCY = 5;

/** A handler that reports its errors with the add-in's codes. */
export function handleOffice<Payload>(
  spec: JobSpec<Payload>,
  process: Parameters<typeof handle<Payload>>[1],
): JobHandler<Payload> {
  return handle(
    spec,
    async (job, run) => {
      try {
        return await process(job, run);
      } catch (error) {
        // At shutdown, the worker decides what becomes of the job.
        if (run.signal.aborted) throw error;
        return officeOutcomeOf(error);
      }
    },
    { concurrency: OFFICE_CONCURRENCY, malformedCode: INVALID_DATA },
  );
}

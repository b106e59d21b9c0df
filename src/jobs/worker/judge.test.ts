import * as fc from "fast-check";
import { expect, it } from "vitest";
import { systemRandom } from "../../lib/random.ts";
import type { Job } from "../job.ts";
import { failure } from "../outcome.ts";
import { DEFAULT_RETRY_RULES, type FailedOutcome, judgeFailure } from "./judge.ts";

const job = (attempt: number): Job => ({
  jobId: "j",
  jobType: "t",
  subjectId: "s",
  correlationId: "c",
  idempotencyKey: "k",
  attempt,
  maxAttempts: 3,
  payload: null,
  createdAt: "2026-01-05T08:00:00Z",
});
const judge = (attempt: number, outcome: ReturnType<typeof failure>) =>
  judgeFailure(job(attempt), outcome as FailedOutcome, DEFAULT_RETRY_RULES, systemRandom);

it("a retry is never earlier than requested and never later than the cap [H-05]", () => {
  const attempts = fc.integer({ min: 1, max: 2 });
  fc.assert(
    fc.property(attempts, fc.integer({ min: 0, max: 600_000 }), (attempt, retryAfterMs) => {
      const { retryInMs } = judge(attempt, failure("x", "y", { retryAfterMs }));
      expect(retryInMs).toBeGreaterThanOrEqual(retryAfterMs);
      expect(retryInMs).toBeLessThanOrEqual(retryAfterMs + DEFAULT_RETRY_RULES.retry.capMs);
    }),
  );
});

it("the last counted failure ends the job; an uncounted failure never does [H-05]", () => {
  expect(judge(3, failure("x", "y"))).toMatchObject({ endState: "Failed", retryInMs: null });
  const waiting = failure("x", "y", { countsAsAttempt: false });
  expect(judge(3, waiting)).toMatchObject({ endState: null });
  expect(judge(1, failure("x", "y", { retryable: false }))).toMatchObject({ endState: "Poisoned" });
});

it("credentials in an error message do not reach the dead letter", () => {
  const { message } = judge(3, failure("x", "401 for Bearer abc.def-123 and password=hunter2"));
  expect(message).toBe("401 for Bearer [hidden] and password=[hidden]");
});

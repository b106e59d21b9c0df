import { expect, it } from "vitest";
import * as z from "zod";
import { Fault } from "../lib/fault.ts";
import { defineJob } from "./job.ts";
import { analysisKey, documentIndexKey, stageKey } from "./job-keys.ts";
import { handleOffice, officeOutcomeOf } from "./office-outcome.ts";

it("throttling is OFFICE_THROTTLED and retryable after the requested wait [OFF-12]", () => {
  const thrown = new Fault("graph.throttled", "429", { retryAfterMs: 7_000 });
  expect(officeOutcomeOf(thrown)).toMatchObject({
    errorCode: "OFFICE_THROTTLED",
    retryable: true,
    countsAsAttempt: false,
    retryAfterMs: 7_000,
  });
});

it("invalid data is OFFICE_INVALID_DATA and final [OFF-13]", () => {
  const misfit = z.object({ n: z.number() }).safeParse({}).error;
  for (const thrown of [misfit, new Fault("request.bad", "no file")]) {
    const expected = { errorCode: "OFFICE_INVALID_DATA", retryable: false };
    expect(officeOutcomeOf(thrown)).toMatchObject(expected);
  }
});

it("anything else is OFFICE_UNEXPECTED and retryable [OFF-14]", () => {
  for (const thrown of [new Error("boom"), "a string", new Fault("graph.unavailable", "503")]) {
    const expected = { errorCode: "OFFICE_UNEXPECTED", retryable: true, countsAsAttempt: true };
    expect(officeOutcomeOf(thrown)).toMatchObject(expected);
  }
});

it("an Office worker runs up to five jobs at once and reports errors as OFFICE codes [OFF-03] [OFF-11]", async () => {
  const spec = defineJob({ type: "Profile", queue: "office-profile", payload: z.unknown() });
  const handler = handleOffice(spec, async () => {
    throw new Error("boom");
  });
  expect(handler.concurrency).toBe(5);
  const { signal } = new AbortController();
  const run = { signal, progress: () => {}, commit: async () => undefined as never };
  const job = { jobId: "j" } as never;
  expect(await handler.process([job], run)).toMatchObject([{ errorCode: "OFFICE_UNEXPECTED" }]);
});

it("keys have the form that other programs expect [OFF-06]", () => {
  expect(documentIndexKey("d1", 7)).toBe("doc-d1-v7");
  expect(analysisKey("d1", "summary")).toBe("analysis-d1-summary");
  expect(analysisKey("d1", "summary", "c0ffee")).toBe("analysis-d1-summary-c0ffee");
  expect(stageKey("7f0c", "upload")).toBe("7f0c-upload");
});

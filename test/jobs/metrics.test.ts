import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { handle } from "../../src/jobs/handler.ts";
import { defineJob } from "../../src/jobs/job.ts";
import { excluded, failure, success } from "../../src/jobs/outcome.ts";
import { Fault } from "../../src/lib/fault.ts";
import { createLog } from "../../src/lib/log.ts";
import { usePostgresEngine } from "./contract/places.ts";
import { captureLog, Numbered, numbered, useWorkshop } from "./contract/workshop.ts";

const shop = useWorkshop(usePostgresEngine());
const spec = defineJob({
  type: "Profile",
  queue: "office-profile",
  stage: "profile",
  payload: Numbered,
});

it("metrics count jobs by queue, type, stage and outcome and show the age of the oldest job and the dead letters [OPS-05]", async () => {
  const registry = new Registry();
  const jobs = await shop.open(
    [
      handle(spec, async ({ payload: { n } }) => {
        if (n === 0) return success();
        return n === 1 ? excluded("no") : failure("x", "y", { retryable: false });
      }),
    ],
    { metrics: registry },
  );
  await shop.add(jobs, spec, numbered(3));
  await jobs.workUntilIdle();
  const later = { ...numbered(1, 9)[0]!, runAt: new Date(Date.now() + 60_000) };
  await shop.add(jobs, spec, [later]);
  const text = await registry.metrics();
  const labels = 'queue="office-profile",type="Profile",stage="profile"';
  for (const outcome of ["completed", "excluded", "dead"]) {
    expect(text).toContain(`postroom_jobs_total{${labels},outcome="${outcome}"} 1`);
  }
  expect(text).toContain('postroom_jobs_open{queue="office-profile",state="Queued"} 1');
  expect(text).toContain('postroom_jobs_oldest_seconds{queue="office-profile"} 0');
  expect(text).toContain('postroom_dead_letters{queue="office-profile",type="Profile",code="x"} 1');
  expect(text).toMatch(/postroom_job_seconds_count\{queue="office-profile",type="Profile"\} 3/);
});

it("the log answers the queries of the systems before us: durations by worker, failures by code, stages [OPS-05] [OPS-06] [OPS-07] [OPS-08] [JOB-12]", async () => {
  const { lines, to } = captureLog();
  const mixed = handle(spec, async ({ payload: { n } }) => {
    if (n === 0) return success();
    if (n === 1) return failure("OFFICE_INVALID_DATA", "y", { retryable: false });
    throw new Fault("request.bad", "thrown");
  });
  const jobs = await shop.open([mixed], { log: createLog({ level: "info", to }) });
  await shop.add(jobs, spec, numbered(3));
  await jobs.workUntilIdle();
  const traces = () =>
    lines
      .map((line) => JSON.parse(line))
      .filter((customDimensions) => customDimensions.Category === "OfficeWorker");
  await expect.poll(() => traces().length).toBe(3);
  expect(traces().every((d) => d.WorkerType === "Profile" && Number.isFinite(d.Duration))).toBe(
    true,
  );
  const failed = traces().filter((d) => d.JobStatus === "Failed");
  expect(failed.map((d) => d.ErrorCode).sort()).toEqual(["OFFICE_INVALID_DATA", "request.bad"]);
  const ofStage = traces().filter((d) => d.Stage === "profile");
  const countIf = (status: string) => ofStage.filter((d) => d.StageStatus === status).length;
  expect([countIf("completed"), countIf("failed")]).toEqual([1, 2]);
  const thrown = traces().find((d) => d.Outcome === "processing_error");
  expect(thrown).toMatchObject({ ErrorCode: "request.bad", JobId: expect.any(String) });
});

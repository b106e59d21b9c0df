import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { handle } from "../../src/jobs/handler.ts";
import { defineJob } from "../../src/jobs/job.ts";
import { excluded, failure, success } from "../../src/jobs/outcome.ts";
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

it("each job of an Office worker logs a line with category, worker, duration, status and stage [OPS-05]", async () => {
  const { lines, to } = captureLog();
  const dead = handle(spec, async () => failure("OFFICE_INVALID_DATA", "y", { retryable: false }));
  const jobs = await shop.open([dead], { log: createLog({ level: "info", to }) });
  await shop.add(jobs, spec, numbered(1));
  await jobs.workUntilIdle();
  await expect.poll(() => lines.some((line) => line.includes("OfficeWorker"))).toBe(true);
  expect(JSON.parse(lines.find((line) => line.includes("OfficeWorker"))!)).toMatchObject({
    category: "OfficeWorker",
    workerType: "Profile",
    durationMs: expect.any(Number),
    jobStatus: "dead",
    errorCode: "OFFICE_INVALID_DATA",
    stage: "profile",
    stageStatus: "failed",
  });
});

import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Authorize } from "../../src/api/access/auth.ts";
import { registerDeadLetterRoutes } from "../../src/api/dead-letter-routes.ts";
import { handleErrors, ProblemError } from "../../src/api/http/problem.ts";
import { registerJobRoutes } from "../../src/api/jobs-routes.ts";
import { describeApi } from "../../src/api/openapi.ts";
import { continueReplays } from "../../src/jobs/dead-letters/replay.ts";
import { handle } from "../../src/jobs/handler.ts";
import { failure, success } from "../../src/jobs/outcome.ts";
import type { Jobs } from "../../src/jobs/service/create-jobs.ts";
import { noteProgress } from "../../src/jobs/status/note-progress.ts";
import { guard } from "../helpers/guard.ts";
import { usePostgresEngine } from "./contract/places.ts";
import { countJob, numbered, useWorkshop } from "./contract/workshop.ts";

const shop = useWorkshop(usePostgresEngine());

/** The header names the caller. */
const authorize: Authorize = async (request) => {
  const id = request.headers["x-caller"];
  if (typeof id !== "string") throw new ProblemError({ status: 401, title: "Unauthorized" });
  return { id, role: id === "operator" ? "operator" : null };
};

let app: FastifyInstance;
let jobs: Jobs;
let verdict: "done" | "dead";
let gate: Promise<void>;

beforeEach(async () => {
  verdict = "done";
  gate = Promise.resolve();
  jobs = await shop.open([
    handle(countJob, async (job) => {
      await gate;
      const number = job.payload.n;
      return verdict === "done"
        ? success()
        : failure(`code-${number % 2}`, `number ${number} is not wanted`, { retryable: false });
    }),
  ]);
  app = Fastify();
  handleErrors(app);
  await describeApi(app, "0.0.0");
  guard(app, jobs.database, authorize);
  registerJobRoutes(app, { jobs });
  registerDeadLetterRoutes(app, { jobs });
});
afterEach(() => app.close());

const ask = async (
  method: "GET" | "POST",
  url: string,
  caller: string | null = "operator",
  payload?: object,
) => {
  const headers = caller === null ? {} : { "x-caller": caller };
  const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() as never as Record<string, never> };
};
const own = (ownerId: string) => ({ ...numbered(1)[0]!, ownerId, correlationId: "trace-7" });

describe("the status of a job", () => {
  it("has the agreed format and moves from Queued to its end [JOB-17] [X-10] [H-16]", async () => {
    let letGo = () => {};
    gate = new Promise((resolve) => (letGo = resolve));
    const later = { ...own("ada"), runAt: new Date(Date.now() + 3_600_000) };
    const [jobId] = await shop.add(jobs, countJob, [later]);
    const url = `/api/jobs/${jobId}/status`;
    const first = await ask("GET", url, "ada");
    expect(first.body).toEqual({
      jobId,
      jobType: "count",
      subjectId: "subject-0",
      correlationId: "trace-7",
      status: "Queued",
      attempt: 1,
      maxAttempts: 3,
      createdAt: expect.any(String),
      startedAt: null,
      completedAt: null,
      errorCode: null,
      errorMessage: null,
    });
    await shop.database.query("UPDATE postroom.job SET due_at = postroom.now()");
    await shop.database.query("UPDATE pgboss.job SET start_after = now()");
    const status = async () => (await ask("GET", url, "ada")).body["status"];
    await expect.poll(status).toBe("Running");
    letGo();
    await expect.poll(status).toBe("Completed");
  });

  it("is for its owner and for operators; to others the job does not exist [JOB-17] [H-10]", async () => {
    const [jobId] = await shop.add(jobs, countJob, [own("ada")]);
    const url = `/api/jobs/${jobId}/status`;
    expect((await ask("GET", url, "operator")).status).toBe(200);
    expect((await ask("GET", url, null)).status).toBe(401);
    const other = await ask("GET", url, "mallory");
    const nothing = await ask(
      "GET",
      "/api/jobs/0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60/status",
      "mallory",
    );
    expect(other.status).toBe(404);
    const { instance: _, correlationId: __, ...same } = nothing.body;
    const detail = String(same["detail"]).replace("0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60", jobId!);
    expect(other.body).toMatchObject({ ...same, detail });
    expect((await ask("GET", "/api/jobs/not-an-id/status")).status).toBe(404);
    const [nobodys] = await shop.add(jobs, countJob, numbered(1, 5));
    expect((await ask("GET", `/api/jobs/${nobodys}/status`, "ada")).status).toBe(404);
  });

  it("streams until the end, and continues after the last event that was seen [X-10]", async () => {
    let letGo = () => {};
    gate = new Promise((resolve) => (letGo = resolve));
    const [jobId] = await shop.add(jobs, countJob, [own("ada")]);
    await expect.poll(async () => (await shop.rows())[0]!.state).toBe("Running");
    await shop.database.transaction((tx) => noteProgress(tx, jobId!, "progress", { percent: 40 }));
    setTimeout(letGo, 100);
    const read = async (headers: Record<string, string>) => {
      const url = `/api/jobs/${jobId}/stream`;
      const answer = await app.inject({ url, headers: { "x-caller": "ada", ...headers } });
      const names = [...answer.body.matchAll(/^event: (.*)$/gm)].map((match) => match[1]);
      const ids = [...answer.body.matchAll(/^id: (.*)$/gm)].map((match) => match[1]!);
      return { names, ids, body: answer.body };
    };
    const whole = await read({});
    expect(whole.names).toEqual(["connected", "progress", "job-complete"]);
    expect(whole.body).toContain('{"percent":40}');
    expect(whole.ids.every((id) => id.startsWith(`${jobId}:`))).toBe(true);
    const rest = await read({ "last-event-id": whole.ids[0]! });
    expect(rest.names).toEqual(["connected", "job-complete"]);
    const stranger = { "x-caller": "mallory" };
    expect(
      (await app.inject({ url: `/api/jobs/${jobId}/stream`, headers: stranger })).statusCode,
    ).toBe(404);
  });

  it("is streamed, and the stream of a failed job ends with its error [X-10]", async () => {
    verdict = "dead";
    const [jobId] = await shop.add(jobs, countJob, [own("ada")]);
    const headers = { "x-caller": "ada" };
    const answer = await app.inject({ url: `/api/jobs/${jobId}/stream`, headers });
    expect(answer.body).toMatch(/event: job-failed\ndata: .*"errorCode":"code-0"/);
  });

  it("can be changed to Cancelled by an operator while the job is open, and not afterwards [H-16]", async () => {
    const later = { ...numbered(1)[0]!, runAt: new Date(Date.now() + 60_000) };
    const [jobId] = await shop.add(jobs, countJob, [later]);
    expect((await ask("POST", `/api/jobs/${jobId}/cancel`, "ada")).status).toBe(403);
    expect((await ask("POST", `/api/jobs/${jobId}/cancel`)).body).toEqual({
      jobId,
      isCancelled: true,
    });
    expect((await ask("POST", `/api/jobs/${jobId}/cancel`)).body["isCancelled"]).toBe(false);
    expect((await ask("GET", `/api/jobs/${jobId}/status`)).body["status"]).toBe("Cancelled");
  });
});

describe("dead letters over HTTP", () => {
  const die = async (count: number) => {
    verdict = "dead";
    await shop.add(jobs, countJob, numbered(count));
    await jobs.workUntilIdle();
  };

  it("are listed, grouped and explained to operators only [X-13]", async () => {
    await die(5);
    for (const url of ["/api/dlq", "/api/dlq/causes", "/api/dlq/replays", "/api/jobs"]) {
      expect((await ask("GET", url, "ada")).status).toBe(403);
    }
    const { causes } = (await ask("GET", "/api/dlq/causes")).body as never as {
      causes: { cause: string; count: number; errorCode: string; sampleJobId: string }[];
    };
    expect(causes.map(({ errorCode, count }) => [errorCode, count])).toEqual([
      ["code-0", 3],
      ["code-1", 2],
    ]);
    const first = (await ask("GET", "/api/dlq/causes?limit=1")).body;
    const second = (await ask("GET", `/api/dlq/causes?limit=1&cursor=${first["next"]}`)).body;
    expect([first["causes"], second["causes"]]).toEqual([[causes[0]], [causes[1]]]);
    expect(second["next"]).toBeNull();
    const listed = (await ask("GET", `/api/dlq?cause=${causes[1]!.cause}`)).body as never as {
      deadLetters: object[];
    };
    expect(listed.deadLetters).toHaveLength(2);
    const story = await ask("GET", `/api/dlq/${causes[0]!.sampleJobId}`);
    expect(story.body).toMatchObject({ sameCause: 2, payload: { n: 4 }, history: [] });
    expect((await ask("GET", "/api/dlq/0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60")).status).toBe(404);
  });

  it("are replayed after a preview, and the history keeps who did it and why [X-13] [H-20] [R33]", async () => {
    await die(4);
    const order = { code: "code-0", why: "the rule was wrong" };
    const dry = await ask("POST", "/api/dlq/replay", "operator", { ...order, dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true, total: 2 });
    expect((await shop.rows()).filter((row) => row.is_dead)).toHaveLength(4);
    expect((await ask("POST", "/api/dlq/replay", "ada", order)).status).toBe(403);
    expect((await ask("POST", "/api/dlq/replay", "operator", { why: "x" })).status).toBe(400);
    expect((await ask("POST", "/api/dlq/replay", "operator", { code: "x" })).status).toBe(400);

    verdict = "done";
    const started = await ask("POST", "/api/dlq/replay", "operator", order);
    expect(started.status).toBe(202);
    await continueReplays(jobs, 1_000);
    await jobs.workUntilIdle();
    const ended = await ask("GET", started.body["statusUrl"]!);
    expect(ended.body).toMatchObject({ who: "operator", why: order.why, total: 2, replayed: 2 });
    const states = (await shop.rows()).map((row) => `${row.key} ${row.state}`).sort();
    expect(states).toEqual([
      "count-0 Completed",
      "count-0 Poisoned",
      "count-1 Poisoned",
      "count-2 Completed",
      "count-2 Poisoned",
      "count-3 Poisoned",
    ]);
    const old = (await shop.rows()).find(
      (row) => row.key === "count-0" && row.state === "Poisoned",
    );
    const story = await ask("GET", `/api/dlq/${old!.id}`);
    expect(story.body["history"]).toMatchObject([
      { result: "replayed", who: "operator", why: order.why },
    ]);
  });

  it("whose work was done meanwhile are not run again", async () => {
    await die(1);
    verdict = "done";
    await shop.add(jobs, countJob, numbered(1));
    await jobs.workUntilIdle();
    const started = await ask("POST", "/api/dlq/replay", "operator", { all: true, why: "tidy up" });
    await continueReplays(jobs, 1_000);
    const view = await ask("GET", started.body["statusUrl"]!);
    expect(view.body).toMatchObject({ total: 1, replayed: 0, superseded: 1 });
    expect(await shop.rows()).toHaveLength(2);
  });

  it("are dismissed with a reason", async () => {
    await die(2);
    const order = { code: "code-1", why: "noise" };
    const dry = await ask("POST", "/api/dlq/dismiss", "operator", { ...order, dryRun: true });
    expect(dry.body).toEqual({ dryRun: true, total: 1 });
    expect((await ask("POST", "/api/dlq/dismiss", "operator", order)).body).toEqual({
      dismissed: 1,
    });
    expect((await shop.rows()).filter((row) => row.is_dead)).toHaveLength(1);
  });
});

it("operators see what the workers did per hour, by error code and by stage [OPS-05] [OPS-06] [OPS-07] [OPS-08]", async () => {
  await shop.add(jobs, countJob, numbered(3));
  await jobs.workUntilIdle();
  verdict = "dead";
  await shop.add(jobs, countJob, numbered(3, 3));
  await jobs.workUntilIdle();
  const { body } = await ask("GET", "/api/jobs/workers");
  expect(body).toMatchObject({
    workers: [{ jobs: 0 }],
    durations: [
      { worker: "count", jobs: 6, averageMs: expect.any(Number), maxMs: expect.any(Number) },
    ],
    stages: [{ stage: "count", completed: 3, failed: 3 }],
  });
  const failures = body["failures"] as never as { errorCode: string; jobs: number }[];
  expect(failures.map(({ errorCode, jobs: count }) => [errorCode, count])).toEqual([
    ["code-0", 1],
    ["code-1", 2],
  ]);
});

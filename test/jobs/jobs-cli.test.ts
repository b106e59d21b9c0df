import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAuthorize } from "../../src/api/access/auth.ts";
import { registerDeadLetterRoutes } from "../../src/api/dead-letter-routes.ts";
import { handleErrors } from "../../src/api/http/problem.ts";
import { registerJobRoutes } from "../../src/api/jobs-routes.ts";
import { describeApi } from "../../src/api/openapi.ts";
import { createOutput } from "../../src/cli/base/output.ts";
import { dlqCommand } from "../../src/cli/server/dlq.ts";
import { jobsCommand } from "../../src/cli/server/jobs.ts";
import { handle } from "../../src/jobs/handler.ts";
import { failure, success } from "../../src/jobs/outcome.ts";
import { guard } from "../helpers/guard.ts";
import { startServiceBus } from "../helpers/service-bus.ts";
import { usePostgresEngine } from "./contract/places.ts";
import { countJob, numbered, useWorkshop } from "./contract/workshop.ts";

const shop = useWorkshop(usePostgresEngine());
let home: string;
let app: FastifyInstance;
let isBroken: boolean;

beforeEach(async () => {
  isBroken = true;
  const jobs = await shop.open([
    handle(countJob, async () =>
      isBroken
        ? failure("archive.down", "no archive at 10.0.0.1", { retryable: false })
        : success(),
    ),
  ]);
  app = Fastify();
  handleErrors(app);
  await describeApi(app, "0.0.0");
  guard(app, jobs.database, createAuthorize({ operatorKey: "key", api: null }));
  registerJobRoutes(app, { jobs });
  registerDeadLetterRoutes(app, { jobs });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  home = await mkdtemp(join(tmpdir(), "postroom-cli-"));
  await writeFile(join(home, "operator-key"), "key\n");
  await writeFile(join(home, "server.json"), JSON.stringify({ url }));
  vi.stubEnv("POSTROOM_HOME", home);
  await shop.add(jobs, countJob, numbered(3));
  await jobs.workUntilIdle();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const run = async (
  build: (output: ReturnType<typeof createOutput>) => Command,
  ...words: string[]
) => {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  await build(createOutput({ write, writeNote: write }))
    .exitOverride()
    .parseAsync(words, { from: "user" });
  return text;
};

it("an operator lists dead letters by cause, explains one, and replays them after a dry run [X-13]", async () => {
  const [cause] = (await run(dlqCommand, "causes", "--json")).trim().split("\n");
  const { cause: id, count, sampleJobId } = JSON.parse(cause!) as Record<string, string>;
  expect(count).toBe(3);
  expect(await run(dlqCommand, "list", "--cause", id!)).toContain("archive.down");
  expect(await run(dlqCommand, "explain", sampleJobId!)).toMatch(/advice +change the permission/);
  const dry = await run(dlqCommand, "replay", "--cause", id!, "--dry-run");
  expect(dry).toContain("3 would run again; nothing was changed");
  await expect(run(dlqCommand, "replay", "--cause", id!)).rejects.toThrow("--why");
  isBroken = false;
  const done = await run(dlqCommand, "replay", "--cause", id!, "--why", "archive is back");
  expect(done).toMatch(/3 of 3 run again/);
  expect(await run(dlqCommand, "history")).toContain("archive is back");
  expect(await run(dlqCommand, "causes")).toContain("no dead letters");
});

it("an operator dismisses dead letters with a reason", async () => {
  const order = ["dismiss", "--code", "archive.down", "--why", "noise"];
  expect(await run(dlqCommand, ...order, "--dry-run")).toContain("3 would be dismissed");
  expect(await run(dlqCommand, ...order)).toContain("3 dismissed");
});

it("an operator lists, shows and cancels jobs and prints the workers' figures [OPS-06] [OPS-07] [OPS-08]", async () => {
  const listed = (await run(jobsCommand, "list", "--state", "Poisoned", "--json"))
    .trim()
    .split("\n");
  expect(listed).toHaveLength(3);
  const { jobId } = JSON.parse(listed[0]!) as { jobId: string };
  expect(await run(jobsCommand, "show", jobId)).toMatch(/errorCode +archive.down/);
  expect(await run(jobsCommand, "cancel", jobId, "--dry-run")).toContain(
    "already Poisoned; nothing would change",
  );
  expect(JSON.parse(await run(jobsCommand, "cancel", jobId, "--dry-run", "--json"))).toEqual({
    ...{ dryRun: true, jobId, status: "Poisoned", isCancelled: false },
  });
  await expect(run(jobsCommand, "cancel", jobId)).rejects.toThrow("already finished");
  expect(await run(jobsCommand, "workers")).toMatch(/count +0 +3/);
});

it("the queues of a Service Bus are created from the command line, after a dry run [OPS-13]", async () => {
  const serviceBus = await startServiceBus();
  const order = ["create-queues", "--connection-string", serviceBus.connectionString()];
  expect(await run(jobsCommand, ...order, "--dry-run")).toMatch(
    /documents +create .*nothing was changed/s,
  );
  expect(serviceBus.inspect("documents")).toBeNull();
  await run(jobsCommand, ...order);
  expect(serviceBus.inspect("documents")!.settings.deadLetteringOnMessageExpiration).toBe(true);
  expect(await run(jobsCommand, ...order, "--dry-run")).toMatch(/office-profile +keep/);
  await serviceBus.stop();
});

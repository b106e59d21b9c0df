import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { handle } from "../../src/jobs/handler.ts";
import { failure } from "../../src/jobs/outcome.ts";
import type { Jobs } from "../../src/jobs/service/create-jobs.ts";
import { createLog } from "../../src/lib/log.ts";
import { parseRedisAddress } from "../../src/lib/redis-address.ts";
import { openEngine } from "../helpers/open-engine.ts";
import { startRedis } from "../helpers/redis.ts";
import { useRedisEngine } from "./contract/places.ts";
import { countingHandler, countJob, numbered, range, useWorkshop } from "./contract/workshop.ts";

const under = useRedisEngine();
const shop = useWorkshop(under);
const sweeping = { settings: { graceMs: 200, sweepMs: 100 } };

it("FLUSHALL in the middle of the work loses no job [R36]", async () => {
  const jobs = await shop.open([countingHandler({ batchSize: 5 })], sweeping);
  const redis = new Redis(under.redis.port);
  for (let portion = 0; portion < 10; portion += 1) {
    await shop.add(jobs, countJob, numbered(30, portion * 30));
    if (portion % 3 === 1) await redis.flushall();
  }
  redis.disconnect();
  await expect.poll(() => shop.effects()).toEqual(range(300));
});

it("a Redis that is killed and restarted at any moment loses no job [R36]", async () => {
  let count = 0;
  const addMore = async (jobs: Jobs) => {
    await shop.add(jobs, countJob, numbered(20, count));
    count += 20;
  };
  for (const waitMs of [0, 5, 20, 60]) {
    const jobs = await shop.open([countingHandler({ batchSize: 5 })], sweeping);
    await addMore(jobs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await under.redis.restart();
    await addMore(jobs);
    const expected = range(count);
    await expect.poll(() => shop.effects()).toEqual(expected);
    await jobs.stop();
  }
}, 300_000);

it("jobs that wait in another engine run on this one after a change of settings", async () => {
  const log = createLog({ level: "silent" });
  const before = await shop.open([], {
    engine: openEngine({ kind: "postgres" }, { database: shop.database, log }),
  });
  await shop.add(before, countJob, numbered(30));
  await before.stop();
  await shop.open([countingHandler()], sweeping);
  await expect.poll(() => shop.effects()).toEqual(range(30));
});

it("a Redis that may evict keys is refused at startup, in one sentence [S70]", async () => {
  const small = await startRedis(["--maxmemory", "8mb", "--maxmemory-policy", "allkeys-lru"]);
  const engine = openEngine(
    { kind: "redis", connectionString: small.url },
    { database: shop.database, log: createLog({ level: "silent" }) },
  );
  await expect(engine.start([])).rejects.toMatchObject({
    code: "settings.bad",
    message: expect.stringMatching(/maxmemory-policy allkeys-lru .* noeviction/),
  });
  await engine.stop();
  await small.stop();
});

it("an unreachable Redis is refused at startup, in one sentence", async () => {
  const engine = openEngine(
    { kind: "redis", connectionString: "127.0.0.1:1" },
    { database: shop.database, log: createLog({ level: "silent" }) },
  );
  await expect(engine.start([])).rejects.toThrow("Redis cannot be reached");
  await engine.stop();
});

it("a dead letter is kept by BullMQ as a failed job with its reason [JOB-09]", async () => {
  const jobs = await shop.open([
    handle(countJob, async () => failure("broken", "for good", { retryable: false })),
  ]);
  await shop.add(jobs, countJob, numbered(1));
  await jobs.workUntilIdle();
  const { choice } = shop.place;
  const prefix = choice.kind === "redis" ? choice.prefix! : "";
  const queue = new Queue("documents", { connection: { port: under.redis.port }, prefix });
  await expect
    .poll(async () => (await queue.getFailed())[0]?.failedReason)
    .toBe("broken: for good");
  await queue.close();
});

it.each([
  ["redis://127.0.0.1:7000/3", { host: "127.0.0.1", port: 7000, db: 3 }],
  ["rediss://me:a%2Fb@cache.example", { username: "me", password: "a/b", port: 6379, tls: {} }],
  [
    "cache.example:6380,password=a=b=,ssl=True,abortConnect=False",
    { port: 6380, password: "a=b=", tls: {} },
  ],
  ["localhost", { host: "localhost", port: 6379 }],
])("the address %s is understood", (text, expected) => {
  expect(parseRedisAddress(text)).toMatchObject(expected);
});

it("an invalid address is refused", () => {
  expect(() => parseRedisAddress("what is this?")).toThrow("Redis__ConnectionString");
});

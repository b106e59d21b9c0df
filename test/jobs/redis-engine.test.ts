import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createRedisEngine } from "../../src/jobs/engines/redis.ts";
import { createLog } from "../../src/lib/log.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";
import { testEngine } from "./engine-contract.suite.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

testEngine({
  name: "the Redis engine",
  open: async () =>
    createRedisEngine({
      connectionString: redis.url,
      log: createLog({ level: "warn" }),
      prefix: `t${randomUUID()}`,
    }),
});

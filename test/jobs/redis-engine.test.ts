import { randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import { afterAll, beforeAll } from "vitest";
import { openEngine } from "../../src/jobs/open-engine.ts";
import { createLog } from "../../src/lib/log.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";
import type { EngineUnderTest } from "./contract/workshop.ts";
import { testEngine } from "./engine-contract.suite.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const engine: EngineUnderTest = {
  name: "the Redis engine",
  async place(database) {
    const prefix = `t${randomUUID()}`;
    const choice = { kind: "redis", connectionString: redis.url, prefix } as const;
    const withQueue = async (name: string, work: (queue: Queue) => Promise<unknown>) => {
      const queue = new Queue(name, { connection: { port: redis.port }, prefix });
      await work(queue);
      await queue.close();
    };
    return {
      choice,
      open: async () => openEngine(choice, { database, log: createLog({ level: "silent" }) }),
      sendRaw: (name, body) => withQueue(name, (queue) => queue.add("raw", toData(body))),
      lose: (name) => withQueue(name, (queue) => queue.obliterate({ force: true })),
    };
  },
};

function toData(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

testEngine(engine);

/** The three engines with real servers behind them. */
import { randomUUID } from "node:crypto";
import { ServiceBusClient } from "@azure/service-bus";
import { Queue } from "bullmq";
import { afterAll, beforeAll } from "vitest";
import { QUEUES } from "../../../src/jobs/queues.ts";
import { createLog } from "../../../src/lib/log.ts";
import type { Database } from "../../../src/store/database.ts";
import type { ServiceBusPart } from "../../../tenant/servicebus/service-bus-part.ts";
import type { EngineChoice } from "../../helpers/open-engine.ts";
import { openEngine } from "../../helpers/open-engine.ts";
import { startRedis, type TestRedis } from "../../helpers/redis.ts";
import { declareQueues, startServiceBus } from "../../helpers/service-bus.ts";
import type { EngineUnderTest } from "./workshop.ts";

const opener = (choice: EngineChoice, database: Database) => async () =>
  openEngine(choice, { database, log: createLog({ level: "silent" }) });

export function usePostgresEngine(): EngineUnderTest {
  return {
    name: "the Postgres engine",
    async place(database) {
      const choice = { kind: "postgres", pollMs: 100 } as const;
      const hasBoss = await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'");
      if (hasBoss.rowCount > 0) await database.query("TRUNCATE pgboss.job");
      return {
        choice,
        open: opener(choice, database),
        async sendRaw(queue, body) {
          const data = JSON.stringify(toData(body));
          await database.query("INSERT INTO pgboss.job (name, data) VALUES ($1, $2)", [
            queue,
            data,
          ]);
        },
        async lose() {
          await database.query("TRUNCATE pgboss.job");
        },
      };
    },
  };
}

export function useRedisEngine(): EngineUnderTest & { readonly redis: TestRedis } {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  return {
    name: "the Redis engine",
    get redis() {
      return redis;
    },
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
        open: opener(choice, database),
        sendRaw: (name, body) => withQueue(name, (queue) => queue.add("raw", toData(body))),
        lose: (name) => withQueue(name, (queue) => queue.obliterate({ force: true })),
      };
    },
  };
}

export function useServiceBusEngine(): EngineUnderTest & { readonly serviceBus: ServiceBusPart } {
  let serviceBus: ServiceBusPart;
  let places = 0;
  beforeAll(async () => {
    serviceBus = await startServiceBus();
  });
  afterAll(() => serviceBus.stop());
  return {
    name: "the Service Bus engine",
    get serviceBus() {
      return serviceBus;
    },
    async place(database) {
      const suffix = `-${++places}`;
      declareQueues(serviceBus, suffix);
      const queueNames = Object.fromEntries(QUEUES.map(({ name }) => [name, name + suffix]));
      const connectionString = serviceBus.connectionString();
      const choice = { kind: "service-bus", connectionString, queueNames } as const;
      return {
        choice,
        open: opener(choice, database),
        async sendRaw(queue, body) {
          const client = new ServiceBusClient(connectionString);
          const sender = client.createSender(queue + suffix);
          await sender.sendMessages({ body: Buffer.from(body), contentType: "application/json" });
          await client.close();
        },
        async lose(queue) {
          const client = new ServiceBusClient(connectionString);
          const receiver = client.createReceiver(queue + suffix, {
            receiveMode: "receiveAndDelete",
          });
          while ((await receiver.receiveMessages(100, { maxWaitTimeInMs: 300 })).length > 0);
          await client.close();
        },
      };
    },
  };
}

/** Engines that take JSON only get other text as a string. */
function toData(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

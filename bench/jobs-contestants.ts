/** The same work with only an engine's library, and with our jobs on top of it. */
import { ServiceBusClient } from "@azure/service-bus";
import { Queue, Worker } from "bullmq";
import { PgBoss } from "pg-boss";
import { Registry } from "prom-client";
import * as z from "zod";
import { defineJob } from "../src/jobs/job.ts";
import { createJobs } from "../src/jobs/service/create-jobs.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createLog } from "../src/lib/log.ts";
import { systemRandom } from "../src/lib/random.ts";
import type { Database } from "../src/store/database.ts";
import { type EngineChoice, openEngine } from "../test/helpers/open-engine.ts";

export const BATCH = 200;
export const QUEUE = "documents";

/** Adds jobs and reports each one that a handler has started. */
export interface Contestant {
  add(from: number, count: number): Promise<void>;
  stop(): Promise<void>;
}

export type Begun = (numbers: readonly number[]) => void;

/** Roughly the content of a notification about a message. */
const payloadOf = (n: number) => ({
  n,
  mailbox: "nina.berg@ashdown.example",
  messageId: `AAMkAGI2TG93AAA${n}`,
  change: "created",
});

let runs = 0;

export async function startOurs(
  database: Database,
  choice: EngineChoice,
  begun: Begun,
): Promise<Contestant> {
  const log = createLog({ level: "silent" });
  const run = ++runs;
  const spec = defineJob({
    type: "bench",
    queue: QUEUE,
    payload: z.object({
      n: z.number(),
      mailbox: z.string(),
      messageId: z.string(),
      change: z.string(),
    }),
  });
  const jobs = createJobs({
    database,
    engine: openEngine(choice, { database, log }),
    clock: systemClock,
    random: systemRandom,
    log,
    metrics: new Registry(),
    handlers: [
      {
        spec,
        batchSize: BATCH,
        concurrency: 2,
        process: async (some) => {
          begun(some.map((job) => (job.payload as Payload).n));
          return some.map(() => ({ isSuccess: true as const }));
        },
      },
    ],
  });
  await jobs.start();
  return {
    async add(from, count) {
      const some = Array.from({ length: count }, (_, index) => ({
        subjectId: "nina.berg@ashdown.example",
        idempotencyKey: `bench-${run}-${from + index}`,
        payload: payloadOf(from + index),
      }));
      await database.transaction((tx) => jobs.queue.add(tx, spec, some));
    },
    async stop() {
      await jobs.workUntilIdle();
      await jobs.stop();
    },
  };
}

interface Payload {
  readonly n: number;
}

export async function startBarePostgres(url: string, begun: Begun): Promise<Contestant> {
  const boss = new PgBoss({ connectionString: url, schema: "bare", schedule: false });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue(QUEUE, { retryLimit: 3 });
  let isStopped = false;
  const work = async (): Promise<void> => {
    while (!isStopped) {
      const some = await boss.fetch<Payload>(QUEUE, { batchSize: BATCH });
      if (some.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 2));
        continue;
      }
      begun(some.map((job) => job.data.n));
      const ids = some.map((job) => job.id);
      await boss.complete(QUEUE, ids);
    }
  };
  const working = [work(), work()];
  return {
    async add(from, count) {
      const some = Array.from({ length: count }, (_, i) => ({ data: payloadOf(from + i) }));
      await boss.insert(QUEUE, some, { returnId: false });
    },
    async stop() {
      isStopped = true;
      await Promise.all(working);
      await boss.stop({ graceful: false });
    },
  };
}

export async function startBareRedis(port: number, begun: Begun): Promise<Contestant> {
  const prefix = `bare${++runs}`;
  const queue = new Queue(QUEUE, { connection: { port }, prefix });
  const worker = new Worker<Payload>(
    QUEUE,
    async (job) => {
      begun([job.data.n]);
    },
    {
      connection: { port, maxRetriesPerRequest: null },
      prefix,
      concurrency: 2 * BATCH,
      removeOnComplete: { count: 0 },
    },
  );
  await worker.waitUntilReady();
  return {
    async add(from, count) {
      const numbers = Array.from({ length: count }, (_, index) => from + index);
      await queue.addBulk(numbers.map((n) => ({ name: "bench", data: payloadOf(n) })));
    },
    async stop() {
      await worker.close();
      await queue.close();
    },
  };
}

export async function startBareServiceBus(address: string, begun: Begun): Promise<Contestant> {
  const client = new ServiceBusClient(address);
  const sender = client.createSender("analysis");
  const receiver = client.createReceiver("analysis");
  const subscription = receiver.subscribe(
    {
      processMessage: async (message) => {
        begun([(message.body as Payload).n]);
        await receiver.completeMessage(message);
      },
      processError: async () => {},
    },
    { autoCompleteMessages: false, maxConcurrentCalls: 2 * BATCH },
  );
  return {
    async add(from, count) {
      const numbers = Array.from({ length: count }, (_, index) => from + index);
      await sender.sendMessages(numbers.map((n) => ({ body: payloadOf(n), messageId: `${n}` })));
    },
    async stop() {
      await subscription.close();
      await client.close();
    },
  };
}

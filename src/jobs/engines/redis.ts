/**
 * BullMQ on Redis or Valkey. Messages come from the outbox and carry the envelope. BullMQ keeps what is
 * not due, limits how many are out at once, gives out again what a dead worker held, and keeps dead
 * letters as failed jobs. Whatever Redis loses, the sweeper sends again.
 */
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { Consumer, JobEngine } from "../engine.ts";
import { settleBundles, toBundles } from "./bundle.ts";
import { groupByQueue } from "./group-by-queue.ts";
import { parseRedisAddress } from "./redis-address.ts";
import { endMessage, type OutMessage, toBullJob, toDeliveries } from "./redis-message.ts";

export interface RedisEngineOptions {
  /** `redis://…`, `rediss://…`, or the form of Azure: `host:6380,password=…,ssl=True`. */
  readonly connectionString: string;
  readonly log: Log;
  /** Separates several installations on one server. */
  readonly prefix?: string;
}

const LOCK_MS = 60_000;
const COMMAND_TIMEOUT_MS = 10_000;
const STALLED_MAX = 1_000;
const DEAD_KEEP = { age: 14 * 24 * 60 * 60, count: 100_000 };

export function createRedisEngine(options: RedisEngineOptions): JobEngine {
  const { log } = options;
  const prefix = options.prefix ?? "postroom";
  const address = parseRedisAddress(options.connectionString);
  // Those who add get an error soon; those who wait for messages wait for ever.
  const adding = new Redis({
    ...address,
    lazyConnect: true,
    maxRetriesPerRequest: 2,
    connectTimeout: 5_000,
    commandTimeout: COMMAND_TIMEOUT_MS,
  });
  const taking = new Redis({ ...address, lazyConnect: true, maxRetriesPerRequest: null });
  for (const connection of [adding, taking]) {
    connection.on("error", (error) => log.warn({ err: error }, "Redis reports an error"));
  }
  const queues = new Map<string, Queue>();
  const workers: Worker[] = [];

  const queueOf = (name: string): Queue => {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name, { connection: adding, prefix, skipVersionCheck: true });
    queue.on("error", (error) => log.warn({ err: error, queue: name }, "BullMQ reports an error"));
    queues.set(name, queue);
    return queue;
  };

  return {
    name: "redis",
    isTransactional: false,

    async start() {
      await connectAndCheck(adding);
    },

    async send(messages) {
      for (const [name, ofQueue] of groupByQueue(messages)) {
        await queueOf(name).addBulk(toBundles(ofQueue).map(toBullJob));
      }
    },

    consume(name, limit, deliver) {
      const worker = new Worker<unknown>(
        name,
        (job, token) =>
          new Promise((resolve, reject) => {
            const out: OutMessage = { job, token, resolve, reject, queue: queueOf(name) };
            const deliveries = toDeliveries(name, out);
            // The limit is one of jobs, BullMQ's one of messages.
            worker.concurrency = Math.max(1, Math.ceil(limit / deliveries.length));
            deliver(deliveries);
          }),
        {
          connection: taking,
          prefix,
          concurrency: limit,
          lockDuration: LOCK_MS,
          maxStalledCount: STALLED_MAX,
          removeOnComplete: { count: 0 },
          removeOnFail: DEAD_KEEP,
          skipVersionCheck: true,
        },
      );
      worker.on("error", (error) =>
        log.warn({ err: error, queue: name }, "BullMQ reports an error"),
      );
      workers.push(worker);
      return toConsumer(worker);
    },

    async settle(deliveries, how) {
      await Promise.all(settleBundles(deliveries, how).map((bundle) => endMessage(bundle)));
    },

    async depth(name) {
      const counts = await queueOf(name).getJobCounts("waiting", "prioritized");
      return (counts["waiting"] ?? 0) + (counts["prioritized"] ?? 0);
    },

    async stop() {
      await Promise.all(workers.map((worker) => worker.close(true)));
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      for (const connection of [adding, taking]) connection.disconnect();
    },
  };
}

function toConsumer(worker: Worker): Consumer {
  return {
    // BullMQ waits for messages with a blocking call, so there is nothing to wake.
    wake() {},
    stop: () => worker.pause(true),
  };
}

async function connectAndCheck(connection: Redis): Promise<void> {
  let memory: string;
  try {
    await connection.connect();
    memory = await connection.info("memory");
  } catch (error) {
    throw new Fault(
      "settings.bad",
      "Redis cannot be reached at the address in Redis__ConnectionString",
      {
        cause: error,
      },
    );
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  if (policy === undefined || policy === "noeviction") return;
  throw new Fault(
    "settings.bad",
    `Redis runs with maxmemory-policy ${policy} and would drop jobs; set it to noeviction`,
  );
}

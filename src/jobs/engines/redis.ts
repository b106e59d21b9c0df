/**
 * BullMQ on Redis or Valkey. Messages come from the outbox and carry the envelope. BullMQ delays messages
 * until they are due, limits how many are handed out at once, hands those of a dead worker out again, and
 * keeps dead letters as failed jobs. The sweep sends again what Redis loses.
 */
import { type Job as BullJob, Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import { parseRedisAddress } from "../../lib/redis-address.ts";
import type { Consumer, JobEngine } from "../engine.ts";
import { settleBundles, toBundles } from "./bundle.ts";
import { groupByQueue } from "./group-by-queue.ts";
import { endMessage, type OutMessage, toBullJob, toTickets } from "./redis-message.ts";

export interface RedisEngineOptions {
  /** `redis://…`, `rediss://…`, or Azure's form: `host:6380,password=…,ssl=True`. */
  readonly connectionString: string;
  readonly log: Log;
  /** Keeps several installations on one server apart. */
  readonly prefix?: string;
}

const LOCK_MS = 60_000;
const COMMAND_TIMEOUT_MS = 10_000;
const RELAUNCH_MS = 500;
/** BullMQ's `force` when a worker is paused or closed. */
const WITHOUT_WAITING = true;

const WORKER_OPTIONS = {
  autorun: false,
  runRetryDelay: RELAUNCH_MS,
  lockDuration: LOCK_MS,
  maxStalledCount: 1_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { age: 14 * 24 * 60 * 60, count: 100_000 },
  skipVersionCheck: true,
};

export function createRedisEngine(options: RedisEngineOptions): JobEngine {
  const { log } = options;
  const prefix = options.prefix ?? "postroom";
  const address = parseRedisAddress(options.connectionString);
  // Adding a message fails quickly; waiting for messages never times out.
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
  const consumers: SupervisedWorker[] = [];
  const onError = (error: unknown) => log.warn({ err: error }, "BullMQ reports an error");

  const queueOf = (name: string): Queue => {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name, { connection: adding, prefix, skipVersionCheck: true });
    queue.on("error", onError);
    queues.set(name, queue);
    return queue;
  };
  /** A queue whose setup failed keeps failing, so the next call creates another one. */
  const withQueue = async <T>(name: string, work: (queue: Queue) => Promise<T>): Promise<T> => {
    try {
      return await work(queueOf(name));
    } catch (error) {
      queues.delete(name);
      throw error;
    }
  };

  return {
    name: "redis",
    isTransactional: false,

    async start() {
      await connectAndCheck(adding);
    },

    async send(messages) {
      for (const [name, ofQueue] of groupByQueue(messages)) {
        await withQueue(name, (queue) => queue.addBulk(toBundles(ofQueue).map(toBullJob)));
      }
    },

    consume(name, limit, onTickets) {
      const consumer = superviseWorker(log, (setConcurrency) => {
        const options = { ...WORKER_OPTIONS, connection: taking, prefix, concurrency: limit };
        const take = (job: BullJob<unknown>, token?: string) =>
          new Promise<null>((resolve, reject) => {
            const out: OutMessage = { job, token, resolve, reject, queue: queueOf(name) };
            const tickets = toTickets(name, out);
            // Our limit counts jobs, BullMQ counts messages.
            setConcurrency(Math.max(1, Math.ceil(limit / tickets.length)));
            onTickets(tickets);
          });
        const worker = new Worker<unknown>(name, take, options);
        worker.on("error", onError);
        return worker;
      });
      consumers.push(consumer);
      return consumer;
    },

    async settle(tickets, how) {
      await Promise.all(settleBundles(tickets, how).map((bundle) => endMessage(bundle)));
    },

    async depth(name) {
      const counts = await withQueue(name, (queue) => queue.getJobCounts("waiting", "prioritized"));
      return (counts["waiting"] ?? 0) + (counts["prioritized"] ?? 0);
    },

    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(onError)));
      for (const connection of [adding, taking]) connection.disconnect();
    },
  };
}

interface SupervisedWorker extends Consumer {
  close(): Promise<void>;
}

/** Replaces a worker that ended because Redis was lost. */
function superviseWorker(
  log: Log,
  create: (setConcurrency: (count: number) => void) => Worker<unknown>,
): SupervisedWorker {
  let isStopped = false;
  let worker: Worker<unknown>;
  const launch = (): void => {
    const launched = create((count) => {
      launched.concurrency = count;
    });
    worker = launched;
    // BullMQ does not repair connections that failed at startup, so wait for them first.
    const running = launched.waitUntilReady().then(() => launched.run());
    running.catch(async (error: unknown) => {
      if (isStopped) return;
      log.warn({ err: error }, "a worker ended because Redis was lost; starting another");
      // Closing may fail for a connection that never opened.
      await launched.close(WITHOUT_WAITING).catch(() => {});
      await systemClock.sleep(RELAUNCH_MS);
      if (!isStopped) launch();
    });
  };
  launch();
  return {
    // BullMQ waits for messages with a blocking call, so there is nothing to wake.
    wake() {},
    async stop() {
      isStopped = true;
      await worker.pause(WITHOUT_WAITING);
    },
    async close() {
      isStopped = true;
      await worker.close(WITHOUT_WAITING).catch(() => {}); // the connection is closed next in any case
    },
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

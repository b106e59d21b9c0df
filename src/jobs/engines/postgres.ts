/**
 * pg-boss in the same database: a job and its message are added in one transaction. A message holds
 * nothing but the job's id. pg-boss keeps what is not due, hands out under SKIP LOCKED, and gives out
 * again what was taken and never settled.
 */
import { PgBoss } from "pg-boss";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Database, Queryable } from "../../store/database.ts";
import type { Consumer, Delivery, EngineMessage, JobEngine } from "../engine.ts";
import { isUuid } from "../job-id.ts";
import { groupByQueue } from "./group-by-queue.ts";

export interface PostgresEngineOptions {
  readonly database: Database;
  readonly log: Log;
  /** How long an idle queue sleeps when nobody wakes it. */
  readonly pollMs?: number;
  /** Messages fetched at once. */
  readonly fetchMax?: number;
}

// Far beyond the lease: our own reaper is quicker, this is the second net.
const EXPIRE_SECONDS = 20 * 60;
const RETRY_MAX = 1_000;
const SINGLY_MAX = 16;
const KEEP_SECONDS = 365 * 24 * 60 * 60;

export function createPostgresEngine(options: PostgresEngineOptions): JobEngine {
  const { database, log } = options;
  const boss = new PgBoss({ db: toBossDatabase(database), schema: "pgboss", schedule: false });
  boss.on("error", (error) => log.warn({ err: error }, "pg-boss reports an error"));

  const known = new Set<string>();
  const ensureQueue = async (queue: string): Promise<void> => {
    if (known.has(queue)) return;
    await boss.createQueue(queue, {
      expireInSeconds: EXPIRE_SECONDS,
      retryLimit: RETRY_MAX,
      retryDelay: 0,
      retentionSeconds: KEEP_SECONDS,
    });
    known.add(queue);
  };

  return {
    name: "postgres",
    isTransactional: true,

    async start(queues) {
      await boss.start();
      for (const queue of queues) await ensureQueue(queue);
    },

    async send(messages, tx) {
      const db = toBossDatabase(tx ?? database);
      for (const [queue, ofQueue] of groupByQueue(messages)) {
        await ensureQueue(queue);
        await boss.insert(queue, ofQueue.map(toBossJob), { db, returnId: false });
      }
    },

    consume: (queue, limit, deliver) => consumeQueue(boss, options, { queue, limit, deliver }),

    async settle(deliveries, how) {
      const [first] = deliveries;
      if (first === undefined) return;
      const handles = deliveries.map((delivery) => delivery.handle as Handle);
      const ids = handles.map((handle) => handle.id);
      try {
        // Dead letters are kept as jobs in the same database, so their message has served.
        if (how.kind === "release") await boss.fail(first.queue, ids, { released: true });
        else await boss.deleteJob(first.queue, ids);
      } finally {
        for (const handle of handles) handle.onSettled();
      }
    },

    async depth(queue) {
      const { rows } = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM (SELECT 1 FROM pgboss.job WHERE name = $1
           AND state < 'active' AND start_after <= now() LIMIT 1000) waiting`,
        [queue],
      );
      return rows[0]?.count ?? 0;
    },

    stop: () => boss.stop({ close: false, graceful: false }),
  };
}

interface MessageData {
  readonly id: string;
  readonly type: string;
}

interface Handle {
  readonly id: string;
  onSettled(): void;
}

function consumeQueue(
  boss: PgBoss,
  options: PostgresEngineOptions,
  wanted: { queue: string; limit: number; deliver: (deliveries: Delivery[]) => void },
): Consumer {
  const pollMs = options.pollMs ?? 1_000;
  const fetchMax = options.fetchMax ?? 500;
  let isStopped = false;
  let wake = new AbortController();
  let unsettled = 0;
  // Half empty before more is fetched, or each would be fetched by itself; few are worth that.
  const highWater = wanted.limit > SINGLY_MAX ? wanted.limit / 2 : wanted.limit - 1;
  const onSettled = () => {
    unsettled -= 1;
    if (unsettled <= highWater) wake.abort();
  };

  const fetchSome = async (): Promise<number> => {
    const batchSize = Math.min(fetchMax, wanted.limit - unsettled);
    const jobs = await boss.fetch<MessageData>(wanted.queue, { batchSize });
    if (jobs.length > 0) {
      unsettled += jobs.length;
      wanted.deliver(jobs.map((job) => toDelivery(wanted.queue, job, onSettled)));
    }
    return batchSize - jobs.length;
  };

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      wake = new AbortController();
      const isFull = unsettled > highWater;
      const left = isFull
        ? 1
        : await fetchSome().catch((error: unknown) => {
            options.log.warn({ err: error, queue: wanted.queue }, "jobs could not be fetched");
            return 1;
          });
      if (left > 0 && !isStopped) await systemClock.sleep(pollMs, wake.signal);
    }
  };
  const running = loop();
  return {
    wake: () => wake.abort(),
    stop: async () => {
      isStopped = true;
      wake.abort();
      await running;
    },
  };
}

function toDelivery(
  queue: string,
  job: { id: string; data: MessageData | null },
  onSettled: () => void,
): Delivery {
  const handle: Handle = { id: job.id, onSettled };
  const jobId = job.data?.id;
  if (isUuid(jobId)) return { queue, jobId, type: job.data!.type, foreign: null, handle };
  const body = JSON.stringify(job.data);
  const sizeBytes = Buffer.byteLength(body);
  return {
    queue,
    jobId: null,
    type: null,
    foreign: { messageId: job.id, body, sizeBytes },
    handle,
  };
}

function toBossJob(message: EngineMessage): { data: object; startAfter?: string } {
  const data: MessageData = { id: message.jobId, type: message.type };
  return message.delayMs > 0
    ? { data, startAfter: `${Math.ceil(message.delayMs)} milliseconds` }
    : { data };
}

const toBossDatabase = (on: Queryable) => ({
  executeSql: (text: string, values?: unknown[]) => on.query(text, values ?? []),
});

/**
 * pg-boss in the same database: a job and its message are added in one transaction. A message holds only job
 * ids. pg-boss delays messages until they are due, hands them out under SKIP LOCKED, and hands them out again
 * if they are not settled.
 */
import { PgBoss } from "pg-boss";
import type { Log } from "../../lib/log.ts";
import { type Database, openDatabase, type Queryable } from "../../store/database.ts";
import type { EngineMessage, JobEngine } from "../engine.ts";
import { type Bundle, settleBundles, toBundles } from "./bundle.ts";
import { groupByQueue } from "./group-by-queue.ts";
import { countWaiting } from "./pgboss-table.ts";
import { consumeQueue } from "./postgres-consumer.ts";

export interface PostgresEngineOptions {
  readonly database: Database;
  readonly log: Log;
  /** How often an idle queue is polled. */
  readonly pollMs?: number;
}

// Much longer than a lease: our own sweep is faster, and this is only the second safety net.
const EXPIRE_SECONDS = 20 * 60;
const RETRY_MAX = 1_000;
const KEEP_SECONDS = 365 * 24 * 60 * 60;

export function createPostgresEngine(options: PostgresEngineOptions): JobEngine {
  const { database, log } = options;
  const softDatabase = openSoftly(database.url);
  const boss = new PgBoss({ db: toBossDatabase(softDatabase), schema: "pgboss", schedule: false });
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
  const insert = async (queue: string, messages: readonly BossMessage[], on: Queryable) => {
    await ensureQueue(queue);
    const jobs = messages.map(({ type, ids, delayMs }) => ({
      data: { type, ids },
      ...(delayMs > 0 ? { startAfter: `${Math.ceil(delayMs)} milliseconds` } : {}),
    }));
    await boss.insert(queue, jobs, { db: toBossDatabase(on), returnId: false });
  };

  return {
    name: "postgres",
    isTransactional: true,

    async start(queues) {
      await boss.start();
      for (const queue of queues) await ensureQueue(queue);
    },

    async send(messages, tx) {
      for (const [queue, ofQueue] of groupByQueue(messages)) {
        await insert(queue, toBundles(ofQueue).map(toBossMessage), tx ?? database);
      }
    },

    consume: (queue, limit, onTickets) =>
      consumeQueue({ boss, log, queue, limit, onTickets, pollMs: options.pollMs ?? 1_000 }),

    async settle(tickets, how) {
      const [first] = tickets;
      if (first === undefined) return;
      // Dead letters are jobs in the same database, so their message is no longer needed.
      const finished = settleBundles(tickets, how);
      const isWhole = (bundle: Bundle) => bundle.released.includes(null);
      const releasedJobs = finished
        .filter((bundle) => bundle.released.length > 0 && !isWhole(bundle))
        .map(({ type, released }) => ({ type, ids: released as string[], delayMs: 0 }));
      if (releasedJobs.length > 0) await insert(first.queue, releasedJobs, database);
      const returnedIds = finished.filter(isWhole).map((bundle) => bundle.messageId);
      if (returnedIds.length > 0) await boss.fail(first.queue, returnedIds, { released: true });
      const doneIds = finished
        .filter((bundle) => !isWhole(bundle))
        .map((bundle) => bundle.messageId);
      if (doneIds.length > 0) await boss.deleteJob(first.queue, doneIds);
    },

    depth: (queue) => countWaiting(database, queue),

    async stop() {
      await boss.stop({ close: false, graceful: false });
      await softDatabase.close();
    },
  };
}

interface BossMessage {
  readonly type: string;
  readonly ids: readonly string[];
  readonly delayMs: number;
}

const toBossMessage = (bundle: readonly EngineMessage[]): BossMessage => ({
  type: bundle[0]!.type,
  ids: bundle.map((message) => message.jobId),
  delayMs: bundle[0]!.delayMs,
});

/**
 * Connections whose commits do not wait for the disk, for fetching and removing messages: if a crash of the
 * database undoes such a commit, the message is handed out again, and the jobs show what was done. Messages
 * are sent over the caller's own transaction and are as durable as that.
 */
function openSoftly(url: string): Database {
  const address = new URL(url);
  address.searchParams.set("options", "-c synchronous_commit=off");
  return openDatabase({ url: address.href, connections: 4, applicationName: "postroom pg-boss" });
}

const toBossDatabase = (on: Queryable) => ({
  executeSql: (text: string, values?: unknown[]) => on.query(text, values ?? []),
});

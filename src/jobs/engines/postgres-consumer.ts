/** Fetches messages of one queue while there is room for their jobs, and sleeps until woken. */
import type { PgBoss } from "pg-boss";
import { isUuid } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import { createBell } from "../bell.ts";
import type { Consumer, Ticket } from "../engine.ts";
import { createBundle } from "./bundle.ts";

/** A limit up to this is refilled one by one; a larger one when half of it is done. */
const SINGLY_MAX = 16;
const FETCH_MAX = 500;
/** A first guess at how many jobs a message holds; later the last fetch shows it. */
const BUNDLE_GUESS = 100;

export function consumeQueue(options: {
  boss: PgBoss;
  log: Log;
  queue: string;
  limit: number;
  pollMs: number;
  onTickets: (tickets: Ticket[]) => void;
}): Consumer {
  const { boss, queue, limit } = options;
  const highWater = limit > SINGLY_MAX ? limit / 2 : limit - 1;
  let isStopped = false;
  const bell = createBell();
  let unsettled = 0;
  let jobsPerMessage = BUNDLE_GUESS;
  const onSettled = () => {
    unsettled -= 1;
    if (unsettled <= highWater) bell.ring();
  };

  /** Returns true if more messages may be waiting. */
  const fetchBatch = async (): Promise<boolean> => {
    const room = Math.floor((limit - unsettled) / jobsPerMessage);
    const batchSize = Math.min(FETCH_MAX, Math.max(1, room));
    const messages = await boss.fetch<unknown>(queue, { batchSize });
    const tickets = messages.flatMap((message) => toTickets(queue, message, onSettled));
    if (messages.length > 0) {
      jobsPerMessage = Math.max(1, Math.ceil(tickets.length / messages.length));
      unsettled += tickets.length;
      options.onTickets(tickets);
    }
    return messages.length === batchSize;
  };

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const hasMore =
        unsettled <= highWater &&
        (await fetchBatch().catch((error: unknown) => {
          options.log.warn({ err: error, queue }, "jobs could not be fetched");
          return false;
        }));
      if (!hasMore && !isStopped) await bell.sleep(options.pollMs);
    }
  };
  const running = loop();
  return {
    wake: bell.ring,
    stop: async () => {
      isStopped = true;
      bell.ring();
      await running;
    },
  };
}

function toTickets(
  queue: string,
  message: { id: string; data: unknown },
  onSettled: () => void,
): Ticket[] {
  const { type, ids } = (message.data ?? {}) as { type?: unknown; ids?: unknown };
  const isOurs = typeof type === "string" && Array.isArray(ids) && ids.every(isUuid);
  const jobIds: (string | null)[] = isOurs && ids.length > 0 ? ids : [null];
  const handle = createBundle({
    messageId: message.id,
    type: isOurs ? type : "",
    left: jobIds.length,
    onSettled,
  });
  if (jobIds[0] !== null) {
    return jobIds.map((jobId) => ({ queue, jobId, type: handle.type, foreign: null, handle }));
  }
  const body = JSON.stringify(message.data);
  const foreign = { messageId: message.id, body, sizeBytes: Buffer.byteLength(body) };
  return [{ queue, jobId: null, type: null, foreign, handle }];
}

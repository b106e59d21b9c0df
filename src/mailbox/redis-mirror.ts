/**
 * Cursors and folder names where other programs of the house look for them. The database stays the only
 * record: nothing is read back, and a Redis that is away costs a log line.
 */
import { Redis } from "ioredis";
import { parseRedisAddress } from "../jobs/engines/redis-address.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Mirror } from "./mirror.ts";

const COMPLAIN_EVERY_MS = 60_000;
/** After a failure we do not wait for Redis again for this long. */
const LEFT_ALONE_MS = 30_000;
const COMMAND_MS = 1_000;

export function openRedisMirror(needs: {
  address: string;
  clock: Clock;
  log: Log;
}): Mirror & { close(): Promise<void> } {
  const redis = new Redis({
    ...parseRedisAddress(needs.address),
    commandTimeout: COMMAND_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: true,
  });
  let complainedMs = Number.NEGATIVE_INFINITY;
  const complain = (error: unknown): void => {
    if (needs.clock.now() - complainedMs < COMPLAIN_EVERY_MS) return;
    complainedMs = needs.clock.now();
    needs.log.warn({ err: error }, "Redis does not take the copy of cursors and folder names");
  };
  redis.on("error", complain);
  let failedMs = Number.NEGATIVE_INFINITY;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    if (needs.clock.now() - failedMs < LEFT_ALONE_MS) return;
    await work().catch((error: unknown) => {
      failedMs = needs.clock.now();
      complain(error);
    });
  };

  return {
    cursor: (mailbox, folderId, link) =>
      attempt(() =>
        link === null
          ? redis.del(`delta:${mailbox}:${folderId}`)
          : redis.set(`delta:${mailbox}:${folderId}`, link),
      ),
    folders: (mailbox, names) =>
      attempt(async () => {
        const key = `folders:${mailbox}`;
        const steps = redis.multi().del(key);
        if (names.size > 0) steps.hset(key, Object.fromEntries(names));
        await steps.exec();
      }),
    close: async () => redis.disconnect(),
  };
}

import { Redis } from "ioredis";
import { parseRedisAddress } from "../jobs/engines/redis-address.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { NavCache } from "./navmap.ts";

const ENTRIES_MAX = 10_000;

/** For one process; the names are few. */
export function createMemoryCache(clock: Clock): NavCache {
  const entries = new Map<string, { value: string; untilMs: number }>();
  return {
    async get(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.untilMs > clock.now() ? entry.value : null;
    },
    async set(key, value, forMs) {
      if (entries.size >= ENTRIES_MAX) entries.clear();
      entries.set(key, { value, untilMs: clock.now() + forMs });
    },
  };
}

const COMMAND_MS = 500;
/** After a failure Redis is not asked again for this long. */
const LEFT_ALONE_MS = 10_000;

/** Shared by all processes under the names that operators know; `DEL {key}` forces a fresh question. */
export function openRedisCache(needs: {
  address: string;
  clock: Clock;
  log: Log;
}): NavCache & { close(): Promise<void> } {
  const redis = new Redis({
    ...parseRedisAddress(needs.address),
    commandTimeout: COMMAND_MS,
    maxRetriesPerRequest: 0,
    // A connection is made in a moment; whoever asks before that waits no longer than for an answer.
    enableOfflineQueue: true,
  });
  redis.on("error", () => {}); // said below, where something was wanted
  let failedMs = Number.NEGATIVE_INFINITY;
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (needs.clock.now() - failedMs < LEFT_ALONE_MS) return null;
    try {
      return await work();
    } catch (error) {
      failedMs = needs.clock.now();
      needs.log.warn({ err: error }, "Redis does not answer; Dataverse is asked instead");
      return null;
    }
  };
  return {
    get: (key) => attempt(() => redis.get(key)),
    async set(key, value, forMs) {
      await attempt(() => redis.set(key, value, "PX", forMs));
    },
    close: async () => redis.disconnect(),
  };
}

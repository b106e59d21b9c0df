import type { Clock } from "../../lib/clock.ts";
import { type OptionalRedisNeeds, openOptionalRedis } from "../../lib/optional-redis.ts";
import type { NavCache } from "./navmap.ts";

const ENTRIES_MAX = 10_000;

/** A cache for one process; there are few names. */
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

const REDIS_OPTIONS = {
  commandMs: 500,
  restMs: 10_000,
  complaint: "Redis does not answer; Dataverse is asked instead",
};

/** Shared by all processes under the names that operators know; `DEL {key}` forces a new request. */
export function openRedisCache(needs: OptionalRedisNeeds): NavCache & { close(): Promise<void> } {
  const { attempt, close } = openOptionalRedis(needs, REDIS_OPTIONS);
  return {
    get: (key) => attempt((redis) => redis.get(key)),
    async set(key, value, forMs) {
      await attempt((redis) => redis.set(key, value, "PX", forMs));
    },
    close,
  };
}

/**
 * Copies delta links and folder names to Redis for other programs. The database stays the only record:
 * nothing is read back, and an outage of Redis costs only a log line.
 */
import { type OptionalRedisNeeds, openOptionalRedis } from "../lib/optional-redis.ts";
import type { Mirror } from "./mirror.ts";

const OPTIONS = {
  commandMs: 1_000,
  restMs: 30_000,
  complaint: "Redis does not accept the copy of cursors and folder names",
};

export function openRedisMirror(needs: OptionalRedisNeeds): Mirror & { close(): Promise<void> } {
  const { attempt, close } = openOptionalRedis(needs, OPTIONS);
  return {
    async cursor(mailbox, folderId, link) {
      const key = `delta:${mailbox}:${folderId}`;
      await attempt<unknown>((redis) => (link === null ? redis.del(key) : redis.set(key, link)));
    },
    async folders(mailbox, names) {
      await attempt((redis) => {
        const key = `folders:${mailbox}`;
        const steps = redis.multi().del(key);
        if (names.size > 0) steps.hset(key, Object.fromEntries(names));
        return steps.exec();
      });
    },
    close,
  };
}

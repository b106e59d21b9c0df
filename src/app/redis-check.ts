import type { Config } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { openOptionalRedis } from "../lib/optional-redis.ts";
import type { CheckOutcome, FurtherCheck } from "../mailbox/operating/diagnose.ts";

/** Checks Redis with a new connection, because the parts that use it continue without it and would not report an outage. */
export function redisChecks(base: {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}): FurtherCheck[] {
  const address = base.config.redisUrl?.reveal();
  return address === undefined
    ? []
    : [{ name: "Redis", check: () => checkRedis({ ...base, address }) }];
}

async function checkRedis(needs: {
  readonly address: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<CheckOutcome> {
  const complaint = "the doctor cannot reach Redis";
  const redis = openOptionalRedis(needs, { commandMs: 2_000, restMs: 0, complaint });
  try {
    const isThere = (await redis.attempt((connection) => connection.ping())) !== null;
    if (isThere) return { status: "ok", detail: "answers" };
    return {
      status: "failed",
      detail: "it does not answer; jobs wait in the database, and other programs see no mirror",
      fix: "start it, or correct Redis__ConnectionString",
    };
  } finally {
    await redis.close();
  }
}

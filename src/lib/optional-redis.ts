/**
 * A Redis that we can do without. Nothing waits long for it, and after a failure it is not used for a while,
 * so that an unhealthy Redis slows nothing down.
 */
import type { Redis } from "ioredis";
import type { Clock } from "./clock.ts";
import { loadDriver } from "./load-driver.ts";
import type { Log } from "./log.ts";
import { parseRedisAddress } from "./redis-address.ts";

export interface OptionalRedis {
  /** Null if Redis failed, or is not being used after a failure. */
  attempt<T>(work: (redis: Redis) => Promise<T>): Promise<T | null>;
  close(): Promise<void>;
}

export interface OptionalRedisNeeds {
  readonly address: string;
  readonly clock: Clock;
  readonly log: Log;
}

const COMPLAIN_EVERY_MS = 60_000;

export function openOptionalRedis(
  needs: OptionalRedisNeeds,
  options: {
    readonly commandMs: number;
    /** How long Redis is not used after a failure. */
    readonly restMs: number;
    /** The log message about a failure: what is lost, or what is done instead. */
    readonly complaint: string;
  },
): OptionalRedis {
  const { clock, log } = needs;
  let complainedMs = Number.NEGATIVE_INFINITY;
  const complain = (error: unknown): void => {
    if (clock.now() - complainedMs < COMPLAIN_EVERY_MS) return;
    complainedMs = clock.now();
    log.warn({ err: error }, options.complaint);
  };
  const redis = connect(needs.address, options.commandMs).then((connection) =>
    connection.on("error", complain),
  );
  redis.catch(() => {}); // the caller that uses it gets the error
  let failedMs = Number.NEGATIVE_INFINITY;

  return {
    async attempt(work) {
      if (clock.now() - failedMs < options.restMs) return null;
      try {
        return await work(await redis);
      } catch (error) {
        failedMs = clock.now();
        complain(error);
        return null;
      }
    },
    close: () =>
      redis.then(
        (connection) => connection.disconnect(),
        () => {}, // its failure is in the log
      ),
  };
}

async function connect(address: string, commandMs: number): Promise<Redis> {
  const { Redis: Connection } = await loadDriver(
    "Redis__ConnectionString",
    ["ioredis"],
    () => import("ioredis"),
  );
  return new Connection({
    ...parseRedisAddress(address),
    commandTimeout: commandMs,
    maxRetriesPerRequest: 0,
    // A command sent before the connection is open waits for it, but no longer than for a response.
    enableOfflineQueue: true,
  });
}

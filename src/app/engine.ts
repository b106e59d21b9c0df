import type { Config } from "../config.ts";
import type { JobEngine } from "../jobs/engine.ts";
import { openServiceBusAddress } from "../jobs/engines/service-bus-address.ts";
import { loadDriver } from "../lib/load-driver.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";

/** Creates the engine that the settings name; only its library is loaded. */
export async function createEngine(
  config: Config,
  database: Database,
  log: Log,
): Promise<JobEngine> {
  if (config.jobEngine === "service-bus") {
    const { createServiceBusEngine } = await loadDriver(
      "ServiceBus__ConnectionString",
      ["@azure/service-bus"],
      () => import("../jobs/engines/service-bus.ts"),
    );
    return createServiceBusEngine({
      ...(await openServiceBusAddress(config.serviceBus!.reveal(), config.authorityOrigin)),
      log,
      queueNames: config.serviceBusQueues,
    });
  }
  if (config.jobEngine === "redis") {
    const { createRedisEngine } = await loadDriver(
      "Redis__ConnectionString",
      ["bullmq", "ioredis"],
      () => import("../jobs/engines/redis.ts"),
    );
    return createRedisEngine({ connectionString: config.redisUrl!.reveal(), log });
  }
  const { createPostgresEngine } = await import("../jobs/engines/postgres.ts");
  return createPostgresEngine({ database, log });
}

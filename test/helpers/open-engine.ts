/** Opens an engine by its name and address, which a test can pass to another process. */

import type { JobEngine } from "../../src/jobs/engine.ts";
import { createPostgresEngine } from "../../src/jobs/engines/postgres.ts";
import { createRedisEngine } from "../../src/jobs/engines/redis.ts";
import { createServiceBusEngine } from "../../src/jobs/engines/service-bus.ts";
import type { Log } from "../../src/lib/log.ts";
import type { Database } from "../../src/store/database.ts";

export type EngineChoice =
  | { readonly kind: "postgres"; readonly pollMs?: number }
  | { readonly kind: "redis"; readonly connectionString: string; readonly prefix?: string }
  | {
      readonly kind: "service-bus";
      readonly connectionString: string;
      readonly queueNames?: Readonly<Record<string, string>>;
    };

export function openEngine(
  choice: EngineChoice,
  needs: { database: Database; log: Log },
): JobEngine {
  switch (choice.kind) {
    case "postgres":
      return createPostgresEngine({ ...needs, ...choice });
    case "redis":
      return createRedisEngine({ log: needs.log, ...choice });
    case "service-bus":
      return createServiceBusEngine({ log: needs.log, ...choice });
  }
}

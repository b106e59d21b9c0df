/** The engine that the settings ask for. */
import type { Log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";
import type { JobEngine } from "./engine.ts";
import { createPostgresEngine } from "./engines/postgres.ts";
import { createRedisEngine } from "./engines/redis.ts";
import { createServiceBusEngine } from "./engines/service-bus.ts";

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

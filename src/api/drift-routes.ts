import type { FastifyInstance } from "fastify";
import type { Queryable } from "../store/database.ts";
import { findDrift } from "../trades/drift/find-drift.ts";
import { findYields } from "../trades/drift/sender-yield.ts";

export interface DriftRoutesNeeds {
  readonly database: Queryable;
}

/** Trades per document by sender and week, and the senders whose documents give fewer than before. */
export function registerDriftRoutes(app: FastifyInstance, needs: DriftRoutesNeeds): void {
  app.get("/api/drift", { config: { access: "viewer" } }, async (_request) => {
    const yields = await findYields(needs.database);
    return { yields, alarms: findDrift(yields) };
  });
}

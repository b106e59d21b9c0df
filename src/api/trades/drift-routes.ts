import type { Queryable } from "../../store/database.ts";
import { findDrift } from "../../trades/drift/find-drift.ts";
import { findYields } from "../../trades/drift/sender-yield.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/ingestion.ts";

export interface DriftRoutesNeeds {
  readonly database: Queryable;
}

/** Trades per document by sender and week, and the senders whose documents yield fewer than before. */
export function registerDriftRoutes(app: ApiScope, needs: DriftRoutesNeeds): void {
  app.get("/api/drift", { config: { access: "viewer" }, schema: schemas.findDrift }, async () => {
    const yields = await findYields(needs.database);
    return { yields, alarms: findDrift(yields) };
  });
}

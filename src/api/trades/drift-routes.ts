import type { Queryable } from "../../store/database.ts";
import { findDecided } from "../../trades/drift/decided-documents.ts";
import { findDrift } from "../../trades/drift/find-drift.ts";
import { findOvertrust } from "../../trades/drift/find-overtrust.ts";
import { findTrusts, findYields } from "../../trades/drift/sender-yield.ts";
import { toPage } from "../http/paging.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/drift.ts";

export interface DriftRoutesNeeds {
  readonly database: Queryable;
}

/** How well the documents of each sender are read, and what people decided about them. */
export function registerDriftRoutes(app: ApiScope, { database }: DriftRoutesNeeds): void {
  app.get("/api/drift", { config: { access: "viewer" }, schema: schemas.findDrift }, async () => {
    const yields = await findYields(database);
    const trusts = await findTrusts(database);
    return { yields, alarms: findDrift(yields), trusts, overtrusted: findOvertrust(trusts) };
  });

  app.get(
    "/api/decided",
    { config: { access: "reviewer" }, schema: schemas.listDecided },
    async (request) => {
      const { cursor: after, limit } = request.query;
      const found = await findDecided(database, { after, limit: limit + 1 });
      const { rows, next } = toPage("decided", limit, found, ({ documentId }) => documentId);
      return { documents: rows, next };
    },
  );
}

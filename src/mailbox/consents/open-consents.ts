import type { Log } from "../../lib/log.ts";
import type { Seal } from "../../lib/seal.ts";
import type { Database } from "../../store/database.ts";
import type { Consents } from "../connections.ts";
import { keptTokenOf } from "../consent-table.ts";
import { noteRefusal } from "./end-consent.ts";

/** The consents in the database, for the connections that read with them. */
export function openConsents(needs: {
  readonly database: Database;
  readonly seal: Seal;
  readonly log: Log;
}): Consents {
  return {
    keptTokenOf: (connection) => keptTokenOf(needs.database, needs.seal, connection),
    noteRefusal: (connection, fault) => noteRefusal(needs, connection, fault),
  };
}

/** Mail of the local tenant as production reads it: our own client of Graph, over HTTP. */
import { createGraphMailSource } from "../../src/flows/ingestion/stages/graph-mail-source.ts";
import type { MailSource } from "../../src/flows/ingestion/stages/mail-source.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createHttp } from "../../src/lib/http.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import { createGraphClient } from "../../src/microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../../src/microsoft/graph/mailbox-limiter.ts";
import type { Queryable } from "../../src/store/database.ts";
import type { Tenant } from "../../tenant/index.ts";

export function tenantMail(
  database: Queryable,
  tenant: Pick<Tenant, "origin" | "tokenFor">,
): MailSource {
  const graph = createGraphClient({
    http: createHttp({ allowedOrigins: [tenant.origin], unavailable: "graph.unavailable" }),
    origin: tenant.origin,
    token: async () => tenant.tokenFor({}),
    limiter: createMailboxLimiter(systemClock),
    clock: systemClock,
    random: systemRandom,
  });
  return createGraphMailSource({ database, graphOf: () => graph });
}

/** Mail is read only from mailboxes that are watched. */
export async function watch(database: Queryable, address: string): Promise<void> {
  await upsertMailbox(database, { address, graphUserId: address, ownerId: "owner" });
}

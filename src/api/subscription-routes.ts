import { getMailboxByAddress } from "../mailbox/mailbox-table.ts";
import type { EncryptionKeys } from "../mailbox/subscriptions/encryption-keys.ts";
import {
  ensureSubscriptions,
  type SubscriptionNeeds,
} from "../mailbox/subscriptions/ensure-subscriptions.ts";
import { deleteOrphans, findOrphans } from "../mailbox/subscriptions/reconcile-subscriptions.ts";
import { findSubscriptions } from "../mailbox/subscriptions/subscription-table.ts";
import { notWatched } from "./http/not-watched.ts";
import { pageOf, sortedBy } from "./http/paging.ts";
import { badRequest } from "./http/problem.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/mailboxes.ts";

export interface SubscriptionRoutesNeeds {
  readonly subscriptions: SubscriptionNeeds;
  readonly encryptionKeys: EncryptionKeys | null;
}

export function registerSubscriptionRoutes(app: ApiScope, needs: SubscriptionRoutesNeeds): void {
  const { database } = needs.subscriptions;
  const idOf = async (address: string | undefined): Promise<number | undefined> => {
    if (address === undefined) return undefined;
    const mailbox = await getMailboxByAddress(database, address);
    if (mailbox === null) throw notWatched(address);
    return mailbox.id;
  };

  app.get(
    "/api/subscriptions",
    { config: { access: "operator" }, schema: schemas.listSubscriptions },
    async (request) => {
      const all = await findSubscriptions(database);
      const { rows, next } = pageOf("subscriptions", request.query, all, ({ id }) => id);
      return { subscriptions: rows, next };
    },
  );

  app.post(
    "/api/subscriptions/ensure",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.ensureSubscriptions },
    async (request) => {
      return ensureSubscriptions(needs.subscriptions, await idOf(request.body?.mailbox));
    },
  );

  /** New secrets and, if requested, a new key for encrypted content, if there is one. */
  app.post(
    "/api/subscriptions/rotate",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.rotateSubscriptions },
    async (request) => {
      const { mailbox, certificate = false } = request.body ?? {};
      if (certificate && needs.encryptionKeys === null)
        throw badRequest("GRAPH_RICH_NOTIFICATIONS is off, so there is no certificate");
      if (certificate) await needs.encryptionKeys!.rotate();
      return ensureSubscriptions(needs.subscriptions, await idOf(mailbox), { rotates: true });
    },
  );

  app.get(
    "/api/subscriptions/orphans",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.listOrphans },
    async (request) => {
      const all = sortedBy(await findOrphans(needs.subscriptions), "id");
      const { rows, next } = pageOf("orphans", request.query, all, ({ id }) => id);
      return { orphans: rows, next };
    },
  );

  app.delete(
    "/api/subscriptions/orphans",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.deleteOrphans },
    async () => {
      return { deleted: [...(await deleteOrphans(needs.subscriptions))] };
    },
  );
}

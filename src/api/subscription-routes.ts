import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { getMailboxByAddress } from "../mailbox/mailbox-table.ts";
import type { EncryptionKeys } from "../mailbox/subscriptions/encryption-keys.ts";
import {
  ensureSubscriptions,
  type SubscriptionNeeds,
} from "../mailbox/subscriptions/ensure-subscriptions.ts";
import { deleteOrphans, findOrphans } from "../mailbox/subscriptions/reconcile-subscriptions.ts";
import { findSubscriptions } from "../mailbox/subscriptions/subscription-table.ts";
import { parse } from "./http/parse.ts";
import { badRequest, notFound } from "./http/problem.ts";

export interface SubscriptionRoutesNeeds {
  readonly subscriptions: SubscriptionNeeds;
  readonly encryptionKeys: EncryptionKeys | null;
}

const Which = z.object({ mailbox: z.string().optional(), certificate: z.boolean().default(false) });

export function registerSubscriptionRoutes(
  app: FastifyInstance,
  needs: SubscriptionRoutesNeeds,
): void {
  const { database } = needs.subscriptions;
  const idOf = async (address: string | undefined): Promise<number | undefined> => {
    if (address === undefined) return undefined;
    const mailbox = await getMailboxByAddress(database, address);
    if (mailbox === null) throw notFound(`${address} is not watched`);
    return mailbox.id;
  };
  const readWhich = (body: unknown) => parse(Which, body ?? {});

  app.get("/api/subscriptions", { config: { access: "operator" } }, async (_request) => {
    return findSubscriptions(database);
  });

  app.post("/api/subscriptions/ensure", { config: { access: "operator" } }, async (request) => {
    return ensureSubscriptions(needs.subscriptions, await idOf(readWhich(request.body).mailbox));
  });

  /** New secrets, and a new key for encrypted content where there is one and it is asked for. */
  app.post("/api/subscriptions/rotate", { config: { access: "operator" } }, async (request) => {
    const { mailbox, certificate } = readWhich(request.body);
    if (certificate && needs.encryptionKeys === null)
      throw badRequest("GRAPH_RICH_NOTIFICATIONS is off, so there is no certificate");
    if (certificate) await needs.encryptionKeys!.rotate();
    return ensureSubscriptions(needs.subscriptions, await idOf(mailbox), { rotates: true });
  });

  app.get("/api/subscriptions/orphans", { config: { access: "operator" } }, async (_request) => {
    return findOrphans(needs.subscriptions);
  });

  app.delete("/api/subscriptions/orphans", { config: { access: "operator" } }, async (_request) => {
    return deleteOrphans(needs.subscriptions);
  });
}

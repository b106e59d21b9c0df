import type { Clock } from "../lib/clock.ts";
import { findCoverage } from "../mailbox/events/event-statistics.ts";
import { findFolders, getFolder, setFolderExcluded } from "../mailbox/folders/folder-table.ts";
import { resetMailbox } from "../mailbox/folders/reset-mailbox.ts";
import {
  findMailboxes,
  getMailboxByAddress,
  type Mailbox,
  setMailboxStatus,
} from "../mailbox/mailbox-table.ts";
import {
  type AddMailboxNeeds,
  addMailbox,
  retireMailbox,
} from "../mailbox/operating/add-mailbox.ts";
import { ensureSubscriptions } from "../mailbox/subscriptions/ensure-subscriptions.ts";
import { findSubscriptions } from "../mailbox/subscriptions/subscription-table.ts";
import { verifyMailbox } from "../mailbox/verify-mailbox.ts";
import type { Database } from "../store/database.ts";
import { reachesConnection } from "../store/reach.ts";
import type { Caller } from "./access/auth.ts";
import { hasRole } from "./access/roles.ts";
import { notWatched } from "./http/not-watched.ts";
import { pageOf } from "./http/paging.ts";
import { forbidden, notFound, unprocessable } from "./http/problem.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/mailboxes.ts";
import { registerSubscriptionRoutes, type SubscriptionRoutesNeeds } from "./subscription-routes.ts";

export interface MailboxRoutesNeeds extends SubscriptionRoutesNeeds, AddMailboxNeeds {
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function registerMailboxRoutes(app: ApiScope, needs: MailboxRoutesNeeds): void {
  registerSubscriptionRoutes(app, needs);
  registerReads(app, needs);
  registerChoices(app, needs);
  registerStates(app, needs);
}

/** A mailbox that the caller may not see looks like one that is not watched. */
async function load(
  database: Database,
  { params, caller }: { readonly params: { readonly address: string }; readonly caller: Caller },
): Promise<Mailbox> {
  const mailbox = await getMailboxByAddress(database, params.address);
  if (mailbox === null || !maySee(caller, mailbox)) throw notWatched(params.address);
  return mailbox;
}

function registerReads(app: ApiScope, needs: MailboxRoutesNeeds): void {
  const { database } = needs;

  app.get(
    "/api/mailboxes",
    { config: { access: "person" }, schema: schemas.listMailboxes },
    async (request) => {
      const caller = request.caller;
      const since = new Date(needs.clock.now() - DAY_MS);
      const [mailboxes, subscriptions, coverage] = await Promise.all([
        findMailboxes(database),
        findSubscriptions(database),
        findCoverage(database, since),
      ]);
      const seen = mailboxes.filter((mailbox) => maySee(caller, mailbox));
      const page = pageOf("mailboxes", request.query, seen, ({ id }) => id);
      return {
        mailboxes: page.rows.map((mailbox) => ({
          ...toView(mailbox),
          subscription:
            subscriptions.find((row) => row.mailbox === mailbox.id && row.status === "active") ??
            null,
          coverage: coverage.find((row) => row.mailbox === mailbox.address) ?? null,
        })),
        next: page.next,
      };
    },
  );

  app.get(
    "/api/mailboxes/:address",
    { config: { access: "person" }, schema: schemas.getMailbox },
    async (request) => {
      const mailbox = await load(database, request);
      const folders = await findFolders(database, mailbox.id);
      return {
        ...toView(mailbox),
        folders: folders.map(({ deltaLink, isFullRound, ...folder }) => ({
          ...folder,
          isWalking: isFullRound,
          hasCursor: deltaLink !== null,
        })),
      };
    },
  );
}

/** Which mailboxes are watched, and which of their folders. */
function registerChoices(app: ApiScope, needs: MailboxRoutesNeeds): void {
  const { database } = needs;

  app.post(
    "/api/mailboxes",
    { config: { access: "operator" }, schema: schemas.addMailbox },
    async (request, reply) => {
      const known = await getMailboxByAddress(database, request.body.address);
      const connection = request.body.connection ?? known?.connection ?? "default";
      const wanted = { ...request.body, connection };
      if (!(await reachesConnection(database, connection)))
        throw forbidden(`your tenant has no connection ${connection}`);
      const added = await addMailbox(needs, wanted);
      if (!added.isReadable)
        throw unprocessable(`${wanted.address} cannot be watched: ${added.reason}`);
      const { mailbox, subscription } = added;
      return reply.code(201).send({
        ...toView(mailbox),
        subscription: subscription?.result ?? ("in-progress" as const),
        error: subscription?.error,
      });
    },
  );

  app.put(
    "/api/mailboxes/:address/folders",
    { config: { access: "operator" }, schema: schemas.setFolder },
    async (request) => {
      const mailbox = await load(database, request);
      const { folder: name, isExcluded } = request.body;
      const folder = await getFolder(database, mailbox.id, name);
      if (folder === null)
        throw notFound(
          `${mailbox.address} has no folder ${name}; postroom mailbox folders lists them`,
        );
      await setFolderExcluded(database, mailbox.id, folder.folderId, isExcluded);
      if (!isExcluded) await needs.readNow(mailbox, "a folder was included");
      return { address: mailbox.address, isExcluded, folder: folder.displayName };
    },
  );

  app.delete(
    "/api/mailboxes/:address",
    { config: { access: "operator" }, schema: schemas.removeMailbox },
    async (request) => {
      const mailbox = await load(database, request);
      const subscriptionsLeft = await retireMailbox(needs.subscriptions, mailbox);
      return { address: mailbox.address, removed: true as const, subscriptionsLeft };
    },
  );
}

function registerStates(app: ApiScope, needs: MailboxRoutesNeeds): void {
  const { database } = needs;

  /** Says whether the mailbox can be read, and stores the result. */
  app.post(
    "/api/mailboxes/:address/verify",
    { config: { access: "operator" }, schema: schemas.verifyMailbox },
    async (request) => {
      const mailbox = await load(database, request);
      const found = await verifyMailbox(needs.connections, mailbox.connection, mailbox.address);
      if (!found.isReadable)
        await setMailboxStatus(database, mailbox.id, "unreachable", found.reason);
      else if (mailbox.status === "unreachable")
        await setMailboxStatus(database, mailbox.id, "active", null);
      return { ...found, address: mailbox.address };
    },
  );

  app.post(
    "/api/mailboxes/:address/pause",
    { config: { access: "operator" }, schema: schemas.pauseMailbox },
    async (request) => {
      const mailbox = await load(database, request);
      await setMailboxStatus(database, mailbox.id, "paused", "by an operator");
      return { address: mailbox.address, status: "paused" as const };
    },
  );

  app.post(
    "/api/mailboxes/:address/resume",
    { config: { access: "operator" }, schema: schemas.resumeMailbox },
    async (request) => {
      const mailbox = await load(database, request);
      await setMailboxStatus(database, mailbox.id, "active", null);
      await ensureSubscriptions(needs.subscriptions, mailbox.id);
      await needs.readNow(mailbox, "resumed");
      return { address: mailbox.address, status: "active" as const };
    },
  );

  app.post(
    "/api/mailboxes/:address/resync",
    { config: { access: "operator" }, schema: schemas.resyncMailbox },
    async (request) => {
      const mailbox = await load(database, request);
      await resetMailbox(database, mailbox.id);
      await needs.readNow(mailbox, "an operator asked for a full resync");
      return { address: mailbox.address, resync: "queued" as const };
    },
  );
}

function maySee(caller: Caller, mailbox: Mailbox): boolean {
  return hasRole(caller, "viewer") || caller.id === mailbox.ownerId;
}

function toView({ foldersDeltaLink: _, ...mailbox }: Mailbox) {
  return mailbox;
}

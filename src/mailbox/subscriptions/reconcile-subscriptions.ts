/** Compares Graph's list of subscriptions with ours and resolves the differences. */
import { sha256 } from "../../lib/hash.ts";
import { findMailboxes, type Mailbox } from "../mailbox-table.ts";
import { deleteSubscription, listSubscriptions } from "./graph-subscriptions.ts";
import { graphNeeds, type SubscriptionNeeds } from "./make-subscription.ts";
import { isSameResource, type SubscriptionInfo } from "./subscription.ts";
import {
  activate,
  findSharedIds,
  findSubscriptions,
  insertPending,
  markRemoved,
  type SubscriptionRow,
} from "./subscription-table.ts";

/**
 * An unknown subscription that points at us is adopted if a pending row waits for it (we crashed before Graph
 * answered) or if the shared table has it (another program created it with the secret from the settings);
 * otherwise it is deleted. A subscription that is active here but unknown to Graph is marked removed and then
 * created again.
 */
export async function reconcile(
  needs: SubscriptionNeeds,
  mailboxes: readonly Mailbox[],
): Promise<void> {
  for (const ofConnection of byConnection(mailboxes)) {
    try {
      await reconcileConnection(needs, ofConnection);
    } catch (error) {
      needs.log.warn(
        { err: error, connection: ofConnection[0]!.connection },
        "subscriptions could not be listed",
      );
    }
  }
}

async function reconcileConnection(
  needs: SubscriptionNeeds,
  mailboxes: readonly Mailbox[],
): Promise<void> {
  const graph = graphNeeds(needs, mailboxes[0]!);
  const ours = await findSubscriptions(needs.database);
  const atGraph = await listSubscriptions(graph);
  const known = new Map(ours.map((row) => [row.subscriptionId, row]));
  for (const remote of atGraph) {
    const isOurs = remote.notificationUrl.startsWith(`${needs.webhookUrl}/`);
    if (!isOurs || known.get(remote.id)?.status === "active") continue;
    const mailbox = mailboxes.find((each) => isUnder(remote.resource, each));
    if (mailbox === undefined) continue; // it belongs to a mailbox that we do not watch
    const isAdopted = !known.has(remote.id) && (await adopt(needs, mailbox, remote, ours));
    if (!isAdopted) await deleteSubscription(graph, remote.id);
  }
  const present = new Set(atGraph.map((remote) => remote.id));
  const ids = new Set(mailboxes.map((mailbox) => mailbox.id));
  for (const row of ours) {
    const isLost = row.status === "active" && !present.has(row.subscriptionId!);
    if (isLost && ids.has(row.mailbox)) await markRemoved(needs.database, row.id);
  }
}

async function adopt(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  remote: SubscriptionInfo,
  ours: readonly SubscriptionRow[],
): Promise<boolean> {
  const waiting = ours.find(
    (row) =>
      row.status === "pending" &&
      row.mailbox === mailbox.id &&
      isSameResource(row.resource, remote.resource),
  );
  const id = waiting?.id ?? (await pendingForShared(needs, mailbox, remote));
  if (id === null) return false;
  await activate(needs.database, id, remote);
  await needs.refreshDirectory();
  await needs.readNow(mailbox, "found a subscription at Graph that was not recorded here");
  return true;
}

async function pendingForShared(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  remote: SubscriptionInfo,
): Promise<number | null> {
  if (needs.sharedSecret === null) return null;
  if (!(await findSharedIds(needs.database)).has(remote.id)) return null;
  return insertPending(needs.database, {
    mailbox: mailbox.id,
    resource: remote.resource,
    changeType: "created",
    secretHash: sha256(needs.sharedSecret),
    certificateId: null,
  });
}

export interface Orphan extends SubscriptionInfo {
  readonly connection: string;
}

/** Subscriptions of our apps that have no row: an earlier or another installation left them. */
export async function findOrphans(needs: SubscriptionNeeds): Promise<Orphan[]> {
  const known = new Set((await findSubscriptions(needs.database)).map((row) => row.subscriptionId));
  const orphans: Orphan[] = [];
  for (const [mailbox] of byConnection(await findMailboxes(needs.database))) {
    const { connection } = mailbox!;
    for (const remote of await listSubscriptions(graphNeeds(needs, mailbox!)))
      if (!known.has(remote.id)) orphans.push({ ...remote, connection });
  }
  return orphans;
}

export async function deleteOrphans(needs: SubscriptionNeeds): Promise<Orphan[]> {
  const orphans = await findOrphans(needs);
  const mailboxes = await findMailboxes(needs.database);
  for (const orphan of orphans) {
    const mailbox = mailboxes.find((other) => other.connection === orphan.connection)!;
    await deleteSubscription(graphNeeds(needs, mailbox), orphan.id);
  }
  return orphans;
}

function byConnection(mailboxes: readonly Mailbox[]): Mailbox[][] {
  return [...new Set(mailboxes.map((mailbox) => mailbox.connection))].map((connection) =>
    mailboxes.filter((mailbox) => mailbox.connection === connection),
  );
}

function isUnder(resource: string, mailbox: Mailbox): boolean {
  const user = /^\/?users\/([^/]+)/i.exec(resource)?.[1]?.toLowerCase();
  return user === mailbox.graphUserId?.toLowerCase() || user === mailbox.address;
}

import type { Database } from "../../store/database.ts";
import type { Connections } from "../connections.ts";
import { isPersonal } from "../consent.ts";
import { removeConsent } from "../consent-table.ts";
import { findFolders } from "../folders/folder-table.ts";
import { hasFolder } from "../folders/has-folder.ts";
import {
  getMailboxByAddress,
  type Mailbox,
  removeMailboxes,
  upsertMailbox,
} from "../mailbox-table.ts";
import {
  ensureSubscriptions,
  type SubscriptionNeeds,
} from "../subscriptions/ensure-subscriptions.ts";
import { retire } from "../subscriptions/make-subscription.ts";
import { findSubscriptions } from "../subscriptions/subscription-table.ts";
import { verifyMailbox } from "../verify-mailbox.ts";

export interface AddMailboxNeeds {
  readonly database: Database;
  readonly connections: Connections;
  readonly subscriptions: SubscriptionNeeds;
  /** Queues a delta round for one mailbox. */
  readonly readNow: (mailbox: Mailbox, reason: string) => Promise<void>;
}

export interface WantedMailbox {
  readonly address: string;
  readonly connection: string;
  /** Whether to subscribe to all changes, not only to new mail to ingest. If absent: unchanged, or true for a new mailbox. */
  readonly observes?: boolean | undefined;
  /** Null for none; absent to leave it as it is. */
  readonly ingestFolder?: string | null | undefined;
  /** The owner. If absent: unchanged, or the person whose mailbox it is. */
  readonly ownerId?: string | undefined;
}

export type AddedMailbox =
  | { readonly isReadable: false; readonly reason: string }
  | {
      readonly isReadable: true;
      readonly mailbox: Mailbox;
      /** Absent while another process works on the subscription. */
      readonly subscription?: Awaited<ReturnType<typeof ensureSubscriptions>>[number] | undefined;
    };

/** Checks that we may read the mailbox, then subscribes to it and reads its current messages. */
export async function addMailbox(
  needs: AddMailboxNeeds,
  wanted: WantedMailbox,
): Promise<AddedMailbox> {
  const found = await verifyMailbox(needs.connections, wanted.connection, wanted.address);
  if (!found.isReadable) return found;
  const { graphUserId } = found;
  const { ingestFolder: folder } = wanted;
  const graph = needs.connections.graph(wanted.connection);
  if (typeof folder === "string" && !(await hasFolder(graph, graphUserId, folder)))
    return { isReadable: false, reason: `it has no folder ${folder} that could be ingested` };
  const known = await getMailboxByAddress(needs.database, wanted.address);
  const mailbox = await upsertMailbox(needs.database, {
    ...wanted,
    graphUserId,
    ownerId: wanted.ownerId ?? ownerOf(known) ?? graphUserId,
    observes: wanted.observes ?? known?.observes ?? true,
    ingestFolder: folder === undefined ? (known?.ingestFolder ?? null) : folder,
  });
  const [subscription] = await ensureSubscriptions(needs.subscriptions, mailbox.id);
  await needs.readNow(mailbox, "a mailbox was added");
  return { isReadable: true, mailbox, subscription };
}

/** The owner that an operator chose; null if it is the mailbox's own person, whose account may have changed. */
const ownerOf = (known: Mailbox | null): string | null =>
  known === null || known.ownerId === known.graphUserId ? null : known.ownerId;

/** Adds the one mailbox that can be named in the settings; it is subscribed together with all others. */
export async function addMailboxOfSettings(
  { database, connections }: Pick<AddMailboxNeeds, "database" | "connections">,
  address: string,
  ingestFolder: string | null,
): Promise<void> {
  if ((await getMailboxByAddress(database, address)) !== null) return;
  const user = await connections
    .graph("default")
    .call<{ id: string }>({ path: `/users/${encodeURIComponent(address)}?$select=id` });
  await upsertMailbox(database, {
    address,
    ingestFolder,
    graphUserId: user.id,
    ownerId: user.id,
  });
}

/**
 * Ends the subscriptions of a mailbox and forgets it. If Graph fails to delete a subscription, it remains until it expires. Returns the number of these.
 */
export async function retireMailbox(needs: SubscriptionNeeds, mailbox: Mailbox): Promise<number> {
  let left = 0;
  for (const row of await findSubscriptions(needs.database, mailbox.id)) {
    if (row.status !== "active" && row.status !== "replaced") continue;
    await retire(needs, mailbox, row).catch((error: unknown) => {
      left += 1;
      needs.log.warn({ err: error, mailbox: mailbox.address }, "a subscription was left behind");
    });
  }
  const folders = await findFolders(needs.database, mailbox.id);
  await removeMailboxes(needs.database, [mailbox.id]);
  for (const { folderId } of folders) await needs.mirror?.cursor(mailbox.id, folderId, null);
  await needs.mirror?.folders(mailbox.id, new Map());
  if (isPersonal(mailbox.connection)) await removeConsent(needs.database, mailbox.connection);
  return left;
}

import type { Clock } from "../lib/clock.ts";
import { currentTrace } from "../lib/tracing.ts";
import {
  CHANGES,
  isLifecycle,
  type NotificationItem,
  type NotificationRow,
  notificationKey,
} from "../mailbox/notifications/notification.ts";
import type {
  KnownSubscription,
  SubscriptionDirectory,
} from "../mailbox/subscriptions/subscription-directory.ts";
import { readEncryptedContent } from "./open-content.ts";
import type { ContentReceiver, SealedItem } from "./receive-content.ts";

interface Judged {
  readonly rows: NotificationRow[];
  readonly sealed: SealedItem[];
  readonly rejected: (NotificationItem | null)[];
}

/**
 * Judges every item separately: a batch may mix subscriptions, and one bad item must not affect the rest. The
 * items of a delivery usually share one secret, which is then checked only once. To detect that, two texts
 * from the same sender are compared, so the timing tells the sender nothing new.
 */
export function findGenuine(
  needs: {
    readonly directory: SubscriptionDirectory;
    readonly contents?: ContentReceiver;
    readonly clock: Clock;
  },
  items: readonly (NotificationItem | null)[],
): Judged {
  const judged: Judged = { rows: [], sealed: [], rejected: [] };
  let verified: NotificationItem | null = null;
  let subscription: KnownSubscription | null = null;
  for (const item of items) {
    if (item === null) {
      judged.rejected.push(item);
      continue;
    }
    if (verified === null || !hasSameSecret(item, verified)) {
      subscription = needs.directory.verify(item.subscriptionId, item.clientState);
      verified = item;
    }
    if (subscription === null || !belongsTo(item, subscription)) {
      judged.rejected.push(item);
      continue;
    }
    const row = toRow(item, subscription, needs.clock.now());
    const content =
      needs.contents === undefined ? null : readEncryptedContent(item.encryptedContent);
    if (content === null) judged.rows.push(row);
    else judged.sealed.push({ row, content, tenantId: subscription.tenantId });
  }
  return judged;
}

function hasSameSecret(one: NotificationItem, other: NotificationItem): boolean {
  return one.subscriptionId === other.subscriptionId && one.clientState === other.clientState;
}

function belongsTo(item: NotificationItem, subscription: KnownSubscription): boolean {
  if (
    item.tenantId !== null &&
    subscription.tenantId !== null &&
    item.tenantId !== subscription.tenantId
  )
    return false;
  if (item.resource === null || isLifecycle(item.change)) return true;
  // Graph always names the user by id, whatever the subscription said: `Users/{id}/Messages/…`,
  // `Users('{id}')/…`.
  const match = /^\/?users(?:\/([^/]+)|\('([^']+)'\))/i.exec(item.resource);
  const namedUser = (match?.[1] ?? match?.[2])?.split("@")[0]?.toLowerCase();
  const subscribedUser = /^\/?users\/([^/]+)/i.exec(subscription.resource)?.[1];
  return (
    namedUser !== undefined &&
    [subscription.graphUserId, subscribedUser].some(
      (id) => id?.toLowerCase().split("@")[0] === namedUser,
    )
  );
}

function toRow(
  item: NotificationItem,
  subscription: KnownSubscription,
  nowMs: number,
): NotificationRow {
  return {
    key: notificationKey(item, nowMs),
    subscription: subscription.id,
    change: CHANGES[item.change],
    messageId: item.messageId ?? "",
    trace: currentTrace(),
  };
}

/** Turns a change of a message into the notifications for each subscription. */
import type { TenantContext } from "../../context.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { toChangeKey } from "../mailbox/mail-ids.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import type { MailChange } from "../mailbox/mail-store.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { idOf, isRecoverable } from "../mailbox/mailbox.ts";
import type { ChangeType, Subscription } from "../subscriptions/subscription-model.ts";
import type { Notification } from "./notification-model.ts";

export interface Notice {
  readonly subscription: Subscription;
  readonly notification: Notification;
}

export interface NoticeWorld {
  readonly context: TenantContext;
  /** A fresh id for an item. */
  nextId(): string;
  /** Whether a message passes the filter of a subscription. */
  matches(subscription: Subscription, mailbox: Mailbox, message: StoredMessage): boolean;
  /** The selected properties of a rich subscription. */
  contentOf(
    subscription: Subscription,
    mailbox: Mailbox,
    message: StoredMessage,
  ): Record<string, unknown>;
}

interface SeenChange {
  readonly changeType: ChangeType;
  readonly message: StoredMessage;
}

export function noticesFor(
  world: NoticeWorld,
  subscriptions: readonly Subscription[],
  change: MailChange,
): Notice[] {
  const notices: Notice[] = [];
  for (const subscription of subscriptions) {
    const { target } = subscription;
    if (target.kind !== "messages" || target.userId !== change.mailbox.userId) continue;
    for (const seen of changesSeenBy(world, subscription, change)) {
      if (!subscription.changeTypes.includes(seen.changeType)) continue;
      notices.push({
        subscription,
        notification: toNotification(world, subscription, change.mailbox, seen),
      });
    }
  }
  return notices;
}

/** A subscription covers a set of messages: entering it is `created`, leaving it is `deleted`. */
function changesSeenBy(
  world: NoticeWorld,
  subscription: Subscription,
  change: MailChange,
): SeenChange[] {
  const { mailbox, message } = change;
  const sees = (each: StoredMessage) => isIn(world, subscription, mailbox, each);
  switch (change.kind) {
    case "created":
      return sees(message) ? arrival(world, message) : [];
    case "deleted":
      return sees(message) ? [{ changeType: "deleted", message }] : [];
    case "updated":
      return crossing(sees(change.before), sees(message), change.before, message);
    case "moved": {
      const [wasIn, nowIn] = [sees(change.before), sees(message)];
      const isOneUpdate =
        subscription.idForm === "immutable" &&
        world.context.switches.moveNotification === "updated";
      if (wasIn && nowIn && !isOneUpdate) {
        return [
          { changeType: "deleted", message: change.before },
          { changeType: "created", message },
        ];
      }
      return crossing(wasIn, nowIn, change.before, message);
    }
  }
}

function arrival(world: NoticeWorld, message: StoredMessage): SeenChange[] {
  const created: SeenChange = { changeType: "created", message };
  if (!graphSwitch(world.context.switches, "updatedAfterCreated")) return [created];
  return [created, { changeType: "updated", message }];
}

function crossing(
  wasIn: boolean,
  nowIn: boolean,
  before: StoredMessage,
  message: StoredMessage,
): SeenChange[] {
  if (wasIn && nowIn) return [{ changeType: "updated", message }];
  if (nowIn) return [{ changeType: "created", message }];
  return wasIn ? [{ changeType: "deleted", message: before }] : [];
}

function isIn(
  world: NoticeWorld,
  subscription: Subscription,
  mailbox: Mailbox,
  message: StoredMessage,
): boolean {
  const { target } = subscription;
  if (target.kind !== "messages") return false;
  const isInPlace =
    target.folderId === null
      ? !isRecoverable(mailbox, message.folderId)
      : target.folderId === message.folderId;
  return isInPlace && world.matches(subscription, mailbox, message);
}

function toNotification(
  world: NoticeWorld,
  subscription: Subscription,
  mailbox: Mailbox,
  seen: SeenChange,
): Notification {
  const { message } = seen;
  const id = idOf(mailbox, message, subscription.idForm);
  const isRich = subscription.includeResourceData === true;
  const resource = isRich
    ? `Users('${mailbox.userId}')/messages('${id}')`
    : `Users/${mailbox.userId}/Messages/${id}`;
  return {
    id: world.nextId(),
    subscriptionId: subscription.id,
    changeType: seen.changeType,
    lifecycleEvent: null,
    resource,
    resourceData: {
      "@odata.type": "#Microsoft.Graph.Message",
      "@odata.id": resource,
      "@odata.etag": `W/"${toChangeKey(message.key, message.version)}"`,
      id,
    },
    certificate: certificateOf(subscription),
    content:
      isRich && seen.changeType !== "deleted"
        ? world.contentOf(subscription, mailbox, message)
        : null,
  };
}

function certificateOf(subscription: Subscription): Notification["certificate"] {
  const { encryptionCertificate: text, encryptionCertificateId: id } = subscription;
  return text === null || id === null ? null : { text, id };
}

/** Connects the store's changes to the subscriptions, and these to the delivery. */
import type { TenantContext } from "../../context.ts";
import type { Random } from "../../random.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import type { MailStore } from "../mailbox/mail-store.ts";
import type { Subscription } from "../subscriptions/subscription-model.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { type Notice, noticesFor } from "./change-notices.ts";
import { endpointName } from "./endpoint-health.ts";
import { createHeldItems } from "./held-items.ts";
import { passNotice } from "./notice-gate.ts";
import { createNoticeWorld } from "./notice-world.ts";
import {
  driveItem,
  type LifecycleEvent,
  lifecycleItem,
  type Notification,
} from "./notification-model.ts";
import {
  createNotificationSender,
  type NotificationSender,
  type SenderState,
} from "./notification-sender.ts";
import { toWire, validationTokens } from "./notification-wire.ts";

export interface NotifierWorld {
  readonly context: TenantContext;
  readonly random: Random;
  readonly store: MailStore;
  readonly subscriptions: Subscriptions;
}

export interface Notifier {
  readonly delivery: NotificationSender;
  /** Sends a lifecycle event; does nothing without a lifecycle URL. */
  lifecycle(subscription: Subscription, event: LifecycleEvent): void;
  /** Holds a subscription's items: the service's token has expired. */
  hold(subscription: Subscription): void;
  /** Releases the held items. */
  release(subscription: Subscription): void;
  /** Notifies the newest message immediately, before the caller knows that it is subscribed. */
  notifyEarly(subscription: Subscription): Promise<void>;
  /** Something changed in a drive. */
  driveChanged(driveId: string): void;
  state(): NotifierState;
  restore(state: NotifierState): void;
  stop(): void;
}

export interface NotifierState {
  readonly delivery: SenderState;
  readonly held: readonly [string, Notification[]][];
}

export function createNotifier(world: NotifierWorld): Notifier {
  const { context, random, store, subscriptions } = world;
  const { clock, journal, faults, switches } = context;
  /** Removed subscriptions whose last items are still in transit. */
  const departed = new Map<string, Subscription>();
  const held = createHeldItems(context);
  /** Subscriptions that lost items at a dropped endpoint, by endpoint. */
  const losers = new Map<string, Set<string>>();
  const keys = random.fork("keys");

  const find = (id: string) => subscriptions.get(id) ?? departed.get(id) ?? null;

  const delivery = createNotificationSender({
    context,
    render(notification) {
      const subscription = find(notification.subscriptionId);
      if (subscription === null) return null;
      const isLeft = departed.has(subscription.id) && notification.changeType !== null;
      if (isLeft && graphSwitch(switches, "pendingOnRemoval") === "dropped") return null;
      return toWire(context, subscription, notification, keys);
    },
    envelope: (items, url) => validationTokens(context, items, url, find),
    lost(items) {
      for (const { subscriptionId, lifecycleEvent } of items) {
        const subscription = subscriptions.get(subscriptionId);
        if (subscription === null || lifecycleEvent !== null) continue;
        const endpoint = endpointName(subscription.notificationUrl);
        const set = losers.get(endpoint) ?? new Set<string>();
        losers.set(endpoint, set.add(subscriptionId));
        if (delivery.modes().find((each) => each.endpoint === endpoint)?.mode !== "drop")
          tellLosers(endpoint);
      }
    },
    recovered: (endpoint) => tellLosers(endpoint),
  });

  const tellLosers = (endpoint: string) => {
    const ids = losers.get(endpoint) ?? [];
    losers.delete(endpoint);
    for (const id of ids) {
      const subscription = subscriptions.get(id);
      if (subscription !== null) lifecycle(subscription, "missed");
    }
  };

  const lifecycle = (subscription: Subscription, event: LifecycleEvent) => {
    const url = subscription.lifecycleNotificationUrl;
    // Only Outlook reports missed and removed items; drives only request reauthorization.
    const isForDrives = subscription.target.kind === "drive" && event !== "reauthorizationRequired";
    if (url === null || isForDrives) return;
    if (subscriptions.get(subscription.id) === null) departed.set(subscription.id, subscription);
    const facts = { subscriptionId: subscription.id, lifecycleEvent: event };
    if (faults.strike("drop-lifecycle", facts) !== null) return;
    delivery.enqueue(url, lifecycleItem(nextId(), subscription, event), switches.deliveryDelayMs);
  };

  const nextId = () => random.bytes(9).toString("base64url");
  const noticeWorld = createNoticeWorld(context, nextId);

  const give = (notice: Notice) => passNotice({ context, held, delivery }, notice);

  const unwatch = store.watch((change) => {
    for (const notice of noticesFor(noticeWorld, subscriptions.all(), change)) give(notice);
  });

  subscriptions.onNearExpiry = (subscription) => {
    if (graphSwitch(switches, "reauthorizationEvents"))
      lifecycle(subscription, "reauthorizationRequired");
  };
  subscriptions.onExpired = (subscription) => {
    held.take(subscription.id);
    if (graphSwitch(switches, "announceExpiry")) lifecycle(subscription, "subscriptionRemoved");
  };

  return {
    delivery,
    lifecycle,
    hold(subscription) {
      if (subscription.heldSinceMs !== null) return;
      subscription.heldSinceMs = clock.now();
      journal.record("subscription.held", { subscriptionId: subscription.id });
      lifecycle(subscription, "reauthorizationRequired");
    },
    release(subscription) {
      subscription.heldSinceMs = null;
      for (const each of held.take(subscription.id))
        delivery.enqueue(subscription.notificationUrl, each, switches.deliveryDelayMs);
    },
    async notifyEarly(subscription) {
      const { target } = subscription;
      if (target.kind !== "messages") return;
      const mailbox = store.mailboxes.get(target.userId);
      const newest = mailbox?.all.items.at(-1);
      if (mailbox === undefined || newest === undefined) return;
      const change = { kind: "updated" as const, mailbox, message: newest, before: newest };
      for (const notice of noticesFor(noticeWorld, [subscription], change)) give(notice);
      await delivery.flushNow(subscription.notificationUrl);
    },
    driveChanged(driveId) {
      for (const subscription of subscriptions.all()) {
        const { target } = subscription;
        if (target.kind !== "drive" || target.driveId !== driveId) continue;
        give({ subscription, notification: driveItem(nextId(), subscription, driveId) });
      }
    },
    state: () => ({ delivery: delivery.state(), held: held.state() }),
    restore(state) {
      losers.clear();
      held.restore(state.held);
      delivery.restore(state.delivery);
    },
    stop() {
      unwatch();
      delivery.stop();
    },
  };
}

/** Joins the store's changes to the subscriptions and these to the delivery. */
import type { TenantContext } from "../context.ts";
import type { Random } from "../random.ts";
import { noticesFor } from "./change-notices.ts";
import type { Delivery } from "./delivery.ts";
import { createDelivery } from "./delivery.ts";
import type { MailStore } from "./mail-store.ts";
import type { LifecycleEvent, Notification } from "./notification-model.ts";
import type { Subscription } from "./subscription-model.ts";
import { toSubscriptionTime } from "./subscription-model.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface NotifierWorld {
  readonly context: TenantContext;
  readonly random: Random;
  readonly store: MailStore;
  readonly subscriptions: Subscriptions;
}

export interface Notifier {
  readonly delivery: Delivery;
  /** Sends a lifecycle event; nothing happens without a lifecycle URL. */
  lifecycle(subscription: Subscription, event: LifecycleEvent): void;
  release(subscription: Subscription): void;
  stop(): void;
}

export function createNotifier(world: NotifierWorld): Notifier {
  const { context, random, store, subscriptions } = world;
  /** Removed subscriptions whose last word is still on its way. */
  const departed = new Map<string, Subscription>();

  const render = (notification: Notification): object | null => {
    const { subscriptionId } = notification;
    const subscription = subscriptions.get(subscriptionId) ?? departed.get(subscriptionId) ?? null;
    if (subscription === null) return null;
    return toWire(context, subscription, notification);
  };

  const delivery = createDelivery({ context, render, envelope: () => ({}) });

  const noticeWorld = { context, random, matches: () => true, contentOf: () => ({}) };
  const unwatch = store.watch((change) => {
    for (const { subscription, notification } of noticesFor(
      noticeWorld,
      subscriptions.all(),
      change,
    )) {
      if (subscription.isSilent) continue;
      delivery.enqueue(
        subscription.notificationUrl,
        notification,
        context.switches.deliveryDelayMs,
      );
    }
  });

  return {
    delivery,
    lifecycle(subscription, event) {
      const url = subscription.lifecycleNotificationUrl;
      if (url === null) return;
      if (subscriptions.get(subscription.id) === null) departed.set(subscription.id, subscription);
      delivery.enqueue(
        url,
        lifecycleItem(world, subscription, event),
        context.switches.deliveryDelayMs,
      );
    },
    release() {},
    stop() {
      unwatch();
      delivery.stop();
    },
  };
}

function lifecycleItem(
  world: NotifierWorld,
  subscription: Subscription,
  event: LifecycleEvent,
): Notification {
  return {
    id: world.random.bytes(9).toString("base64url"),
    subscriptionId: subscription.id,
    changeType: null,
    lifecycleEvent: event,
    resource: subscription.resource,
    resourceData: null,
    content: null,
    changedMs: world.context.clock.now(),
  };
}

function toWire(
  context: TenantContext,
  subscription: Subscription,
  notification: Notification,
): object {
  const shared = {
    subscriptionId: subscription.id,
    subscriptionExpirationDateTime: toSubscriptionTime(subscription.expirationMs).replace(
      "Z",
      "+00:00",
    ),
    clientState: subscription.clientState ?? undefined,
    tenantId: context.tenantId,
  };
  if (notification.lifecycleEvent !== null)
    return { ...shared, lifecycleEvent: notification.lifecycleEvent };
  return {
    id: notification.id,
    ...shared,
    changeType: notification.changeType,
    resource: notification.resource,
    resourceData: notification.resourceData,
  };
}

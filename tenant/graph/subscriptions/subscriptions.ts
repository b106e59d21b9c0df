/** The subscriptions that exist, and when they end. */
import type { TenantContext } from "../../context.ts";
import type { Subscription } from "./subscription-model.ts";
import { toSubscriptionTime } from "./subscription-model.ts";

export interface Subscriptions {
  get(id: string): Subscription | null;
  all(): Subscription[];
  add(subscription: Subscription, cause?: string): void;
  /** Sets a new expiry and its timers. */
  renew(subscription: Subscription, expirationMs: number): void;
  remove(id: string, cause: string): Subscription | null;
  /** Restores the subscriptions of a snapshot. */
  restore(saved: readonly Subscription[]): void;
  /** Called when a subscription has expired, and when its expiry approaches. */
  onExpired: (subscription: Subscription) => void;
  onNearExpiry: (subscription: Subscription) => void;
}

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_HOUR_MS;

export function createSubscriptions(context: TenantContext): Subscriptions {
  const { clock, journal } = context;
  const known = new Map<string, Subscription>();
  const timers = new Map<string, () => void>();

  const cancelTimer = (id: string) => {
    timers.get(id)?.();
    timers.delete(id);
  };

  const remove = (id: string, cause: string) => {
    const subscription = known.get(id);
    if (subscription === undefined) return null;
    known.delete(id);
    cancelTimer(id);
    journal.record("subscription.removed", { subscriptionId: id, cause });
    return subscription;
  };

  /** Sets one timer for the next event of a subscription, and then for the one after it. */
  const schedule = (
    subscription: Subscription,
    lifeMs = subscription.expirationMs - clock.now(),
  ) => {
    cancelTimer(subscription.id);
    const leftMs = subscription.expirationMs - clock.now();
    const reminderMs = remindersBefore(lifeMs).find((remainingMs) => remainingMs < leftMs) ?? 0;
    const cancel = clock.after(leftMs - reminderMs, () => {
      if (reminderMs > 0) {
        schedule(subscription, lifeMs);
        self.onNearExpiry(subscription);
        return;
      }
      remove(subscription.id, "expired");
      self.onExpired(subscription);
    });
    timers.set(subscription.id, cancel);
  };

  const self: Subscriptions = {
    get: (id) => known.get(id) ?? null,
    all: () => [...known.values()],
    add(subscription) {
      known.set(subscription.id, subscription);
      schedule(subscription);
      journal.record("subscription.created", {
        subscriptionId: subscription.id,
        applicationId: subscription.applicationId,
        resource: subscription.resource,
        changeType: subscription.changeType,
        notificationUrl: subscription.notificationUrl,
        lifecycleNotificationUrl: subscription.lifecycleNotificationUrl,
        expirationDateTime: toSubscriptionTime(subscription.expirationMs),
      });
    },
    renew(subscription, expirationMs) {
      subscription.expirationMs = expirationMs;
      schedule(subscription);
      journal.record("subscription.renewed", {
        subscriptionId: subscription.id,
        expirationDateTime: toSubscriptionTime(expirationMs),
      });
    },
    remove,
    restore(saved) {
      for (const id of [...timers.keys()]) cancelTimer(id);
      known.clear();
      for (const subscription of saved) {
        known.set(subscription.id, subscription);
        schedule(subscription);
      }
    },
    onExpired: () => {},
    onNearExpiry: () => {},
  };
  return self;
}

/**
 * Reminders each time half of the remaining time has passed, and every quarter of an hour in the last hour.
 */
function remindersBefore(leftMs: number): number[] {
  const reminders: number[] = [];
  for (
    let remainingMs = Math.floor(leftMs / 2);
    remainingMs > HOUR_MS;
    remainingMs = Math.floor(remainingMs / 2)
  ) {
    reminders.push(remainingMs);
  }
  for (let remainingMs = HOUR_MS; remainingMs > 0; remainingMs -= QUARTER_HOUR_MS) {
    if (remainingMs < leftMs) reminders.push(remainingMs);
  }
  return reminders;
}

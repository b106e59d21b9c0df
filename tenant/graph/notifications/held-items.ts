/** Items of subscriptions for which the service has no valid token: each waits for at most four hours. */
import type { TenantContext } from "../../context.ts";
import type { Notification } from "./notification-model.ts";

export interface HeldItems {
  keep(notification: Notification): void;
  /** Returns the items held for a subscription, oldest first. */
  take(subscriptionId: string): Notification[];
  state(): [string, Notification[]][];
  restore(saved: readonly [string, Notification[]][]): void;
}

const HOLD_MAX_MS = 4 * 60 * 60_000;

export function createHeldItems({ clock, journal }: TenantContext): HeldItems {
  const held = new Map<string, Notification[]>();

  const giveUp = (notification: Notification) => {
    const { id, subscriptionId, resource } = notification;
    const items = held.get(subscriptionId) ?? [];
    if (!items.includes(notification)) return;
    held.set(
      subscriptionId,
      items.filter((each) => each !== notification),
    );
    journal.record("notification.given-up", {
      cause: "held",
      items: [{ id, subscriptionId, resource }],
    });
  };

  const keep = (notification: Notification) => {
    const { subscriptionId } = notification;
    held.set(subscriptionId, [...(held.get(subscriptionId) ?? []), notification]);
    clock.after(HOLD_MAX_MS, () => giveUp(notification));
  };

  return {
    keep,
    take(subscriptionId) {
      const items = held.get(subscriptionId) ?? [];
      held.delete(subscriptionId);
      return items;
    },
    state: () => [...held],
    restore(saved) {
      held.clear();
      for (const [, items] of saved) items.forEach(keep);
    },
  };
}

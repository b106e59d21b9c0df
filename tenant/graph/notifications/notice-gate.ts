/** Decides what becomes of one notice: it is dropped, held, or sent, perhaps late or twice. */
import type { TenantContext } from "../../context.ts";
import type { Subscription } from "../subscriptions/subscription-model.ts";
import type { Notice } from "./change-notices.ts";
import type { HeldItems } from "./held-items.ts";
import type { Notification } from "./notification-model.ts";
import type { NotificationSender } from "./notification-sender.ts";

interface GateWorld {
  readonly context: TenantContext;
  readonly held: HeldItems;
  readonly delivery: NotificationSender;
}

type Facts = Record<"subscriptionId" | "changeType" | "mailbox", string>;

export function passNotice(world: GateWorld, { subscription, notification }: Notice): void {
  const { journal } = world.context;
  const facts: Facts = {
    subscriptionId: subscription.id,
    changeType: notification.changeType ?? "",
    mailbox: subscription.target.kind === "messages" ? subscription.target.userId : "",
  };
  const cause = whyDropped(world, subscription, facts);
  if (cause !== null) {
    const { id, resource } = notification;
    journal.record("notification.dropped", { cause, items: [{ id, ...facts, resource }] });
    return;
  }
  if (subscription.heldSinceMs !== null) world.held.keep(notification);
  else dispatch(world, subscription, notification, facts);
}

function whyDropped({ context }: GateWorld, subscription: Subscription, facts: Facts) {
  if (subscription.isSilent) return "silent subscription";
  return context.faults.strike("drop-notification", facts) === null ? null : "fault";
}

const LATE_MS = 180_000;
const REORDERED_MS = 2_000;

function dispatch(
  { context: { faults, switches }, delivery }: GateWorld,
  { notificationUrl }: Subscription,
  notification: Notification,
  facts: Facts,
): void {
  const late = faults.strike(["late-notification", "reorder-notifications"], facts);
  const usualMs = late?.kind === "late-notification" ? LATE_MS : REORDERED_MS;
  const lateMs = late === null ? 0 : Number(late.options["delayMs"] ?? usualMs);
  const delayMs = switches.deliveryDelayMs + lateMs;
  delivery.enqueue(notificationUrl, notification, delayMs);
  const twin = faults.strike("duplicate-notification", facts);
  if (twin === null) return;
  const betweenMs = Number(twin.options["delayMs"] ?? 0);
  for (let copy = 1; copy < Number(twin.options["times"] ?? 2); copy++)
    delivery.enqueue(notificationUrl, notification, delayMs + betweenMs * copy);
}

/** Notifications as they are sent. */
import type { TenantContext } from "../../context.ts";
import type { Random } from "../../random.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { isEventHub } from "../subscriptions/subscription-input.ts";
import type { Subscription } from "../subscriptions/subscription-model.ts";
import { toSubscriptionTime } from "../subscriptions/subscription-model.ts";
import type { Notification } from "./notification-model.ts";
import { encryptContent } from "./rich-content.ts";

export function toWire(
  context: TenantContext,
  subscription: Subscription,
  notification: Notification,
  random: Random,
): object {
  const shared = {
    subscriptionId: subscription.id,
    subscriptionExpirationDateTime: toSubscriptionTime(subscription.expirationMs).replace(
      "Z",
      "+00:00",
    ),
    ...(subscription.clientState === null ? {} : { clientState: subscription.clientState }),
    tenantId: context.tenantId,
  };
  if (notification.lifecycleEvent !== null) {
    const extra = graphSwitch(context.switches, "lifecycleResource")
      ? { resource: subscription.resource, resourceData: null }
      : {};
    return { ...shared, ...extra, lifecycleEvent: notification.lifecycleEvent };
  }
  const { content, certificate } = notification;
  return {
    id: notification.id,
    ...shared,
    changeType: notification.changeType,
    resource: notification.resource,
    resourceData: notification.resourceData,
    ...(content === null || certificate === null
      ? {}
      : { encryptedContent: encryptContent(content, certificate, random) }),
  };
}

/** One token per app with rich items in the request; event hubs get none. */
export function validationTokens(
  context: TenantContext,
  notifications: readonly Notification[],
  url: string,
  find: (subscriptionId: string) => Subscription | null,
): object {
  if (isEventHub(url)) return {};
  const apps = new Set<string>();
  for (const { content, subscriptionId } of notifications) {
    const subscription = content === null ? null : find(subscriptionId);
    if (subscription !== null)
      apps.add(subscription.notificationUrlAppId ?? subscription.applicationId);
  }
  if (apps.size === 0) return {};
  if (graphSwitch(context.switches, "withholdValidationTokens")) return { validationTokens: null };
  return { validationTokens: [...apps].map((appId) => context.mintValidationToken(appId)) };
}

import type { ChangeType, Subscription } from "../subscriptions/subscription-model.ts";

/** One item of a delivery, as plain data; its JSON is created when it is sent. */
export interface Notification {
  readonly id: string;
  readonly subscriptionId: string;
  /** Exactly one of the two is set. */
  readonly changeType: ChangeType | null;
  readonly lifecycleEvent: LifecycleEvent | null;
  readonly resource: string;
  readonly resourceData: Record<string, unknown> | null;
  /** The plain content of a rich notification; it is encrypted when it is sent. */
  readonly content: Record<string, unknown> | null;
  /** The certificate at the time of the change: a later one does not apply to earlier changes. */
  readonly certificate: { readonly text: string; readonly id: string } | null;
}

export type LifecycleEvent = "reauthorizationRequired" | "subscriptionRemoved" | "missed";

export function lifecycleItem(
  id: string,
  subscription: Subscription,
  lifecycleEvent: LifecycleEvent,
): Notification {
  const { id: subscriptionId, resource } = subscription;
  return {
    id,
    subscriptionId,
    changeType: null,
    lifecycleEvent,
    resource,
    resourceData: null,
    content: null,
    certificate: null,
  };
}

export function driveItem(id: string, subscription: Subscription, driveId: string): Notification {
  return {
    id,
    subscriptionId: subscription.id,
    changeType: "updated",
    lifecycleEvent: null,
    resource: `drives/${driveId}/root`,
    resourceData: { "@odata.type": "#Microsoft.Graph.DriveItem" },
    content: null,
    certificate: null,
  };
}

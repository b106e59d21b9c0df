import type { Caller } from "../../context.ts";
import type { IdForm } from "../mailbox/mail-ids.ts";

export type ChangeType = "created" | "updated" | "deleted";

export type SubscriptionTarget =
  | {
      readonly kind: "messages";
      readonly userId: string;
      /** Null means the whole mailbox. */
      readonly folderId: string | null;
      readonly filter: string | null;
      readonly select: string | null;
    }
  | { readonly kind: "drive"; readonly driveId: string };

export interface Subscription {
  readonly id: string;
  readonly applicationId: string;
  readonly creatorId: string;
  readonly isAppOnly: boolean;
  readonly changeType: string;
  readonly changeTypes: readonly ChangeType[];
  readonly resource: string;
  readonly target: SubscriptionTarget;
  /** Format of ids in its notifications; fixed by the header of the request that created it. */
  readonly idForm: IdForm;
  readonly clientState: string | null;
  readonly lifecycleNotificationUrl: string | null;
  readonly latestSupportedTlsVersion: string;
  readonly includeResourceData: boolean | null;
  readonly notificationUrlAppId: string | null;
  readonly createdMs: number;
  notificationUrl: string;
  expirationMs: number;
  encryptionCertificate: string | null;
  encryptionCertificateId: string | null;
  reauthorizedMs: number | null;
  renewedMs: number | null;
  /** Since when Graph has had no valid token for this subscription; its notifications are held for up to four hours each. */
  heldSinceMs: number | null;
  /**
   * Accepted but never delivering: a delegated subscription to a shared mailbox, or the effect of
   * `reauthorizeTrap`.
   */
  isSilent: boolean;
}

export function showSubscription(
  subscription: Subscription,
  { hidesClientState = false } = {},
): object {
  return {
    id: subscription.id,
    resource: subscription.resource,
    applicationId: subscription.applicationId,
    changeType: subscription.changeType,
    clientState: hidesClientState ? null : subscription.clientState,
    notificationUrl: subscription.notificationUrl,
    notificationQueryOptions: null,
    lifecycleNotificationUrl: subscription.lifecycleNotificationUrl,
    expirationDateTime: toSubscriptionTime(subscription.expirationMs),
    creatorId: subscription.creatorId,
    includeResourceData: subscription.includeResourceData,
    latestSupportedTlsVersion: subscription.latestSupportedTlsVersion,
    encryptionCertificate: null,
    encryptionCertificateId: subscription.encryptionCertificateId,
    notificationUrlAppId: subscription.notificationUrlAppId,
    notificationContentType: "application/json",
  };
}

export function toSubscriptionTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** An app sees its own subscriptions; with a user's token, only that user's. */
export function isOwn(subscription: Subscription, caller: Caller): boolean {
  if (subscription.applicationId !== caller.appId) return false;
  return caller.isAppOnly || subscription.creatorId === caller.objectId;
}

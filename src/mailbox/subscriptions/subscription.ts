import type { Mailbox } from "../mailbox-table.ts";
import { MESSAGE_SELECT } from "../messages/message.ts";

/** Graph's own limits for mail: without resource data, and with it. */
export const SUBSCRIPTION_MINUTES_MAX = 10_080;
export const RICH_SUBSCRIPTION_MINUTES_MAX = 1_440;
/** Lifetimes that Graph has granted over the years, longest first; after a refusal the next one is tried. */
const GRANTED_MINUTES = [10_080, 4_230, 1_440, 60];
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The public half of a key that Graph encrypts message data for. */
export interface EncryptionCertificate {
  readonly id: string;
  /** DER in base64. */
  readonly certificate: string;
}

/** What a subscription asks for. */
export interface SubscriptionRequest {
  readonly changeType: string;
  readonly resource: string;
  readonly notificationUrl: string;
  readonly lifecycleUrl: string;
  /** Present if notifications are to carry the message's properties. */
  readonly encryption?: EncryptionCertificate;
}

export interface SubscriptionInfo {
  readonly id: string;
  readonly resource: string;
  readonly notificationUrl: string;
  readonly lifecycleUrl: string | null;
  readonly expiresAt: Date;
}

/**
 * The subscription that this mailbox should have. Observing covers every message and so feeds ingestion too;
 * a mailbox that is only ingested watches one folder for new mail.
 */
export function subscriptionFor(
  mailbox: Mailbox,
  webhookUrl: string,
  encryption: EncryptionCertificate | null = null,
): SubscriptionRequest | null {
  const user = mailbox.graphUserId ?? mailbox.address;
  if (mailbox.observes) {
    const url = `${webhookUrl}/webhooks/graph`;
    const isRich = encryption !== null;
    return {
      changeType: "created,updated,deleted",
      resource: `users/${user}/messages${isRich ? `?$select=${MESSAGE_SELECT}` : ""}`,
      notificationUrl: url,
      lifecycleUrl: url,
      ...(isRich ? { encryption } : {}),
    };
  }
  if (mailbox.ingestFolder === null) return null;
  return {
    changeType: "created",
    resource: `users/${user}/mailFolders/${mailbox.ingestFolder}/messages`,
    notificationUrl: `${webhookUrl}/api/graph/notifications`,
    lifecycleUrl: `${webhookUrl}/api/graph/lifecycle`,
  };
}

/**
 * True a day before the end, or after half the lifetime if that is shorter, which leaves time for a second
 * try.
 */
export function needsRenewal(expiresAt: Date, lifetimeMinutes: number, now: Date): boolean {
  const marginMs = Math.min(DAY_MS, (lifetimeMinutes * 60_000) / 2);
  return expiresAt.getTime() - now.getTime() < marginMs;
}

/** The lifetime to request after Graph has refused `minutes`; null if nothing shorter is left. */
export function nextShorterLifetime(minutes: number): number | null {
  return GRANTED_MINUTES.find((granted) => granted < minutes) ?? null;
}

export function isSameResource(one: string, other: string): boolean {
  const plain = (resource: string) => resource.replace(/^\//, "").toLowerCase();
  return plain(one) === plain(other);
}

import {
  CHANGES,
  type Change,
  isLifecycle,
  messageIdOf,
  type NotificationItem,
} from "../mailbox/notifications/notification.ts";

export const ITEMS_MAX = 1_000;
const TEXT_MAX = 1_024;
const DEPTH_MAX = 8;

/** Why a body is refused as a whole; anything else is judged item by item. */
export type Unreadable = "not-a-collection" | "too-many-items";

/**
 * The items of a change notification collection. Unknown fields are ignored and wrong types count as absent:
 * a forged item must end as "not genuine", never as a crash.
 */
export function readNotifications(
  body: unknown,
): { items: (NotificationItem | null)[]; tokens: unknown } | Unreadable {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "not-a-collection";
  const { value, validationTokens: tokens } = body as Record<string, unknown>;
  if (value === undefined) return { items: [], tokens };
  if (!Array.isArray(value)) return "not-a-collection";
  if (value.length > ITEMS_MAX) return "too-many-items";
  return { items: value.filter((raw) => !isHubGreeting(raw)).map(readItem), tokens };
}

/** The first item that Graph sends to an event hub: a validation request that needs no answer and names no subscription. */
function isHubGreeting(raw: unknown): boolean {
  const { subscriptionId, changeType } = (raw ?? {}) as Record<string, unknown>;
  return (
    subscriptionId === "NA" &&
    typeof changeType === "string" &&
    changeType.startsWith("Validation:")
  );
}

/** Counts nested arrays and objects; a body that is nested deeply is not a notification. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth >= DEPTH_MAX || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

function readItem(raw: unknown): NotificationItem | null {
  const fields = (raw ?? {}) as Record<string, unknown>;
  const change = changeIn(fields);
  const subscriptionId = text(fields["subscriptionId"]);
  const clientState = text(fields["clientState"]);
  if (change === null || subscriptionId === null || clientState === null) return null;
  const resource = text(fields["resource"]);
  const resourceData = fields["resourceData"] as Record<string, unknown> | null | undefined;
  return {
    subscriptionId,
    clientState,
    change,
    resource,
    tenantId: text(fields["tenantId"]),
    messageId: isLifecycle(change) ? null : messageIdOf(text(resourceData?.["id"]), resource),
    etag: text(resourceData?.["@odata.etag"]),
    notificationId: text(fields["id"]),
    expiration: text(fields["subscriptionExpirationDateTime"]),
    encryptedContent: fields["encryptedContent"] ?? null,
  };
}

function changeIn(item: Record<string, unknown>): Change | null {
  const lifecycle = text(item["lifecycleEvent"]);
  const name = lifecycle ?? text(item["changeType"]) ?? "";
  if (!Object.hasOwn(CHANGES, name)) return null;
  const change = name as Change;
  return isLifecycle(change) === (lifecycle !== null) ? change : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= TEXT_MAX ? value : null;
}

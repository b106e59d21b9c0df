import { key16 } from "../../lib/hash.ts";

/** What a notification says, as a small number in a narrow row; lifecycle notices come last. */
export const CHANGES = {
  created: 1,
  updated: 2,
  deleted: 3,
  missed: 11,
  reauthorizationRequired: 12,
  subscriptionRemoved: 13,
} as const;

export type Change = keyof typeof CHANGES;

export function isLifecycle(change: Change): boolean {
  return CHANGES[change] >= CHANGES.missed;
}

export function changeOf(code: number): Change {
  const found = (Object.keys(CHANGES) as Change[]).find((name) => CHANGES[name] === code);
  if (found === undefined) throw new Error(`no change has the code ${code}`);
  return found;
}

/** One item of a change notification collection, as far as we use it. */
export interface NotificationItem {
  readonly subscriptionId: string;
  readonly clientState: string;
  readonly tenantId: string | null;
  readonly change: Change;
  readonly resource: string | null;
  /** Null if neither `resourceData` nor `resource` names one. */
  readonly messageId: string | null;
  readonly etag: string | null;
  readonly notificationId: string | null;
  readonly expiration: string | null;
  readonly encryptedContent: unknown;
}

/** An item as a table row. */
export interface NotificationRow {
  readonly key: string;
  readonly subscription: number;
  readonly change: number;
  readonly messageId: string;
  /** The request that brought it; absent if nothing is traced. */
  readonly trace?: string | null;
}

/**
 * A repeated notification has the same key; a later change of the same message has another key. Lifecycle
 * notices carry no id, so repeats within a minute count as the same one.
 */
export function notificationKey(item: NotificationItem, nowMs: number): string {
  const version = isLifecycle(item.change)
    ? `${item.expiration ?? ""}/${Math.floor(nowMs / 60_000)}`
    : (item.etag ?? item.notificationId ?? "");
  const hex = key16(
    item.subscriptionId,
    item.messageId ?? item.resource ?? "",
    item.change,
    version,
  );
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const MESSAGE_ID_IN_RESOURCE = /messages(?:\/([^/?]+)|\('([^']+)'\))$/i;

/** `resourceData.id`, else the last segment of `Users/…/Messages/…` or `messages('…')`. */
export function messageIdOf(resourceDataId: unknown, resource: string | null): string | null {
  if (typeof resourceDataId === "string" && resourceDataId !== "") return resourceDataId;
  const match = resource === null ? null : MESSAGE_ID_IN_RESOURCE.exec(resource);
  return match?.[1] ?? match?.[2] ?? null;
}

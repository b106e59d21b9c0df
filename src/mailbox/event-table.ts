import type { Queryable } from "../store/database.ts";
import { type EventRow, type MailEvent, toMailEvent } from "./event.ts";

export const EVENTS_PAGE_MAX = 200;

export interface EventFilter {
  readonly mailbox?: string;
  readonly type?: string;
  readonly senderDomain?: string;
  readonly seenBy?: string;
  readonly folder?: string;
  readonly messageId?: string;
  readonly text?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly isUnread?: boolean;
  /** Only mailboxes of this owner; absent is an operator's view of all. */
  readonly ownerId?: string;
  /** Continues after this event, forwards for `oldest`, backwards for `newest`. */
  readonly after?: number;
  readonly order?: "newest" | "oldest";
  readonly limit?: number;
}

const EVENT_COLUMNS = `e.seq, e.user_id AS "userId", e.mailbox AS "mailboxId", m.address AS mailbox,
  e.message_id AS "messageId", e.internet_message_id AS "internetMessageId", e.event_type AS "eventType", e.at,
  e.seen_by AS "seenBy", e.seen_at AS "seenAt", e.subject, e.sender_name AS "senderName",
  e.sender_email AS "senderEmail", e.received_at AS "receivedAt", e.folder_id AS "folderId",
  e.folder_name AS "folderName", e.from_folder AS "fromFolder", e.importance,
  e.has_attachments AS "hasAttachments", e.conversation_id AS "conversationId", e.categories,
  e.is_read AS "isRead", e.flag, e.related_message_id AS "relatedMessageId",
  e.has_list_unsubscribe AS "hasListUnsubscribe", e.is_automated AS "isAutomated"`;

export async function findEvents(on: Queryable, filter: EventFilter = {}): Promise<MailEvent[]> {
  const isOldestFirst = filter.order === "oldest";
  const { where, values } = toWhere(filter);
  const limit = Math.min(filter.limit ?? 50, EVENTS_PAGE_MAX);
  const { rows } = await on.query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM postroom.event e JOIN postroom.mailbox m ON m.id = e.mailbox
      ${where} ORDER BY e.seq ${isOldestFirst ? "ASC" : "DESC"} LIMIT ${limit}`,
    values,
  );
  return rows.map(toMailEvent);
}

/** The filter as SQL: every value is a parameter, every condition a fixed text. */
export function toWhere(filter: EventFilter): { where: string; values: unknown[] } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add(filter.ownerId, (at) => `m.owner_id = ${at}`);
  add(filter.mailbox?.toLowerCase(), (at) => `m.address = ${at}`);
  add(filter.type, (at) => `e.event_type = ${at}`);
  add(filter.seenBy, (at) => `e.seen_by = ${at}`);
  add(filter.messageId, (at) => `e.message_id = ${at}`);
  add(filter.folder, (at) => `(e.folder_id = ${at} OR e.folder_name = ${at})`);
  add(filter.senderDomain?.toLowerCase(), (at) => `split_part(e.sender_email, '@', 2) = ${at}`);
  add(filter.text, (at) => `strpos(lower(coalesce(e.subject, '')), lower(${at})) > 0`);
  add(filter.since, (at) => `e.at >= ${at}`);
  add(filter.until, (at) => `e.at < ${at}`);
  add(filter.isUnread, (at) => `e.is_read = NOT ${at}::boolean`);
  add(filter.after, (at) => (filter.order === "oldest" ? `e.seq > ${at}` : `e.seq < ${at}`));
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, values };
}

import { toPlainArray, toTextArray, toTimeArray } from "../store/array-text.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import type { EventType, Happening } from "./diff-message.ts";
import { type EventRow, type MailEvent, type SeenBy, toMailEvent } from "./event.ts";
import type { MessageState } from "./message.ts";
import { joinNames } from "./message-table.ts";

export interface NewEvent {
  readonly happening: Happening;
  readonly state: MessageState;
  readonly at: Date;
  readonly folderName: string | null;
}

export interface RecordedEvent {
  readonly seq: number;
  readonly messageId: string;
  readonly eventType: EventType;
  readonly folderId: string;
  readonly receivedAt: Date | null;
}

/** Writes events that are not yet known; a known one stays as it was written first. */
export async function insertEvents(
  tx: Transaction,
  mailbox: { readonly id: number; readonly ownerId: string },
  seen: { readonly by: SeenBy; readonly at: Date },
  events: readonly NewEvent[],
): Promise<RecordedEvent[]> {
  if (events.length === 0) return [];
  const texts = (pick: (event: NewEvent) => string | null) => toTextArray(events.map(pick));
  const times = (pick: (event: NewEvent) => Date | null) => toTimeArray(events.map(pick));
  const plain = (pick: (event: NewEvent) => boolean) => toPlainArray(events.map(pick));
  const { rows } = await tx.query<RecordedEvent>(
    `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
       folder_name, from_folder, is_read, flag, categories, internet_message_id, received_at, subject, sender_name,
       sender_email, importance, has_attachments, conversation_id, has_list_unsubscribe, is_automated,
       related_message_id)
     SELECT $1, $2, id, type, change, at, $3, $4, folder, fname, ffrom, rd, flag, string_to_array(cats, E'\\x1f'), imi,
       received, subject, sname, semail, importance, att, conv, hlu, auto, related
       FROM unnest($5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[], $11::text[],
         $12::bool[], $13::text[], $14::text[], $15::text[], $16::timestamptz[], $17::text[], $18::text[],
         $19::text[], $20::text[], $21::bool[], $22::text[], $23::bool[], $24::bool[], $25::text[])
         AS t(id, type, change, at, folder, fname, ffrom, rd, flag, cats, imi, received, subject, sname, semail,
              importance, att, conv, hlu, auto, related)
     ON CONFLICT (user_id, mailbox, message_id, event_type, change) DO NOTHING
     RETURNING seq, message_id AS "messageId", event_type AS "eventType", folder_id AS "folderId",
       received_at AS "receivedAt"`,
    [
      mailbox.ownerId,
      mailbox.id,
      seen.by,
      seen.at,
      texts((event) => event.state.messageId),
      texts((event) => event.happening.type),
      texts((event) => event.happening.change),
      times((event) => event.at),
      texts((event) => event.state.folderId),
      texts((event) => event.folderName),
      texts((event) => event.happening.fromFolder),
      plain((event) => event.state.isRead),
      texts((event) => event.state.flag),
      texts((event) => joinNames(event.state.categories)),
      texts((event) => event.state.internetMessageId),
      times((event) => event.state.receivedAt),
      texts((event) => event.state.subject),
      texts((event) => event.state.senderName),
      texts((event) => event.state.senderEmail),
      texts((event) => event.state.importance),
      plain((event) => event.state.hasAttachments),
      texts((event) => event.state.conversationId),
      plain((event) => event.state.hasListUnsubscribe),
      plain((event) => event.state.isAutomated),
      texts((event) => event.happening.relatedMessageId ?? null),
    ],
  );
  return rows;
}

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

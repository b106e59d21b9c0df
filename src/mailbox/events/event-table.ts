import type { Database, Queryable, Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { EventType } from "./diff-message.ts";
import { type EventRow, type MailEvent, toMailEvent } from "./event.ts";
import { placeEvents, removeFromFeed } from "./event-feed-table.ts";

export const EVENTS_PAGE_MAX = 200;

/** The conditions that a count and a page share. */
export interface EventConditions {
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
  /** Only mailboxes of this owner; if absent, all mailboxes, for an operator. */
  readonly ownerId?: string;
  readonly limit?: number;
}

export interface EventFilter extends EventConditions {
  /** Continues after this event: forwards for `oldest`, backwards for `newest`. */
  readonly after?: number;
  readonly order?: "newest" | "oldest";
}

const EVENT_COLUMNS = `f.position AS seq, e.user_id AS "userId", e.mailbox AS "mailboxId", m.address AS mailbox,
  e.message_id AS "messageId", e.internet_message_id AS "internetMessageId", e.event_type AS "eventType", e.at,
  e.seen_by AS "seenBy", e.seen_at AS "seenAt", e.subject, e.sender_name AS "senderName",
  e.sender_email AS "senderEmail", e.received_at AS "receivedAt", e.folder_id AS "folderId",
  e.folder_name AS "folderName", e.from_folder AS "fromFolder",
  e.from_folder_name AS "fromFolderName", e.importance,
  e.has_attachments AS "hasAttachments", e.conversation_id AS "conversationId", e.categories,
  e.is_read AS "isRead", e.flag, e.related_message_id AS "relatedMessageId",
  e.has_list_unsubscribe AS "hasListUnsubscribe", e.is_automated AS "isAutomated"`;

/** Events in the order of the feed. Every event that was committed before the call is in it. */
export async function findEvents(
  database: Database,
  filter: EventFilter = {},
): Promise<MailEvent[]> {
  await placeEvents(database);
  const isOldestFirst = filter.order === "oldest";
  const { conditions, values } = toConditions(filter);
  if (filter.after !== undefined) {
    values.push(filter.after);
    conditions.push(`f.position ${isOldestFirst ? ">" : "<"} $${values.length}`);
  }
  // One more than a page shows whether there is another.
  const limit = Math.min(filter.limit ?? 50, EVENTS_PAGE_MAX + 1);
  const { rows } = await database.query<EventRow>(
    `SELECT ${EVENT_COLUMNS}
       FROM postroom.event_feed f JOIN postroom.event e ON e.seq = f.event JOIN postroom.mailbox m ON m.id = e.mailbox
      ${toWhere(conditions)} ORDER BY f.position ${isOldestFirst ? "ASC" : "DESC"} LIMIT ${limit}`,
    values,
  );
  return rows.map(toMailEvent);
}

/** Events after a position, each with a name that a repetition of the same event has too, even after a restore. */
export async function findEventsToSend(
  database: Database,
  after: number,
  limit: number,
): Promise<{ readonly id: string; readonly event: MailEvent }[]> {
  await placeEvents(database);
  const { rows } = await database.query<EventRow & { readonly id: string }>(
    `SELECT md5(concat_ws('|', e.user_id, e.mailbox, e.message_id, e.event_type, e.change)) AS id, ${EVENT_COLUMNS}
       FROM postroom.event_feed f JOIN postroom.event e ON e.seq = f.event JOIN postroom.mailbox m ON m.id = e.mailbox
      WHERE f.position > $1 ORDER BY f.position LIMIT $2`,
    [after, limit],
  );
  return rows.map(({ id, ...row }) => ({ id, event: toMailEvent(row) }));
}

/** The filter as SQL: every value is a parameter, every condition is fixed text. */
export function toConditions(filter: EventConditions): {
  conditions: string[];
  values: unknown[];
} {
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
  return { conditions, values };
}

export function toWhere(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
}

/** What the events of a message, read in order, say about it now. */
export interface LoggedMessage {
  readonly messageId: string;
  readonly isDeleted: boolean;
  readonly folderId: string;
  readonly isRead: boolean;
  readonly flag: string;
  readonly categories: readonly string[];
  readonly subject: string | null;
  /** Whether the log contains the event that recorded its arrival. */
  readonly hasBeginning: boolean;
}

/**
 * The log reduced to one row per message: its last event, and whether its first one is there. Events that
 * were removed after their retention do not count as missing: our stored state of the message holds what they
 * said. Imported events are history that nobody can compare with the mailbox.
 */
export async function loadLog(
  on: Queryable,
  mailbox: number,
  since: Date | null,
  only: readonly string[] | null = null,
): Promise<Map<string, LoggedMessage>> {
  const { rows } = await on.query<LoggedMessage>(
    `SELECT DISTINCT ON (e.message_id) e.message_id AS "messageId", e.event_type = 'deleted' AS "isDeleted",
            e.folder_id AS "folderId", e.is_read AS "isRead", e.flag, e.categories, e.subject,
            bool_or(e.event_type IN ('arrived', 'sent', 're-keyed') AND e.change = '')
              OVER (PARTITION BY e.message_id) OR coalesce(m.first_event_at < b.forgotten_before, false) AS "hasBeginning"
       FROM postroom.event e
       LEFT JOIN postroom.mailbox b ON b.id = e.mailbox
       LEFT JOIN postroom.message m ON m.mailbox = e.mailbox AND m.message_id = e.message_id
      WHERE e.mailbox = $1 AND ($2::timestamptz IS NULL OR coalesce(e.received_at, e.at) >= $2)
        AND ($3::text[] IS NULL OR e.message_id = ANY($3))
        AND e.seen_by <> 'import'
      ORDER BY e.message_id, e.seq DESC`,
    [mailbox, since, only],
  );
  const log = new Map(rows.map((row) => [row.messageId, row]));
  for (const row of await loadForgotten(on, mailbox, since, only))
    if (!log.has(row.messageId)) log.set(row.messageId, row);
  return log;
}

async function loadForgotten(
  on: Queryable,
  mailbox: number,
  since: Date | null,
  only: readonly string[] | null,
): Promise<LoggedMessage[]> {
  const { rows } = await on.query<LoggedMessage>(
    `SELECT m.message_id AS "messageId", m.is_deleted AS "isDeleted", m.folder_id AS "folderId",
            m.is_read AS "isRead", m.flag, m.categories, m.subject, true AS "hasBeginning"
       FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox
      WHERE m.mailbox = $1 AND m.last_event_at < b.forgotten_before
        AND ($2::timestamptz IS NULL OR m.received_at >= $2) AND ($3::text[] IS NULL OR m.message_id = ANY($3))`,
    [mailbox, since, only],
  );
  return rows;
}

/** Removes at most `limit` events that were seen before a time, from the feed as well. */
export async function removeEventsBefore(
  tx: Transaction,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await tx.query<{ seq: number }>(
    `DELETE FROM postroom.event WHERE seq IN
       (SELECT seq FROM postroom.event WHERE seen_at < $1 ORDER BY seen_at LIMIT $2) RETURNING seq`,
    [before, limit],
  );
  await removeFromFeed(
    tx,
    rows.map((row) => row.seq),
  );
  return rows.length;
}

/** An event that another program saw, in the columns of ours. */
export interface ImportedEvent {
  readonly messageId: string;
  readonly type: EventType;
  readonly change: string;
  readonly at: Date;
  readonly folderId: string;
  readonly folderName: string | null;
  readonly fromFolder: string | null;
  readonly fromFolderName: string | null;
  readonly isRead: boolean;
  readonly flag: string;
  readonly categories: readonly string[];
  readonly internetMessageId: string | null;
  readonly receivedAt: Date | null;
  readonly subject: string | null;
  readonly senderName: string | null;
  readonly senderEmail: string | null;
  readonly importance: string;
  readonly hasAttachments: boolean;
  readonly conversationId: string | null;
  readonly hasListUnsubscribe: boolean;
  readonly isAutomated: boolean;
}

/** Adds what is not known yet, and returns how many that were. A message arrives and goes once per life. */
export async function insertImported(
  tx: Transaction,
  mailbox: { readonly id: number; readonly ownerId: string },
  events: readonly ImportedEvent[],
): Promise<number> {
  const { rowCount } = await tx.query(
    `INSERT INTO postroom.event (user_id, mailbox, seen_by, seen_at, message_id, event_type, change, at, folder_id,
       folder_name, from_folder, from_folder_name, is_read, flag, categories, internet_message_id, received_at,
       subject, sender_name, sender_email, importance, has_attachments, conversation_id, has_list_unsubscribe,
       is_automated)
     SELECT $1, $2, 'import', t.at, "messageId", type, change, t.at, "folderId", "folderName", "fromFolder",
            "fromFolderName", "isRead", flag, categories, "internetMessageId", "receivedAt", subject, "senderName",
            "senderEmail", importance, "hasAttachments", "conversationId", "hasListUnsubscribe", "isAutomated"
       FROM jsonb_to_recordset($3::jsonb) AS t("messageId" text, type text, change text, at timestamptz,
              "folderId" text, "folderName" text, "fromFolder" text, "fromFolderName" text, "isRead" boolean,
              flag text, categories text[], "internetMessageId" text, "receivedAt" timestamptz, subject text,
              "senderName" text, "senderEmail" text, importance text, "hasAttachments" boolean,
              "conversationId" text, "hasListUnsubscribe" boolean, "isAutomated" boolean)
      WHERE type NOT IN ('arrived', 'deleted') OR NOT EXISTS (
              SELECT FROM postroom.event e
               WHERE e.user_id = $1 AND e.mailbox = $2 AND e.message_id = "messageId" AND e.event_type = type)
     ON CONFLICT DO NOTHING`,
    [mailbox.ownerId, mailbox.id, toJson(events)],
  );
  return rowCount;
}

/** The part of a statement that adds the events of its rows `t`, as `new_events`; a known event stays as it is. */
export const WRITE_EVENTS = `new_events AS (
    INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
      folder_name, from_folder, is_read, flag, categories, internet_message_id, received_at, subject, sender_name,
      sender_email, importance, has_attachments, conversation_id, has_list_unsubscribe, is_automated,
      related_message_id, from_folder_name)
    SELECT owner, mailbox, id, type, change, at, seen_by, seen_at, folder, folder_name, from_folder, "isRead", flag,
           categories, internet_id, received, subject, sender_name, sender_email, importance, "hasAttachments",
           conversation, "hasListUnsubscribe", "isAutomated", related, from_folder_name
      FROM t WHERE type IS NOT NULL
    ON CONFLICT (user_id, mailbox, message_id, event_type, change) DO NOTHING
    RETURNING seq)`;

/** An event that was just written. */
export interface RecordedEvent {
  readonly messageId: string;
  readonly eventType: EventType;
  readonly folderId: string;
  readonly receivedAt: Date | null;
}

export async function findRecorded(
  on: Queryable,
  seqs: readonly number[],
): Promise<RecordedEvent[]> {
  if (seqs.length === 0) return [];
  const { rows } = await on.query<RecordedEvent>(
    `SELECT message_id AS "messageId", event_type AS "eventType", folder_id AS "folderId",
            received_at AS "receivedAt"
       FROM postroom.event WHERE seq = ANY($1) ORDER BY seq`,
    [seqs],
  );
  return rows;
}

/**
 * Events that put messages into folders, for messages received since the given time, ordered by event number.
 */
export async function findEnterings(
  on: Queryable,
  page: { mailbox: number; from: Date; after: number; limit: number },
): Promise<(RecordedEvent & { seq: number })[]> {
  const { rows } = await on.query<RecordedEvent & { seq: number }>(
    `SELECT seq, message_id AS "messageId", event_type AS "eventType", folder_id AS "folderId",
            received_at AS "receivedAt"
       FROM postroom.event
      WHERE mailbox = $1 AND received_at >= $2 AND seq > $3
        AND event_type IN ('arrived', 'moved', 'restored', 're-keyed')
      ORDER BY seq LIMIT $4`,
    [page.mailbox, page.from, page.after, page.limit],
  );
  return rows;
}

/** Whose events are erased, and what a legal hold keeps of them. */
interface ErasedEvents {
  readonly address: string;
  readonly ids: readonly string[];
  readonly mailboxes: readonly number[];
  readonly heldPeople: readonly string[];
  readonly heldMessages: readonly string[];
}

/** Erases the events of a person's mailboxes. Returns how many. */
export async function eraseEvents(tx: Transaction, of: ErasedEvents): Promise<number> {
  const { rows } = await tx.query<{ seq: number }>(
    `DELETE FROM postroom.event
      WHERE (user_id = ANY($1) OR mailbox = ANY($2)) AND message_id <> ALL($3)
        AND (sender_email IS NULL OR lower(sender_email) <> ALL($4)) RETURNING seq`,
    [of.ids, of.mailboxes, of.heldMessages, of.heldPeople],
  );
  await removeFromFeed(
    tx,
    rows.map(({ seq }) => seq),
  );
  return rows.length;
}

/** Blanks the events of mail that a person sent to others. Returns how many. */
export async function redactEvents(
  tx: Transaction,
  { address, heldMessages }: Pick<ErasedEvents, "address" | "heldMessages">,
): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE postroom.event SET sender_name = NULL, sender_email = NULL, subject = NULL
      WHERE lower(sender_email) = $1 AND message_id <> ALL($2)`,
    [address, heldMessages],
  );
  return rowCount;
}

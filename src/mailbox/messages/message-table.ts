import { toTextArray } from "../../store/array-text.ts";
import type { Queryable, Transaction } from "../../store/database.ts";
import type { MessageState } from "./message.ts";

const COLUMNS = `message_id AS "messageId", folder_id AS "folderId", is_read AS "isRead", is_draft AS "isDraft",
  is_deleted AS "isDeleted", flag, categories, change_key AS "changeKey", modified_at AS "modifiedAt", lives,
  looked_at AS "lookedAt",
  internet_message_id AS "internetMessageId", received_at AS "receivedAt", subject, sender_name AS "senderName",
  sender_email AS "senderEmail", importance, has_attachments AS "hasAttachments",
  conversation_id AS "conversationId", has_list_unsubscribe AS "hasListUnsubscribe", is_automated AS "isAutomated"`;

const WRITTEN_COLUMNS = `mailbox, message_id, folder_id, is_read, is_draft, is_deleted, flag, categories,
  change_key, modified_at, lives, generation, looked_at, first_event_at, last_event_at, internet_message_id,
  received_at, subject, sender_name, sender_email, importance, has_attachments, conversation_id,
  has_list_unsubscribe, is_automated`;
const WRITTEN_VALUES = `mailbox, id, folder, "isRead", "isDraft", "isDeleted", flag, categories,
  change_key, modified, lives, generation, seen_at, seen_at, CASE WHEN "hasEvent" THEN seen_at END, internet_id,
  received, subject, sender_name, sender_email, importance, "hasAttachments", conversation,
  "hasListUnsubscribe", "isAutomated"`;

/** The part of a statement that stores the last state of each message in its rows `t`. */
export const WRITE_STATES = `added AS (
    INSERT INTO postroom.message (${WRITTEN_COLUMNS})
    SELECT ${WRITTEN_VALUES} FROM t WHERE "isLast" AND "isNew"),
  kept AS (
    INSERT INTO postroom.message (${WRITTEN_COLUMNS})
    SELECT ${WRITTEN_VALUES} FROM t WHERE "isLast" AND NOT "isNew"
    ON CONFLICT (mailbox, message_id) DO UPDATE SET
      folder_id = EXCLUDED.folder_id, is_read = EXCLUDED.is_read, is_draft = EXCLUDED.is_draft,
      is_deleted = EXCLUDED.is_deleted, flag = EXCLUDED.flag, categories = EXCLUDED.categories,
      change_key = EXCLUDED.change_key, modified_at = EXCLUDED.modified_at, lives = EXCLUDED.lives,
      generation = greatest(message.generation, EXCLUDED.generation), looked_at = EXCLUDED.looked_at,
      last_event_at = coalesce(EXCLUDED.last_event_at, message.last_event_at),
      internet_message_id = EXCLUDED.internet_message_id, received_at = EXCLUDED.received_at,
      subject = EXCLUDED.subject, sender_name = EXCLUDED.sender_name, sender_email = EXCLUDED.sender_email,
      importance = EXCLUDED.importance, has_attachments = EXCLUDED.has_attachments,
      conversation_id = EXCLUDED.conversation_id, has_list_unsubscribe = EXCLUDED.has_list_unsubscribe,
      is_automated = EXCLUDED.is_automated,
      is_doubtful = EXCLUDED.is_deleted AND NOT message.is_deleted,
      gone_at = CASE WHEN EXCLUDED.is_deleted THEN coalesce(message.gone_at, postroom.now()) END)`;

/** Serialises writes to one mailbox's states and events; each lock lasts one short transaction. */
export async function lockMailboxState(tx: Transaction, mailbox: number): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(70701, $1)", [mailbox]);
}

/** The database's time, to record when Graph was asked: the clocks of our own machines may differ. */
export async function timeOfAsking(on: Queryable): Promise<Date> {
  return (await on.query<{ now: Date }>("SELECT postroom.now() AS now")).rows[0]!.now;
}

export async function findMessages(
  on: Queryable,
  mailbox: number,
  messageIds: readonly string[],
): Promise<Map<string, MessageState>> {
  const { rows } = await on.query<MessageState>(
    `SELECT ${COLUMNS} FROM postroom.message WHERE mailbox = $1 AND message_id = ANY($2)`,
    [mailbox, toTextArray(messageIds)],
    "find-messages",
  );
  return new Map(rows.map((state) => [state.messageId, state]));
}

export type GoneMessage = Pick<MessageState, "messageId" | "isDraft" | "lookedAt">;

/**
 * Messages of this mailbox that are gone, by their RFC 5322 id. A new message with such an id has only
 * changed its Graph id.
 */
export async function findGoneByInternetId(
  on: Queryable,
  mailbox: number,
  internetMessageIds: readonly string[],
): Promise<Map<string, GoneMessage>> {
  const { rows } = await on.query<GoneMessage & { internet: string }>(
    `SELECT DISTINCT ON (internet_message_id) internet_message_id AS internet, message_id AS "messageId",
            is_draft AS "isDraft", looked_at AS "lookedAt"
       FROM postroom.message
      WHERE mailbox = $1 AND internet_message_id = ANY($2) AND is_deleted
      ORDER BY internet_message_id, looked_at DESC, message_id`,
    [mailbox, toTextArray(internetMessageIds)],
    "find-gone-by-internet-id",
  );
  return new Map(rows.map(({ internet, ...gone }) => [internet, gone]));
}

/** Live messages with the RFC 5322 id of a message that is new to us, except those in `others`. */
export async function findTwins(
  on: Queryable,
  mailbox: number,
  seen: readonly { readonly messageId: string; readonly internetMessageId: string }[],
  others: readonly string[],
): Promise<string[]> {
  // One lookup per message: without table statistics, a plan for all of them reads the whole mailbox.
  const { rows } = await on.query<{ id: string }>(
    `SELECT DISTINCT m.message_id AS id
       FROM unnest($2::text[], $3::text[]) AS t(id, internet_id)
      CROSS JOIN LATERAL (
        SELECT message_id FROM postroom.message
         WHERE internet_message_id = t.internet_id AND mailbox = $1 AND NOT is_deleted OFFSET 0) m
      WHERE NOT m.message_id = ANY($4)
        AND (SELECT k.message_id FROM postroom.message k WHERE k.mailbox = $1 AND k.message_id = t.id) IS NULL
      ORDER BY 1`,
    [
      mailbox,
      toTextArray(seen.map((one) => one.messageId)),
      toTextArray(seen.map((one) => one.internetMessageId)),
      toTextArray(others),
    ],
    "find-twins",
  );
  return rows.map((row) => row.id);
}

/** Ids of received messages that are in these folders now, in the order of their ids. */
export async function findReceived(
  on: Queryable,
  mailbox: number,
  page: {
    readonly folders: ReadonlySet<string>;
    readonly since: Date;
    readonly until: Date;
    readonly after: string;
    readonly limit: number;
  },
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT message_id AS id FROM postroom.message
      WHERE mailbox = $1 AND folder_id = ANY($2) AND NOT is_deleted AND NOT is_draft
        AND received_at >= $3 AND received_at < $4 AND message_id > $5
      ORDER BY message_id LIMIT $6`,
    [mailbox, [...page.folders], page.since, page.until, page.after, page.limit],
  );
  return rows.map((row) => row.id);
}

/** Ids that a finished full round of the folder did not find. */
export async function findUnmet(
  on: Queryable,
  mailbox: number,
  folderId: string,
  generation: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT message_id AS id FROM postroom.message
      WHERE mailbox = $1 AND folder_id = $2 AND generation < $3 AND NOT is_deleted
      ORDER BY message_id LIMIT $4`,
    [mailbox, folderId, generation, limit],
  );
  return rows.map((row) => row.id);
}

/** Live messages in folders that are gone. */
export async function findStranded(
  on: Queryable,
  mailbox: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT m.message_id AS id FROM postroom.folder f
       JOIN postroom.message m ON m.mailbox = f.mailbox AND m.folder_id = f.folder_id AND NOT m.is_deleted
      WHERE f.mailbox = $1 AND f.is_gone ORDER BY m.message_id LIMIT $2`,
    [mailbox, limit],
  );
  return rows.map((row) => row.id);
}

/** Marks messages as found by a full round although nothing about them changed. */
export async function markMet(
  tx: Transaction,
  mailbox: number,
  messageIds: readonly string[],
  generation: number,
): Promise<void> {
  if (messageIds.length === 0) return;
  await tx.query(
    `UPDATE postroom.message SET generation = $3
      WHERE mailbox = $1 AND message_id = ANY($2) AND generation < $3`,
    [mailbox, toTextArray(messageIds), generation],
  );
}

/** Takes messages that an earlier run found gone with a single 404. */
export async function takeDoubtful(
  on: Queryable,
  mailbox: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT message_id AS id FROM postroom.message
      WHERE mailbox = $1 AND is_doubtful AND gone_at < postroom.now() - interval '1 minute'
      ORDER BY message_id LIMIT $2`,
    [mailbox, limit],
  );
  return rows.map((row) => row.id);
}

export async function clearDoubt(
  on: Queryable,
  mailbox: number,
  messageIds: readonly string[],
): Promise<void> {
  await on.query(
    "UPDATE postroom.message SET is_doubtful = false WHERE mailbox = $1 AND message_id = ANY($2)",
    [mailbox, messageIds],
  );
}

/**
 * Finds received messages in all mailboxes by RFC 5322 id. The caller must check access: knowing an id does
 * not make anyone a party to the mail.
 */
export async function findByInternetId(
  on: Queryable,
  internetMessageId: string,
): Promise<ReceivedMessage[]> {
  const plain = internetMessageId.trim().replace(/^<|>$/g, "");
  const { rows } = await on.query<ReceivedMessage>(
    `SELECT b.address AS mailbox, m.message_id AS "messageId", m.sender_email AS "senderEmail", m.subject,
            m.received_at AS "receivedAt"
       FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox
      WHERE m.internet_message_id = ANY($1) AND NOT m.is_deleted AND NOT m.is_draft
      ORDER BY m.received_at, b.id LIMIT 100`,
    [[plain, `<${plain}>`]],
  );
  return rows;
}

/** Which of these messages the mailbox has now, under their ids or under another id with the same RFC 5322 id. */
export async function findPresent(
  on: Queryable,
  mailbox: number,
  wanted: { readonly ids: readonly string[]; readonly internetIds: readonly string[] },
): Promise<{ ids: ReadonlySet<string>; byInternetId: ReadonlyMap<string, string> }> {
  const { rows } = await on.query<{ id: string; internetId: string | null }>(
    `SELECT message_id AS id, internet_message_id AS "internetId" FROM postroom.message
      WHERE mailbox = $1 AND NOT is_deleted AND (message_id = ANY($2) OR internet_message_id = ANY($3))
      ORDER BY received_at DESC NULLS FIRST, message_id DESC`,
    [mailbox, wanted.ids, wanted.internetIds],
  );
  return {
    ids: new Set(rows.map(({ id }) => id)),
    // Of several copies the oldest, which is the last one here.
    byInternetId: new Map(
      rows.flatMap(({ id, internetId }) => (internetId ? [[internetId, id]] : [])),
    ),
  };
}

export interface ReceivedMessage {
  readonly mailbox: string;
  readonly messageId: string;
  readonly senderEmail: string | null;
  readonly subject: string | null;
  readonly receivedAt: Date | null;
}

/** Deletes at most `limit` rows of messages that are gone and whose last event is older. */
export async function removeGoneBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.message WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM postroom.message WHERE is_deleted AND last_event_at < $1 LIMIT $2))
        AND is_deleted AND last_event_at < $1`,
    [before, limit],
  );
  return rowCount;
}

export async function removeMessages(
  tx: Transaction,
  mailbox: number,
  messageIds: readonly string[],
): Promise<void> {
  await tx.query("DELETE FROM postroom.message WHERE mailbox = $1 AND message_id = ANY($2)", [
    mailbox,
    messageIds,
  ]);
}

/** Sets messages back to what their last events say. */
export async function rewindMessages(
  tx: Transaction,
  mailbox: number,
  messageIds: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE postroom.message m
        SET folder_id = e.folder_id, is_read = e.is_read, flag = e.flag, categories = e.categories,
            is_deleted = e.event_type = 'deleted', change_key = '', modified_at = 'epoch'
       FROM (SELECT DISTINCT ON (message_id) * FROM postroom.event
              WHERE mailbox = $1 AND message_id = ANY($2) ORDER BY message_id, seq DESC) e
      WHERE m.mailbox = $1 AND m.message_id = e.message_id`,
    [mailbox, messageIds],
  );
}

/** Blanks the messages that a person sent to others. */
export async function redactMessages(
  tx: Transaction,
  { address, heldMessages }: { readonly address: string; readonly heldMessages: readonly string[] },
): Promise<void> {
  await tx.query(
    `UPDATE postroom.message SET sender_name = NULL, sender_email = NULL, subject = NULL
      WHERE lower(sender_email) = $1 AND message_id <> ALL($2)`,
    [address, heldMessages],
  );
}

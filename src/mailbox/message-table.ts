import type { Queryable, Transaction } from "../store/database.ts";
import type { MessageState } from "./message.ts";

const COLUMNS = `message_id AS "messageId", folder_id AS "folderId", is_read AS "isRead", is_draft AS "isDraft",
  is_deleted AS "isDeleted", flag, categories, change_key AS "changeKey", modified_at AS "modifiedAt", lives,
  internet_message_id AS "internetMessageId", received_at AS "receivedAt", subject, sender_name AS "senderName",
  sender_email AS "senderEmail", importance, has_attachments AS "hasAttachments",
  conversation_id AS "conversationId", has_list_unsubscribe AS "hasListUnsubscribe", is_automated AS "isAutomated"`;

/** Writes to one mailbox's states and events take turns; a turn is one short transaction. */
export async function lockMailboxState(tx: Transaction, mailbox: number): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(70701, $1)", [mailbox]);
}

export async function findMessages(
  on: Queryable,
  mailbox: number,
  messageIds: readonly string[],
): Promise<Map<string, MessageState>> {
  const { rows } = await on.query<MessageState>(
    `SELECT ${COLUMNS} FROM postroom.message WHERE mailbox = $1 AND message_id = ANY($2)`,
    [mailbox, messageIds],
  );
  return new Map(rows.map((state) => [state.messageId, state]));
}

/** Messages of this mailbox that are gone, by their RFC 5322 id: a new id for one of them is a re-key. */
export async function findGoneByInternetId(
  on: Queryable,
  mailbox: number,
  internetMessageIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await on.query<{ internet: string; id: string }>(
    `SELECT internet_message_id AS internet, min(message_id) AS id FROM postroom.message
      WHERE internet_message_id = ANY($2) AND mailbox = $1 AND is_deleted
      GROUP BY internet_message_id`,
    [mailbox, internetMessageIds],
  );
  return new Map(rows.map((row) => [row.internet, row.id]));
}

/** Ids that a finished walk of the folder did not meet. */
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

/** Separates category names inside one parameter; it cannot stand in a name that Outlook accepts. */
const SEPARATOR = "\u001f";

export async function upsertMessages(
  tx: Transaction,
  mailbox: number,
  states: readonly MessageState[],
  generation: number,
): Promise<void> {
  if (states.length === 0) return;
  const column = <T>(pick: (state: MessageState) => T): T[] => states.map(pick);
  await tx.query(
    `INSERT INTO postroom.message (mailbox, message_id, folder_id, is_read, is_draft, is_deleted, flag, categories,
       change_key, modified_at, lives, generation, internet_message_id, received_at, subject, sender_name,
       sender_email, importance, has_attachments, conversation_id, has_list_unsubscribe, is_automated)
     SELECT $1, id, folder, rd, draft, gone, flag, string_to_array(cats, E'\\x1f'), ck, modified, lives, $2, imi,
       received, subject, sname, semail, importance, att, conv, hlu, auto
       FROM unnest($3::text[], $4::text[], $5::bool[], $6::bool[], $7::bool[], $8::text[], $9::text[], $10::text[],
         $11::timestamptz[], $12::int[], $13::text[], $14::timestamptz[], $15::text[], $16::text[], $17::text[],
         $18::text[], $19::bool[], $20::text[], $21::bool[], $22::bool[])
         AS t(id, folder, rd, draft, gone, flag, cats, ck, modified, lives, imi, received, subject, sname, semail,
              importance, att, conv, hlu, auto)
     ON CONFLICT (mailbox, message_id) DO UPDATE SET
       folder_id = EXCLUDED.folder_id, is_read = EXCLUDED.is_read, is_draft = EXCLUDED.is_draft,
       is_deleted = EXCLUDED.is_deleted, flag = EXCLUDED.flag, categories = EXCLUDED.categories,
       change_key = EXCLUDED.change_key, modified_at = EXCLUDED.modified_at, lives = EXCLUDED.lives,
       generation = greatest(message.generation, EXCLUDED.generation),
       internet_message_id = EXCLUDED.internet_message_id, received_at = EXCLUDED.received_at,
       subject = EXCLUDED.subject, sender_name = EXCLUDED.sender_name, sender_email = EXCLUDED.sender_email,
       importance = EXCLUDED.importance, has_attachments = EXCLUDED.has_attachments,
       conversation_id = EXCLUDED.conversation_id, has_list_unsubscribe = EXCLUDED.has_list_unsubscribe,
       is_automated = EXCLUDED.is_automated`,
    [
      mailbox,
      generation,
      column((state) => state.messageId),
      column((state) => state.folderId),
      column((state) => state.isRead),
      column((state) => state.isDraft),
      column((state) => state.isDeleted),
      column((state) => state.flag),
      column((state) => joinNames(state.categories)),
      column((state) => state.changeKey),
      column((state) => state.modifiedAt),
      column((state) => state.lives),
      column((state) => state.internetMessageId),
      column((state) => state.receivedAt),
      column((state) => state.subject),
      column((state) => state.senderName),
      column((state) => state.senderEmail),
      column((state) => state.importance),
      column((state) => state.hasAttachments),
      column((state) => state.conversationId),
      column((state) => state.hasListUnsubscribe),
      column((state) => state.isAutomated),
    ],
  );
}

/** Marks messages as met by a walk although nothing about them changed. */
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
    [mailbox, messageIds, generation],
  );
}

export function joinNames(names: readonly string[]): string {
  return names.join(SEPARATOR);
}

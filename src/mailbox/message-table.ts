import { toPlainArray, toTextArray, toTimeArray } from "../store/array-text.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import type { Rekeyed } from "./diff-message.ts";
import type { MessageState } from "./message.ts";

const COLUMNS = `message_id AS "messageId", folder_id AS "folderId", is_read AS "isRead", is_draft AS "isDraft",
  is_deleted AS "isDeleted", flag, categories, change_key AS "changeKey", modified_at AS "modifiedAt", lives,
  looked_at AS "lookedAt",
  internet_message_id AS "internetMessageId", received_at AS "receivedAt", subject, sender_name AS "senderName",
  sender_email AS "senderEmail", importance, has_attachments AS "hasAttachments",
  conversation_id AS "conversationId", has_list_unsubscribe AS "hasListUnsubscribe", is_automated AS "isAutomated"`;

/** Writes to one mailbox's states and events take turns; a turn is one short transaction. */
export async function lockMailboxState(tx: Transaction, mailbox: number): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(70701, $1)", [mailbox]);
}

/** The database's time, for saying when Graph was asked: our own machines' clocks may differ. */
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
    [mailbox, messageIds],
  );
  return new Map(rows.map((state) => [state.messageId, state]));
}

/**
 * Messages of this mailbox that are gone, or going with this observation, by their RFC 5322 id: a new
 * id for one of them is a re-key.
 */
export async function findGoneByInternetId(
  on: Queryable,
  mailbox: number,
  internetMessageIds: readonly string[],
  goingNow: readonly string[],
): Promise<Map<string, Rekeyed>> {
  const { rows } = await on.query<Rekeyed & { internet: string }>(
    `SELECT DISTINCT ON (internet_message_id) internet_message_id AS internet, message_id AS "messageId",
            is_draft AS "wasDraft"
       FROM postroom.message
      WHERE internet_message_id = ANY($2) AND mailbox = $1 AND (is_deleted OR message_id = ANY($3))
      ORDER BY internet_message_id, looked_at DESC, message_id`,
    [mailbox, internetMessageIds, goingNow],
  );
  return new Map(
    rows.map(({ internet, messageId, wasDraft }) => [internet, { messageId, wasDraft }]),
  );
}

/** Live messages that bear the RFC 5322 id of one that is new to us, apart from those named in `others`. */
export async function findTwins(
  on: Queryable,
  mailbox: number,
  seen: readonly { readonly messageId: string; readonly internetMessageId: string }[],
  others: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT DISTINCT m.message_id AS id
       FROM unnest($2::text[], $3::text[]) AS t(id, internet_id)
       JOIN postroom.message m ON m.internet_message_id = t.internet_id AND m.mailbox = $1 AND NOT m.is_deleted
      WHERE NOT m.message_id = ANY($4)
        AND NOT EXISTS (SELECT 1 FROM postroom.message k WHERE k.mailbox = $1 AND k.message_id = t.id)
      ORDER BY 1`,
    [mailbox, seen.map((one) => one.messageId), seen.map((one) => one.internetMessageId), others],
  );
  return rows.map((row) => row.id);
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

/** Separates category names inside one parameter; it cannot stand in a name that Outlook accepts. */
const SEPARATOR = "\u001f";

export async function upsertMessages(
  tx: Transaction,
  mailbox: number,
  states: readonly MessageState[],
  seen: {
    readonly generation: number;
    readonly at: Date;
    readonly withEvents: ReadonlySet<string>;
  },
): Promise<void> {
  if (states.length === 0) return;
  const texts = (pick: (state: MessageState) => string | null) => toTextArray(states.map(pick));
  const times = (pick: (state: MessageState) => Date | null) => toTimeArray(states.map(pick));
  const plain = (pick: (state: MessageState) => number | boolean) => toPlainArray(states.map(pick));
  await tx.query(
    `INSERT INTO postroom.message (mailbox, message_id, folder_id, is_read, is_draft, is_deleted, flag, categories,
       change_key, modified_at, lives, generation, looked_at, first_event_at, last_event_at, internet_message_id,
       received_at, subject, sender_name, sender_email, importance, has_attachments, conversation_id,
       has_list_unsubscribe, is_automated)
     SELECT $1, id, folder, rd, draft, gone, flag, string_to_array(cats, E'\\x1f'), ck, modified, lives, $2,
       $24::timestamptz, $24, CASE WHEN ev THEN $24::timestamptz END, imi, received, subject, sname, semail, importance, att, conv,
       hlu, auto
       FROM unnest($3::text[], $4::text[], $5::bool[], $6::bool[], $7::bool[], $8::text[], $9::text[], $10::text[],
         $11::timestamptz[], $12::int[], $13::text[], $14::timestamptz[], $15::text[], $16::text[], $17::text[],
         $18::text[], $19::bool[], $20::text[], $21::bool[], $22::bool[], $23::bool[])
         AS t(id, folder, rd, draft, gone, flag, cats, ck, modified, lives, imi, received, subject, sname, semail,
              importance, att, conv, hlu, auto, ev)
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
       gone_at = CASE WHEN EXCLUDED.is_deleted THEN coalesce(message.gone_at, postroom.now()) END`,
    [
      mailbox,
      seen.generation,
      texts((state) => state.messageId),
      texts((state) => state.folderId),
      plain((state) => state.isRead),
      plain((state) => state.isDraft),
      plain((state) => state.isDeleted),
      texts((state) => state.flag),
      texts((state) => joinNames(state.categories)),
      texts((state) => state.changeKey),
      times((state) => state.modifiedAt),
      plain((state) => state.lives),
      texts((state) => state.internetMessageId),
      times((state) => state.receivedAt),
      texts((state) => state.subject),
      texts((state) => state.senderName),
      texts((state) => state.senderEmail),
      texts((state) => state.importance),
      plain((state) => state.hasAttachments),
      texts((state) => state.conversationId),
      plain((state) => state.hasListUnsubscribe),
      plain((state) => state.isAutomated),
      plain((state) => seen.withEvents.has(state.messageId)),
      seen.at,
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

/** Messages found gone before this run, by one look only. */
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

export function joinNames(names: readonly string[]): string {
  return names.join(SEPARATOR);
}

import type { Database, Queryable, Transaction } from "../store/database.ts";
import { lockMailboxState } from "./message-table.ts";

/** What the events, read in order, say about a message now. */
export interface LoggedMessage {
  readonly messageId: string;
  readonly isDeleted: boolean;
  readonly folderId: string;
  readonly isRead: boolean;
  readonly flag: string;
  readonly categories: readonly string[];
  readonly subject: string | null;
  /** Whether the event that brought the message is there. */
  readonly hasBeginning: boolean;
}

/**
 * The log folded to one row per message: its last event, and whether its first is there. Events that
 * were removed because they had been kept long enough are not missed; what they said stands in our
 * state of the message.
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

/** Removes events that have been kept long enough, and what is left of messages that are gone as long. */
export async function forgetBefore(database: Database, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.query("UPDATE postroom.mailbox SET forgotten_before = $1", [before]);
    await tx.query("DELETE FROM postroom.message WHERE is_deleted AND last_event_at < $1", [
      before,
    ]);
    const events = await tx.query("DELETE FROM postroom.event WHERE seen_at < $1", [before]);
    return events.rowCount;
  });
}

/**
 * Sets our state of these messages back to what the log says, so that the next look at them records
 * the difference. A message whose beginning the log lacks is forgotten altogether.
 */
export async function rewindToLog(
  tx: Transaction,
  mailbox: number,
  messageIds: readonly string[],
): Promise<void> {
  await lockMailboxState(tx, mailbox);
  const log = await loadLog(tx, mailbox, null, messageIds);
  const forgotten = messageIds.filter((id) => log.get(id)?.hasBeginning !== true);
  await tx.query("DELETE FROM postroom.message WHERE mailbox = $1 AND message_id = ANY($2)", [
    mailbox,
    forgotten,
  ]);
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

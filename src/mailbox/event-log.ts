import type { Queryable, Transaction } from "../store/database.ts";
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

/** The log folded to one row per message: its last event, and whether its first is there. */
export async function loadLog(
  on: Queryable,
  mailbox: number,
  since: Date | null,
  only: readonly string[] | null = null,
): Promise<Map<string, LoggedMessage>> {
  const { rows } = await on.query<LoggedMessage>(
    `SELECT DISTINCT ON (message_id) message_id AS "messageId", event_type = 'deleted' AS "isDeleted",
            folder_id AS "folderId", is_read AS "isRead", flag, categories, subject,
            bool_or(event_type IN ('arrived', 'sent', 're-keyed') AND change = '')
              OVER (PARTITION BY message_id) AS "hasBeginning"
       FROM postroom.event
      WHERE mailbox = $1 AND ($2::timestamptz IS NULL OR coalesce(received_at, at) >= $2)
        AND ($3::text[] IS NULL OR message_id = ANY($3))
      ORDER BY message_id, seq DESC`,
    [mailbox, since, only],
  );
  return new Map(rows.map((row) => [row.messageId, row]));
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

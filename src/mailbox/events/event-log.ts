/** The log against our state of the messages: setting states back to it, and removing what is old from both. */
import type { Database, Transaction } from "../../store/database.ts";
import { setForgottenBefore } from "../mailbox-table.ts";
import {
  lockMailboxState,
  removeGoneBefore,
  removeMessages,
  rewindMessages,
} from "../messages/message-table.ts";
import { loadLog, removeEventsBefore } from "./event-table.ts";

/** Removes events that are past their retention, and the rows of messages that have been gone as long. */
export async function forgetBefore(database: Database, before: Date): Promise<number> {
  return database.transaction(async (tx) => {
    await setForgottenBefore(tx, before);
    await removeGoneBefore(tx, before);
    return removeEventsBefore(tx, before);
  });
}

/**
 * Sets our state of these messages back to what the log says, so that the next look at them records
 * the difference. A message whose first event is missing from the log is forgotten altogether.
 */
export async function rewindToLog(
  tx: Transaction,
  mailbox: number,
  messageIds: readonly string[],
): Promise<void> {
  await lockMailboxState(tx, mailbox);
  const log = await loadLog(tx, mailbox, null, messageIds);
  const forgotten = messageIds.filter((id) => log.get(id)?.hasBeginning !== true);
  await removeMessages(tx, mailbox, forgotten);
  await rewindMessages(tx, mailbox, messageIds);
}

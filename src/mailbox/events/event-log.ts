/** Keeps the event log and the stored message states consistent: rewinds states to what the log says, and removes old rows from both. */
import type { Database, Transaction } from "../../store/database.ts";
import { inBatches } from "../../store/in-batches.ts";
import { setForgottenBefore } from "../mailbox-table.ts";
import {
  lockMailboxState,
  removeGoneBefore,
  removeMessages,
  rewindMessages,
} from "../messages/message-table.ts";
import { loadLog, removeEventsBefore } from "./event-table.ts";

const REMOVED_AT_ONCE = 5_000;

/** Removes events that are past their retention, and the rows of messages that have been gone for as long. */
export async function forgetBefore(
  database: Database,
  before: Date,
  onProgress: () => void = () => {},
): Promise<number> {
  // Record the cutoff before removing anything, so that an audit running meanwhile does not report removed events
  // as missing.
  await setForgottenBefore(database, before);
  await inBatches(REMOVED_AT_ONCE, (limit) => removeGoneBefore(database, before, limit));
  return inBatches(REMOVED_AT_ONCE, (limit) => {
    onProgress();
    return database.transaction((tx) => removeEventsBefore(tx, before, limit));
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

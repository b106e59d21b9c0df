import { findInternetId } from "../../../ingestion/alias-table.ts";
import { getMailboxByAddress } from "../../../mailbox/mailbox-table.ts";
import { findMessages } from "../../../mailbox/messages/message-table.ts";
import type { IngestNeeds } from "./needs.ts";

/**
 * The new id of a message that is not found under its old one: some programs move a message by copying and
 * deleting it. Null if the mailbox has no such message, or if we do not know its internet message id.
 */
export async function findMoved(
  needs: IngestNeeds,
  mailbox: string,
  messageId: string,
): Promise<string | null> {
  const internetId = await internetIdOf(needs, mailbox, messageId);
  if (internetId === null) return null;
  const now = await needs.mail.findByInternetId(mailbox, internetId);
  return now === messageId ? null : now;
}

/** From the aliases that ingestion recorded, otherwise from what was observed of the mailbox. */
async function internetIdOf(
  { database }: IngestNeeds,
  address: string,
  messageId: string,
): Promise<string | null> {
  const read = await findInternetId(database, { mailbox: address, messageId });
  if (read !== null) return read;
  const mailbox = await getMailboxByAddress(database, address);
  if (mailbox === null) return null;
  const observed = await findMessages(database, mailbox.id, [messageId]);
  return observed.get(messageId)?.internetMessageId ?? null;
}

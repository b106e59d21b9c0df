/**
 * Hides subjects and senders of mail in mailboxes that are not the caller's own, if the settings ask for it. A viewer
 * can reveal one message at a time; the log of actions records who did so, and when.
 */
import type { MailEvent } from "../../mailbox/events/event.ts";
import { findMailboxes } from "../../mailbox/mailbox-table.ts";
import type { Database } from "../../store/database.ts";
import type { Caller } from "./auth.ts";

export interface MaskNeeds {
  readonly database: Database;
  readonly masksMail: boolean;
}

/** Whether the mail of the mailbox with this address is hidden from the caller. */
export type Mask = (address: string) => boolean;

export async function maskFor(needs: MaskNeeds, caller: Caller): Promise<Mask> {
  if (!needs.masksMail) return () => false;
  const own = new Set<string>();
  for (const { address, ownerId } of await findMailboxes(needs.database))
    if (ownerId === caller.id) own.add(address.toLowerCase());
  return (address) => !own.has(address.toLowerCase());
}

/** The internet message ID usually names the sender's domain, so it is hidden too. */
export function maskEvent(event: MailEvent, mask: Mask): MailEvent & { isMasked: boolean } {
  if (!mask(event.mailbox)) return { ...event, isMasked: false };
  return { ...event, subject: null, sender: {}, internetMessageId: null, isMasked: true };
}

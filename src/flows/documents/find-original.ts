/** Finds the message of a watched mailbox that an e-mail row in Dataverse was made from. */
import assert from "node:assert/strict";
import type { DataverseMail } from "../../filing/dataverse-mail.ts";
import { mailKeyOf } from "../../filing/from-mail/same-mail.ts";
import { isOriginalOf, type PossibleOriginal } from "../../filing/original-mail.ts";
import { findMailboxes, getMailboxByAddress, type Mailbox } from "../../mailbox/mailbox-table.ts";
import { findByInternetId } from "../../mailbox/messages/message-table.ts";
import type { Queryable } from "../../store/database.ts";
import type { OriginalMail } from "./mail-to-document.ts";
import type { MailboxMailSource } from "./mailbox-mail.ts";

interface Needs {
  readonly database: Queryable;
  readonly mail: MailboxMailSource;
}

export function findOriginalWith(needs: Needs) {
  return async (mail: DataverseMail): Promise<OriginalMail | null> => {
    const internetId = mail.messageId!;
    const known = await findByInternetId(needs.database, internetId);
    const found =
      known.find((message) => isOriginalOf(mail, message)) ?? (await lookForIt(needs, mail));
    if (found === null) return null;
    const mailbox = await getMailboxByAddress(needs.database, found.mailbox);
    assert(mailbox !== null, `the mailbox ${found.mailbox} is gone`);
    return {
      mailKey: mailKeyOf(internetId, found),
      getMime: () => needs.mail.getMime(mailbox, found.messageId),
    };
  };
}

/** Dataverse can be faster than the mailbox's own notification; then the message is already in the mailbox, but not in our tables. */
async function lookForIt(needs: Needs, mail: DataverseMail): Promise<PossibleOriginal | null> {
  const parties = new Set([mail.from ?? "", ...mail.to, ...mail.cc].map(plain));
  const watched = await findMailboxes(needs.database);
  for (const mailbox of watched.filter((each) => isReadable(each) && parties.has(each.address))) {
    for (const id of await needs.mail.findByInternetId(mailbox, mail.messageId!)) {
      const found = await readAt(needs, mailbox, id);
      if (found !== null && isOriginalOf(mail, found)) return found;
    }
  }
  return null;
}

const plain = (address: string) => address.trim().toLowerCase();

const isReadable = ({ status }: Mailbox) => status === "active";

async function readAt(
  needs: Needs,
  mailbox: Mailbox,
  messageId: string,
): Promise<PossibleOriginal | null> {
  const message = await needs.mail.getMessage(mailbox, messageId);
  // Gone by now, or not sent yet.
  if (message?.isDraft !== false) return null;
  const { from: senderEmail, subject, date: receivedAt } = message.mail;
  return { mailbox: mailbox.address, messageId: message.id, senderEmail, subject, receivedAt };
}

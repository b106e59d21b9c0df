/**
 * Recognises one message that comes both from a mailbox and through Dataverse, or from two mailboxes. Senders choose
 * the Message-ID, so it counts only together with sender, subject and time.
 */
import { key16 } from "../../lib/hash.ts";
import { toStorableText } from "../../store/database.ts";
import type { FiledMail } from "../filed-mail.ts";
import type { Filing } from "../filing.ts";
import { isOriginalOf, type PossibleOriginal } from "../original-mail.ts";

/** Copies of one message arrive within seconds to minutes. */
const TRANSPORT_MS = 3_600_000;

/** Made of what a mailbox says about the message, never of a row that anybody may write. */
export function mailKeyOf(
  internetMessageId: string | null,
  found: Pick<PossibleOriginal, "senderEmail" | "subject">,
): string | null {
  const plain = internetMessageId?.trim().replace(/^<|>$/g, "") ?? "";
  if (plain === "" || found.senderEmail === null) return null;
  const subject = toStorableText(found.subject ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return key16(plain, found.senderEmail.trim().toLowerCase(), subject);
}

/** Whether a filing with the same key is really of this mail. */
export function isSameMail(filing: Filing, mail: Pick<FiledMail, "date">): boolean {
  const filed = Date.parse(String(filing.columns["sprk_emaildate"]));
  return Math.abs(filed - mail.date.getTime()) <= TRANSPORT_MS;
}

/** Whether an e-mail of Dataverse that was filed from its parts is this message of a mailbox. */
export function isComposedOf({ columns }: Filing, found: PossibleOriginal): boolean {
  const text = (name: string) => String(columns[name] ?? "");
  const list = (name: string) => text(name).split(";");
  const mail = {
    from: text("sprk_emailfrom"),
    to: list("sprk_emailto"),
    cc: list("sprk_emailcc"),
    subject: text("sprk_emailsubject"),
    date: new Date(String(columns["sprk_emaildate"])),
    trackingToken: text("sprk_emailtrackingtoken"),
  };
  return isOriginalOf(mail, found);
}

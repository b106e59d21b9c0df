/**
 * Which message of a watched mailbox a row in Dataverse may be filed as. Anybody who may create an e-mail row can
 * write another message's Message-ID into it, so the ID alone never opens a mailbox.
 */
import type { DataverseMail } from "./dataverse-mail.ts";

/** A message with the Message-ID that the row names. */
export interface PossibleOriginal {
  /** The address of the mailbox that has it. */
  readonly mailbox: string;
  readonly messageId: string;
  readonly senderEmail: string | null;
  readonly subject: string | null;
  readonly receivedAt: Date | null;
}

/** Transport takes seconds to minutes; a message that took longer is composed from Dataverse's parts. */
const TRANSPORT_MS = 3_600_000;

type Row = Pick<DataverseMail, "from" | "to" | "cc" | "subject" | "date" | "trackingToken">;

/** The mailbox must be one of the mail's own parties, and both rows must agree in sender, subject and time. */
export function isOriginalOf(mail: Row, found: PossibleOriginal): boolean {
  const parties = [...(mail.from === null ? [] : [mail.from]), ...mail.to, ...mail.cc].map(plain);
  return (
    parties.includes(plain(found.mailbox)) &&
    mail.from !== null &&
    found.senderEmail !== null &&
    plain(mail.from) === plain(found.senderEmail) &&
    subjectOf(mail.subject, mail.trackingToken) === subjectOf(found.subject, mail.trackingToken) &&
    found.receivedAt !== null &&
    Math.abs(found.receivedAt.getTime() - mail.date.getTime()) <= TRANSPORT_MS
  );
}

const plain = (address: string) => address.trim().toLowerCase();

/** Dataverse adds its tracking token to subjects, on one side only. */
function subjectOf(subject: string | null, token: string | null): string {
  return (subject ?? "")
    .replace(token ?? "", "")
    .replace(/\s+/g, " ")
    .trim();
}

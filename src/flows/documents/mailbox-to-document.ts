/**
 * Mailbox to document: a message in a folder with a filing rule becomes a file on the drive with a record, and each
 * attachment another one. The immutable id is the key of the filing; Message-ID, sender and subject recognise the
 * same message when it comes again under another id, from another mailbox, or through Dataverse.
 */
import { parseParent } from "../../filing/container.ts";
import { factsOf } from "../../filing/dataverse-mail.ts";
import type { FiledMail } from "../../filing/filed-mail.ts";
import type { Filing } from "../../filing/filing.ts";
import { findComposed, getFilingByKey } from "../../filing/filing-table.ts";
import { archiveKeyOf, type FileMailNeeds, fileMail } from "../../filing/from-mail/file-mail.ts";
import { type FilingRule, getFilingRule } from "../../filing/from-mail/filing-rule-table.ts";
import { isComposedOf, mailKeyOf } from "../../filing/from-mail/same-mail.ts";
import type { PossibleOriginal } from "../../filing/original-mail.ts";
import { mailColumns } from "../../filing/record-columns.ts";
import type { RuleBook } from "../../filing/rules/rule-book.ts";
import { handle, type JobHandler } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import { getMailboxByAddress, type Mailbox } from "../../mailbox/mailbox-table.ts";
import { fileMessage } from "../specs/documents.ts";
import { choosePlace, type Place } from "./choose-place.ts";
import type { MailboxMailSource, MessageToFile } from "./mailbox-mail.ts";

export interface MailboxToDocumentNeeds extends FileMailNeeds {
  readonly rules: RuleBook;
  readonly mail: MailboxMailSource;
  readonly containerId: string;
}

type MessageJob = Job<(typeof fileMessage)["payload"]["_output"]>;

export function mailboxToDocumentHandler(
  needs: MailboxToDocumentNeeds,
): JobHandler<MessageJob["payload"]> {
  return handle(fileMessage, (job) => fileFromMailbox(needs, job), { concurrency: 2 });
}

async function fileFromMailbox(
  needs: MailboxToDocumentNeeds,
  { payload }: MessageJob,
): Promise<JobOutcome> {
  const { database } = needs;
  const mailbox = await getMailboxByAddress(database, payload.mailbox);
  if (mailbox === null) return excluded(`${payload.mailbox} is not watched any more`);
  const rule = await getFilingRule(database, mailbox.id, payload.folder);
  if (rule === null) return excluded(`the folder ${payload.folder} is no longer filed`);
  const message = await needs.mail.getMessage(mailbox, payload.messageId);
  if (message === null) return excluded("the message was deleted before it could be filed");
  if (message.isDraft) return excluded("the message is a draft");
  return fileUnderRule(needs, mailbox, rule, message);
}

async function fileUnderRule(
  needs: MailboxToDocumentNeeds,
  mailbox: Mailbox,
  rule: FilingRule,
  message: MessageToFile,
): Promise<JobOutcome> {
  const attachments = await needs.mail.findAttachments(mailbox, message.id);
  const usual = {
    ...needs,
    containerId: rule.containerId ?? needs.containerId,
  };
  const parent = rule.parent === null ? null : parseParent(rule.parent);
  const place = await choosePlace(usual, factsOf(message.mail, attachments), parent);
  const keyBase = `Message:${message.id}`;
  const known = await getFilingByKey(needs.database, archiveKeyOf(keyBase));
  if (known === null && "excludedBy" in place) return excluded(place.excludedBy);
  const composed = known === null ? await findComposedOf(needs, mailbox, message) : null;
  if (composed !== null) return success(`document ${composed.id} already holds this mail`);
  const placed = inPlace(message.mail, place);
  const filed = await fileMail(needs, {
    keyBase,
    mail: placed,
    mailKey: mailKeyOf(placed.messageId, { senderEmail: placed.from, subject: placed.subject }),
    columns: mailColumns(placed),
    containerId: "excludedBy" in place ? usual.containerId : place.containerId,
    review: "excludedBy" in place ? null : place.review,
    attachments,
    readMime: () => needs.mail.getMime(mailbox, message.id),
    readAttachment: (id) => needs.mail.downloadAttachment(mailbox, message.id, id),
  });
  if ("heldBy" in filed) return success(`document ${filed.heldBy.id} already holds this mail`);
  return success([`document ${filed.document.id}`, ...filed.notes].join("; "));
}

const inPlace = (mail: FiledMail, place: Place | { readonly excludedBy: string }): FiledMail =>
  "excludedBy" in place ? mail : { ...mail, parent: place.parent };

/** Dataverse may have announced the mail before its mailbox was watched; that document holds the same words. */
async function findComposedOf(
  { database }: MailboxToDocumentNeeds,
  { address }: Mailbox,
  { id, mail }: MessageToFile,
): Promise<Filing | null> {
  if (mail.messageId === null) return null;
  const found: PossibleOriginal = {
    mailbox: address,
    messageId: id,
    senderEmail: mail.from,
    subject: mail.subject,
    receivedAt: mail.date,
  };
  const filings = await findComposed(database, mail.messageId);
  return filings.find((filing) => isComposedOf(filing, found)) ?? null;
}

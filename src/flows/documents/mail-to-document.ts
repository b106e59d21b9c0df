/**
 * Mail to document: an e-mail in Dataverse becomes a file on the drive with a record, and each attachment
 * another one. Every step is stored in a row, where the next attempt continues after a crash. If a mail is
 * triggered twice, the keys of the job, of the filing and of Dataverse each stop the duplicate.
 */

import type { FileStore } from "../../files/file-store.ts";
import type { Actor } from "../../filing/actors.ts";
import { whyNotFiled } from "../../filing/attachment-noise.ts";
import { composeEml } from "../../filing/compose-eml.ts";
import { type Content, contentOfBytes } from "../../filing/content.ts";
import {
  type DataverseMail,
  factsOf,
  findAttachments,
  getDataverseMail,
  loadAttachment,
  type MailAttachmentRow,
} from "../../filing/dataverse-mail.ts";
import { attachmentPath, emlPath } from "../../filing/drive-path.ts";
import type { Filing } from "../../filing/filing.ts";
import { getFilingByKey, markFiling, removeFiling } from "../../filing/filing-table.ts";
import { type FilingNeeds, finishFiling } from "../../filing/finish-filing.ts";
import { findRecordOfMail, isPassing, isTakenElsewhere } from "../../filing/record.ts";
import { attachmentColumns, bodyColumn, mailColumns } from "../../filing/record-columns.ts";
import { reserveForMail } from "../../filing/reserve-for-mail.ts";
import type { RuleBook } from "../../filing/rules/rule-book.ts";
import { isConflict } from "../../filing/upload-content.ts";
import type { JobHandler } from "../../jobs/handler.ts";
import { handle } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import { archiveKey, processEmailToDocument } from "../specs/documents.ts";

export interface MailToDocumentNeeds extends FilingNeeds {
  readonly app: Actor;
  readonly rules: RuleBook;
  readonly files: FileStore;
  /** The original message from Graph; null if no watched mailbox of one of its parties has it. */
  readonly findMime: (mail: DataverseMail, internetMessageId: string) => Promise<Buffer | null>;
  readonly containerId: string;
  readonly attachmentBytesMax: number;
  readonly mailBytesMax: number;
  readonly clock: Clock;
  readonly log: Log;
}

type MailJob = Job<(typeof processEmailToDocument)["payload"]["_output"]>;

/** Dataverse calls the webhook before it has written the attachments. */
const ATTACHMENTS_LATE_MS = 2_000;
const COMPLETED = 100000001;

export function mailToDocumentHandler(needs: MailToDocumentNeeds): JobHandler<MailJob["payload"]> {
  return handle(processEmailToDocument, (job) => fileMail(needs, job), {
    concurrency: 2,
  });
}

async function fileMail(needs: MailToDocumentNeeds, job: MailJob): Promise<JobOutcome> {
  const emailId = job.payload.emailId.toLowerCase();
  const { dataverse } = needs.app;
  const known = await getFilingByKey(needs.database, archiveKey(emailId));
  const mail = await getDataverseMail(dataverse, emailId);
  if (mail === null) return excluded("the e-mail no longer exists in Dataverse");
  const attachments = await settledAttachments(needs, mail);
  if (known === null) {
    const decision = await needs.rules.decide(factsOf(mail, attachments));
    const action = "needs" in decision ? "Ignore" : decision.action;
    const rule = "needs" in decision ? null : decision.rule;
    if (action !== "AutoSave") return excluded(rule ?? `default action ${action}`);
    const other = await findRecordOfMail(dataverse, emailId);
    if (other !== null) return success(`document ${other} already holds this e-mail`);
  }
  const archive = await fileArchive(needs, mail, attachments, known);
  if (archive === null) return success("another document already holds this e-mail");
  const notes = await fileAttachments(needs, mail, archive, attachments);
  await killPoint("filing.attachments-filed");
  await dataverse.update("emails", emailId, { sprk_documentprocessingstatus: COMPLETED });
  return success([`document ${archive.id}`, ...notes].join("; "));
}

/** Reads the attachments once more if some are still missing. */
async function settledAttachments(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
): Promise<MailAttachmentRow[]> {
  const found = await findAttachments(needs.app.dataverse, mail.id);
  const isFresh = needs.clock.now() - mail.date.getTime() < 60_000;
  if (found.length > 0 ? found.length >= mail.attachmentCount : !isFresh) return found;
  await needs.clock.sleep(ATTACHMENTS_LATE_MS);
  return findAttachments(needs.app.dataverse, mail.id);
}

/** Files the mail itself; null if another program has filed it in the meantime. */
async function fileArchive(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  attachments: readonly MailAttachmentRow[],
  known: Filing | null,
): Promise<Filing | null> {
  if (known?.state === "recorded" || known?.state === "missing") return known;
  const content = contentOfBytes(await archiveBytes(needs, mail, attachments, known));
  const path = emlPath(mail.date, mail.subject);
  const filing = await reserveForMail(needs.database, {
    key: archiveKey(mail.id),
    source: "email",
    driveId: needs.containerId,
    path,
    size: content.size,
    sha256: content.sha256,
    mimeType: "message/rfc822",
    isSpooled: true,
    columns: mailColumns(mail),
  });
  try {
    return await finishAt(needs, filing, content, bodyColumn(mail));
  } catch (error) {
    if (!isTakenElsewhere(error)) throw error;
    return giveWay(needs, mail, filing);
  }
}

/** Another program filed this mail first: removes our file, which would be a duplicate. */
async function giveWay(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  filing: Filing,
): Promise<null> {
  const current = (await getFilingByKey(needs.database, filing.key))!;
  const other = await findRecordOfMail(needs.app.dataverse, mail.id);
  if (current.itemId !== null) await needs.app.drives.remove(current.driveId, current.itemId);
  await markFiling(needs.database, filing.id, "pending");
  await removeFiling(needs.database, filing.id);
  needs.log.warn(
    { emailId: mail.id, document: other },
    "another program had already filed an e-mail",
  );
  return null;
}

/**
 * The bytes of an earlier attempt, so that its upload can continue; otherwise the original from Graph;
 * otherwise a composed mail.
 */
async function archiveBytes(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  attachments: readonly MailAttachmentRow[],
  known: Filing | null,
): Promise<Buffer> {
  const earlier = known?.sha256 ? await needs.files.get(known.sha256) : null;
  if (earlier !== null) return earlier;
  const total = attachments.reduce((sum, { size }) => sum + size, 0);
  if (total > needs.mailBytesMax) throw tooLarge(needs.mailBytesMax);
  const bytes = (await originalOf(needs, mail)) ?? (await compose(needs, mail, attachments));
  // Base64 makes the attachments a third larger.
  if (bytes.length > needs.mailBytesMax * 1.4) throw tooLarge(needs.mailBytesMax);
  await needs.files.put(bytes);
  return bytes;
}

function tooLarge(bytesMax: number): Fault {
  return new Fault("mail.too-large", `a mail may have at most ${bytesMax} bytes`);
}

async function originalOf(needs: MailToDocumentNeeds, mail: DataverseMail): Promise<Buffer | null> {
  if (mail.messageId === null) return null;
  try {
    return await needs.findMime(mail, mail.messageId);
  } catch (error) {
    if (isPassing(error)) throw error;
    // Deleted from the mailbox, or not readable: the row in Dataverse is enough.
    needs.log.info({ emailId: mail.id, err: error }, "the original message cannot be read");
    return null;
  }
}

async function compose(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  attachments: readonly MailAttachmentRow[],
): Promise<Buffer> {
  const parts = [];
  for (const { id, name, mimeType } of attachments)
    parts.push({ name, mimeType, bytes: await loadAttachment(needs.app.dataverse, id) });
  return composeEml(mail, parts);
}

/**
 * Files attachments one after another. If one is refused permanently, that is reported and the others
 * continue.
 */
async function fileAttachments(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  archive: Filing,
  attachments: readonly MailAttachmentRow[],
): Promise<string[]> {
  const notes: string[] = [];
  let passing: unknown = null;
  for (const attachment of attachments) {
    const why = whyNotFiled(attachment, needs.attachmentBytesMax);
    if (why !== null) continue;
    try {
      await fileAttachment(needs, mail, archive, attachment);
    } catch (error) {
      if (isPassing(error) || (error as Fault).code === "job.lease-lost") passing ??= error;
      else notes.push(`attachment ${attachment.id} not filed: ${(error as Error).message}`);
    }
  }
  if (passing !== null) throw passing;
  if (notes.length > 0) needs.log.error({ emailId: mail.id, notes }, "attachments were not filed");
  return notes;
}

async function fileAttachment(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  archive: Filing,
  attachment: MailAttachmentRow,
): Promise<void> {
  const key = `Email:${mail.id}:Attachment:${attachment.id}`;
  const known = await getFilingByKey(needs.database, key);
  if (known?.state === "recorded") return;
  const content = contentOfBytes(await loadAttachment(needs.app.dataverse, attachment.id));
  const filing = await reserveForMail(needs.database, {
    key,
    source: "attachment",
    driveId: needs.containerId,
    path: attachmentPath(archive.id, attachment.name),
    size: content.size,
    sha256: content.sha256,
    // Detected from the content, because senders often state a wrong type.
    mimeType: null,
    isSpooled: false,
    columns: attachmentColumns(mail, archive),
  });
  await finishAt(needs, filing, content);
}

/** Uses the planned path or, if another file has it, a path that contains our id. */
async function finishAt(
  needs: MailToDocumentNeeds,
  filing: Filing,
  content: Content,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Filing> {
  try {
    return await finishFiling(needs, needs.app, filing, content, "fail", more);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const moved = await reserveForMail(needs.database, filing, { isTaken: true });
    return finishFiling(needs, needs.app, moved, content, "fail", more);
  }
}

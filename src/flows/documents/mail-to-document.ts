/**
 * Mail to document: an e-mail in Dataverse becomes a file on the drive with a record, and each attachment
 * another one. If a message is triggered twice, the keys of the job, of the filing and of Dataverse each stop the
 * duplicate; if a watched mailbox filed the same message before, the e-mail is linked to that document.
 */
import { composeEml } from "../../filing/compose-eml.ts";
import {
  type DataverseMail,
  factsOf,
  findAttachments,
  getDataverseMail,
  loadAttachment,
} from "../../filing/dataverse-mail.ts";
import type { MailAttachmentRow } from "../../filing/filed-mail.ts";
import type { Filing } from "../../filing/filing.ts";
import { getFilingByKey, markFiling, removeFiling } from "../../filing/filing-table.ts";
import { type FileMailNeeds, fileMail, type MailFiled } from "../../filing/from-mail/file-mail.ts";
import { findRecordOfMail, isTakenElsewhere, isTemporary } from "../../filing/record.ts";
import { emailColumn, mailColumns } from "../../filing/record-columns.ts";
import type { RuleBook } from "../../filing/rules/rule-book.ts";
import type { JobHandler } from "../../jobs/handler.ts";
import { handle } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import { killPoint } from "../../lib/kill-points.ts";
import { archiveKey, processEmailToDocument } from "../specs/documents.ts";
import { choosePlace, type Place } from "./choose-place.ts";
import { joinDocument } from "./join-document.ts";

export interface MailToDocumentNeeds extends FileMailNeeds {
  readonly rules: RuleBook;
  /** The original message; null if no watched mailbox of one of its parties has it. */
  readonly findOriginal: (mail: DataverseMail) => Promise<OriginalMail | null>;
  readonly containerId: string;
  readonly clock: Clock;
}

export interface OriginalMail {
  /** What the mail is recognised by when its mailbox is filed too. */
  readonly mailKey: string | null;
  getMime(): Promise<Buffer>;
}

type MailJob = Job<(typeof processEmailToDocument)["payload"]["_output"]>;

/** Dataverse calls the webhook before it has written the attachments. */
const ATTACHMENTS_LATE_MS = 2_000;
/** The choice of `sprk_documentprocessingstatus` that means completed. */
const COMPLETED = 100000001;
/** A younger e-mail may still get its attachments. */
const FRESH_MS = 60_000;

export function mailToDocumentHandler(needs: MailToDocumentNeeds): JobHandler<MailJob["payload"]> {
  return handle(processEmailToDocument, (job) => fileEmail(needs, job), {
    concurrency: 2,
  });
}

async function fileEmail(needs: MailToDocumentNeeds, job: MailJob): Promise<JobOutcome> {
  const emailId = job.payload.emailId.toLowerCase();
  const { dataverse } = needs.app;
  const filing = await getFilingByKey(needs.database, archiveKey(emailId));
  const mail = await getDataverseMail(dataverse, emailId);
  if (mail === null) return excluded("the e-mail no longer exists in Dataverse");
  const attachments = await settledAttachments(needs, mail);
  const place = await choosePlace(needs, factsOf(mail, attachments), mail.parent);
  if (filing === null) {
    if ("excludedBy" in place) return excluded(place.excludedBy);
    const other = await findRecordOfMail(dataverse, emailId);
    if (other !== null) return success(`document ${other} already holds this e-mail`);
  }
  const filed = await fileOrGiveWay(needs, mail, attachments, "excludedBy" in place ? null : place);
  if (filed === null) return success("another document already holds this e-mail");
  if ("heldBy" in filed) {
    const refusal = await joinDocument(dataverse, mail, filed.heldBy);
    if (refusal !== null) return refusal;
  }
  await killPoint("filing.attachments-filed");
  await dataverse.update("emails", emailId, { sprk_documentprocessingstatus: COMPLETED });
  return "heldBy" in filed
    ? success(`document ${filed.heldBy.id} already holds this mail`)
    : success([`document ${filed.document.id}`, ...filed.notes].join("; "));
}

/** Reads the attachments once more if some are still missing. */
async function settledAttachments(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
): Promise<MailAttachmentRow[]> {
  const found = await findAttachments(needs.app.dataverse, mail.id);
  const isFresh = needs.clock.now() - mail.date.getTime() < FRESH_MS;
  const isComplete = found.length > 0 ? found.length >= mail.attachmentCount : !isFresh;
  if (isComplete) return found;
  await needs.clock.sleep(ATTACHMENTS_LATE_MS);
  return findAttachments(needs.app.dataverse, mail.id);
}

/** Null if another program has filed the mail in the meantime. */
async function fileOrGiveWay(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  attachments: readonly MailAttachmentRow[],
  place: Place | null,
): Promise<MailFiled | null> {
  const { dataverse } = needs.app;
  const original = await originalOf(needs, mail);
  const placed = { ...mail, parent: place?.parent ?? mail.parent };
  try {
    return await fileMail(needs, {
      keyBase: `Email:${mail.id}`,
      mail: placed,
      mailKey: original?.mailKey ?? null,
      columns: { ...mailColumns(placed), ...emailColumn(mail.id) },
      containerId: place?.containerId ?? needs.containerId,
      review: place?.review ?? null,
      attachments,
      readMime: async () =>
        (await readOriginal(needs, mail, original)) ?? (await compose(needs, mail, attachments)),
      readAttachment: (id) => loadAttachment(dataverse, id),
    });
  } catch (error) {
    if (!isTakenElsewhere(error)) throw error;
    await giveWay(needs, mail, (await getFilingByKey(needs.database, archiveKey(mail.id)))!);
    return null;
  }
}

/** Another program filed this mail first: removes our file, which would be a duplicate. */
async function giveWay(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  filing: Filing,
): Promise<void> {
  const other = await findRecordOfMail(needs.app.dataverse, mail.id);
  if (filing.itemId !== null) await needs.app.drives.remove(filing.driveId, filing.itemId);
  await markFiling(needs.database, filing.id, "pending");
  await removeFiling(needs.database, filing.id);
  needs.log.warn(
    { emailId: mail.id, document: other },
    "another program had already filed an e-mail",
  );
}

/** A mailbox that refuses to be read does not keep us from filing what Dataverse has. */
async function unlessRefused<T>(
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isTemporary(error)) throw error;
    needs.log.info({ emailId: mail.id, err: error }, "the original message cannot be read");
    return null;
  }
}

const originalOf = (needs: MailToDocumentNeeds, mail: DataverseMail) =>
  mail.messageId === null ? null : unlessRefused(needs, mail, () => needs.findOriginal(mail));

const readOriginal = (
  needs: MailToDocumentNeeds,
  mail: DataverseMail,
  original: OriginalMail | null,
) => (original === null ? null : unlessRefused(needs, mail, () => original.getMime()));

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

/** A request of the add-in as what it saves; refuses what cannot be saved. */
import type * as z from "zod";
import type { FileStore } from "../../files/file-store.ts";
import { composeEml } from "../../filing/compose-eml.ts";
import { emlFileName } from "../../filing/drive-path.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import {
  assertSizes,
  isBlockedName,
  type OfficeSave,
  SAVED_KINDS,
  type SavedFile,
  type SavedKind,
  type SavedMail,
} from "../../filing/office/office-save.ts";
import { readTarget } from "../../filing/office/target.ts";
import { uuidFor } from "../../lib/hash.ts";
import type { SaveRequest } from "../schemas/office.ts";
import type { ReceivedFile } from "./read-save-body.ts";

type Request = z.output<typeof SaveRequest>;
type MailRequest = NonNullable<Request["email"]>;
type MailFacts = NonNullable<NonNullable<Request["attachment"]>["email"]>;

export interface ToSaveNeeds {
  readonly spool: Pick<FileStore, "put">;
  readonly received: readonly ReceivedFile[];
}

export async function toSave(needs: ToSaveNeeds, request: Request): Promise<OfficeSave> {
  const kind = kindOf(request);
  const target = readTarget(request.targetEntity);
  const content = await contentOf(needs, kind, request);
  assertSizes([content.main, ...content.attachments]);
  const { triggerAiProcessing, aiOptions, containerId, folderPath } = request;
  return {
    kind,
    target,
    containerId,
    folderPath,
    ...content,
    ai: triggerAiProcessing ? aiOptions : null,
  };
}

function kindOf({ contentType }: Request): SavedKind {
  const kind = SAVED_KINDS.find((name) => name === contentType);
  if (kind !== undefined) return kind;
  throw new OfficeRefusal("OFFICE_001", `contentType must be one of ${SAVED_KINDS.join(", ")}`);
}

async function contentOf(needs: ToSaveNeeds, kind: SavedKind, request: Request) {
  const { email, attachment, document } = request;
  if (kind === "Email" && email !== undefined) {
    const attachments = email.attachments.map((each) => toFile(needs.received, each));
    const mail = toMail(email);
    return { mail, attachments, main: await mailFile(needs, email, mail) };
  }
  if (kind === "Attachment" && attachment !== undefined) {
    const mail = attachment.email === undefined ? null : toMail(attachment.email);
    return { mail, attachments: [], main: toFile(needs.received, attachment) };
  }
  if (kind === "Document" && document !== undefined)
    return { mail: null, attachments: [], main: toFile(needs.received, document) };
  throw new OfficeRefusal("OFFICE_VALIDATION", `${kind.toLowerCase()} is missing`);
}

function toFile(
  received: readonly ReceivedFile[],
  given: {
    readonly fileName: string;
    readonly contentBase64: string;
    readonly contentId?: string | null | undefined;
    readonly isInline?: boolean;
  },
): SavedFile {
  const { sha256, size, isProgram } = receivedAt(received, given.contentBase64);
  if (isProgram || isBlockedName(given.fileName))
    throw new OfficeRefusal("OFFICE_006", `files like ${given.fileName} are not saved`);
  return {
    sha256,
    size,
    name: given.fileName,
    // Detected from the content, because senders often state a wrong type.
    mimeType: null,
    contentId: given.contentId ?? null,
    isInline: given.isInline ?? false,
  };
}

function receivedAt(received: readonly ReceivedFile[], place: string): ReceivedFile {
  const file = /^\d{1,3}$/.test(place) ? received[Number(place)] : undefined;
  if (file !== undefined) return file;
  throw new OfficeRefusal("OFFICE_VALIDATION", "contentBase64 is not Base64");
}

function toMail(mail: MailFacts): SavedMail {
  const of = (type: string) =>
    mail.recipients.filter((each) => each.type === type).map(({ email }) => email);
  return {
    subject: mail.subject ?? null,
    from: mail.senderEmail ?? null,
    to: of("To"),
    cc: of("Cc"),
    sentDate: mail.sentDate ?? null,
    receivedDate: mail.receivedDate ?? null,
    internetMessageId: mail.internetMessageId ?? null,
    conversationId: mail.conversationId ?? null,
  };
}

/**
 * The message as Outlook has it; otherwise one composed of what Outlook shows. That one has no attachments: those that
 * were chosen are documents of their own.
 */
async function mailFile(
  { spool, received }: ToSaveNeeds,
  email: MailRequest,
  mail: SavedMail,
): Promise<SavedFile> {
  const date = dateOf(mail);
  const name = emlFileName(date, mail.subject);
  const mimeType = "message/rfc822";
  if (email.contentBase64 !== undefined) {
    const { sha256, size } = receivedAt(received, email.contentBase64);
    return { name, mimeType, sha256, size };
  }
  const { from, to, cc, subject, internetMessageId: messageId } = mail;
  const body = email.body ?? "";
  const composed = await composeEml(
    {
      from,
      to,
      cc,
      subject,
      date,
      messageId,
      // The same message gives the same bytes, so that a repeated request is recognised.
      id: uuidFor("office mail", JSON.stringify([mail, body])),
      html: email.isBodyHtml ? body : `<pre>${escapeHtml(body)}</pre>`,
    },
    [],
  );
  const { id: sha256, size } = await spool.put(composed);
  return { name, mimeType, sha256, size };
}

function dateOf({ sentDate, receivedDate }: SavedMail): Date {
  const date = sentDate ?? receivedDate;
  if (date !== null) return new Date(date);
  throw new OfficeRefusal("OFFICE_VALIDATION", "email: sentDate or receivedDate is missing");
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

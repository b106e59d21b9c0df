/**
 * Files a message and its attachments, wherever the mail was read. Every step is stored in a row, where the next
 * attempt continues after a crash.
 */
import type { FileStore } from "../../files/file-store.ts";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { Actor } from "../actors.ts";
import { whyNotFiled } from "../attachment-noise.ts";
import { type Content, contentOfBytes } from "../content.ts";
import { attachmentPath, emlPath } from "../drive-path.ts";
import type { FiledMail, MailAttachmentRow } from "../filed-mail.ts";
import type { Filing } from "../filing.ts";
import { getFilingByKey, getFilingOfMail } from "../filing-table.ts";
import { type FilingNeeds, finishFiling } from "../finish-filing.ts";
import { isTemporary } from "../record.ts";
import { attachmentColumns, bodyColumn } from "../record-columns.ts";
import { reserveForMail, reserveMarkedPath } from "../reserve-for-mail.ts";
import { isConflict } from "../upload-content.ts";
import { isSameMail } from "./same-mail.ts";

export interface FileMailNeeds extends FilingNeeds {
  readonly app: Actor;
  readonly files: FileStore;
  readonly attachmentBytesMax: number;
  readonly mailBytesMax: number;
  readonly log: Log;
}

export interface MailToFile {
  /** Begins the keys of the mail and of its attachments: `Email:{id}` or `Message:{id}`. */
  readonly keyBase: string;
  readonly mail: FiledMail;
  /** What the mail is recognised by if it comes another way too; null if nothing is certain. */
  readonly mailKey: string | null;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly containerId: string;
  /** Why a person should look at the document. */
  readonly review: string | null;
  readonly attachments: readonly MailAttachmentRow[];
  /** The whole mail as MIME. */
  readMime(): Promise<Buffer>;
  readAttachment(id: string): Promise<Buffer>;
}

/** The document of the mail, or the document that holds the same message because it came another way before. */
export type MailFiled =
  | { readonly document: Filing; readonly notes: readonly string[] }
  | { readonly heldBy: Filing };

/** Base64 and its line breaks make attachments at most this much longer. */
const ENCODED_FACTOR_MAX = 1.4;

export const archiveKeyOf = (keyBase: string): string => `${keyBase}:Archive`;

export async function fileMail(needs: FileMailNeeds, request: MailToFile): Promise<MailFiled> {
  const document = await fileArchive(needs, request);
  if (document.key !== archiveKeyOf(request.keyBase)) return { heldBy: document };
  return { document, notes: await fileAttachments(needs, request, document) };
}

async function fileArchive(needs: FileMailNeeds, request: MailToFile): Promise<Filing> {
  const key = archiveKeyOf(request.keyBase);
  const known = await getFilingByKey(needs.database, key);
  if (known?.state === "recorded" || known?.state === "missing") return known;
  const { mail, columns, review } = request;
  const held =
    known === null && request.mailKey && (await getFilingOfMail(needs.database, request.mailKey));
  if (held && isSameMail(held, mail)) return held;
  const content = contentOfBytes(await archiveBytes(needs, request, known));
  const reserve = (mailKey: string | null) =>
    reserveForMail(needs.database, {
      key,
      columns,
      review,
      mailKey,
      source: "email",
      driveId: request.containerId,
      path: emlPath(mail.date, mail.subject),
      size: content.size,
      sha256: content.sha256,
      mimeType: "message/rfc822",
      isSpooled: true,
    });
  let filing = await reserve(request.mailKey);
  if (filing.key !== key) {
    if (isSameMail(filing, mail)) return filing;
    // Another mail that repeats an old Message-ID must not disappear behind it.
    filing = await reserve(null);
  }
  return finishAt(needs, filing, content, bodyColumn(mail));
}

/** The bytes of an earlier attempt, so that its upload can continue; otherwise the mail is read. */
async function archiveBytes(
  needs: FileMailNeeds,
  request: MailToFile,
  known: Filing | null,
): Promise<Buffer> {
  const earlier = known?.sha256 ? await needs.files.get(known.sha256) : null;
  if (earlier !== null) return earlier;
  const total = request.attachments.reduce((sum, { size }) => sum + size, 0);
  if (total > needs.mailBytesMax) throw tooLarge(needs.mailBytesMax);
  const bytes = await request.readMime();
  if (bytes.length > needs.mailBytesMax * ENCODED_FACTOR_MAX) throw tooLarge(needs.mailBytesMax);
  await needs.files.put(bytes);
  return bytes;
}

function tooLarge(bytesMax: number): Fault {
  return new Fault("mail.too-large", `a message may have at most ${bytesMax} bytes`);
}

/**
 * Files attachments one after another. If one is refused permanently, that is reported and the others
 * continue.
 */
async function fileAttachments(
  needs: FileMailNeeds,
  request: MailToFile,
  archive: Filing,
): Promise<string[]> {
  const notes: string[] = [];
  let temporary: unknown = null;
  for (const attachment of request.attachments) {
    if (whyNotFiled(attachment, needs.attachmentBytesMax) !== null) continue;
    try {
      await fileAttachment(needs, request, archive, attachment);
    } catch (error) {
      if (isTemporary(error) || (error as Fault).code === "job.lease-lost") temporary ??= error;
      else notes.push(`attachment ${attachment.id} not filed: ${(error as Error).message}`);
    }
  }
  if (temporary !== null) throw temporary;
  if (notes.length > 0)
    needs.log.error({ mail: request.keyBase, notes }, "attachments were not filed");
  return notes;
}

async function fileAttachment(
  needs: FileMailNeeds,
  request: MailToFile,
  archive: Filing,
  attachment: MailAttachmentRow,
): Promise<void> {
  const key = `${request.keyBase}:Attachment:${attachment.id}`;
  const known = await getFilingByKey(needs.database, key);
  if (known?.state === "recorded") return;
  const content = contentOfBytes(await request.readAttachment(attachment.id));
  const filing = await reserveForMail(needs.database, {
    key,
    source: "attachment",
    driveId: archive.driveId,
    path: attachmentPath(archive.id, attachment.name),
    size: content.size,
    sha256: content.sha256,
    // Detected from the content, because senders often state a wrong type.
    mimeType: null,
    isSpooled: false,
    mailKey: null,
    review: null,
    columns: attachmentColumns(request.mail, archive),
  });
  await finishAt(needs, filing, content);
}

/** Uses the planned path or, if another file has it, a path that contains our id. */
async function finishAt(
  needs: FileMailNeeds,
  filing: Filing,
  content: Content,
  contentColumns: Readonly<Record<string, unknown>> = {},
): Promise<Filing> {
  try {
    return await finishFiling(needs, needs.app, filing, content, "fail", contentColumns);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const moved = await reserveMarkedPath(needs.database, filing);
    return finishFiling(needs, needs.app, moved, content, "fail", contentColumns);
  }
}

/**
 * Finds the PDFs of a message: attached, inline, or inside attached messages. Every attachment that is not taken
 * is listed with a reason, so that nothing disappears silently.
 */
import { type AdmittedFile, admitPdf, FILE_BYTES_MAX } from "./admit-file.ts";
import type { MimeLimits, MimePart } from "./parse-mime.ts";
import type { SandboxPool } from "./sandbox-pool.ts";

/** What Graph says about an attachment before it is downloaded. */
export interface AttachmentFacts {
  id: string;
  name: string | null;
  contentType: string | null;
  /** May be inexact; good enough to refuse a file that is far too large. */
  size: number;
  isInline: boolean;
  kind: "file" | "item" | "reference";
}

export interface AttachmentSource {
  /** Must not rely on `hasAttachments`, which is false for a message with inline files only. */
  listAttachments(messageId: string): Promise<AttachmentFacts[]>;
  /** The raw bytes of a file, the MIME text of an attached message. */
  download(messageId: string, attachmentId: string): Promise<Uint8Array>;
}

export interface FoundPdf extends AdmittedFile {
  attachmentId: string;
  bytes: Uint8Array;
  isInline: boolean;
  /** Subjects of the attached messages around it, outermost first; empty for an attachment of the message itself. */
  inside: string[];
}

export type NotTakenReason =
  | "reference"
  | "empty"
  | "too-large"
  | "not-a-pdf"
  | "too-deep"
  | "too-many"
  | "damaged-mail"
  | "unreadable-mail";

export interface NotTaken {
  attachmentId: string;
  name: string;
  inside: string[];
  reason: NotTakenReason;
  detail: string;
}

export interface FoundPdfs {
  pdfs: FoundPdf[];
  notTaken: NotTaken[];
}

export interface FindPdfsNeeds {
  source: AttachmentSource;
  /** A small mail can block a mail parser, so attached messages are opened in the sandbox. */
  pool: SandboxPool;
}

const MAIL_BYTES_MAX = 50 * 2 ** 20;
/** Graph may count the transport encoding: base64 and its line breaks make a file at most this much longer. */
const ENCODED_FACTOR_MAX = 1.4;
const MIME_LIMITS: MimeLimits = { depthMax: 5, partsMax: 200, bytesMax: 50 * 2 ** 20 };

export async function findPdfs(
  { source, pool }: FindPdfsNeeds,
  messageId: string,
  signal?: AbortSignal,
): Promise<FoundPdfs> {
  const found: FoundPdfs = { pdfs: [], notTaken: [] };
  for (const facts of await source.listAttachments(messageId)) {
    signal?.throwIfAborted();
    const refusal = refuseUnseen(facts);
    if (refusal !== null) {
      found.notTaken.push(refusal);
      continue;
    }
    const bytes = await source.download(messageId, facts.id);
    if (isMail(facts)) await openMail(pool, facts, bytes, found, signal);
    else takeFile(facts, bytes, found);
  }
  makeNamesUnique(found.pdfs);
  return found;
}

/** Refuses files that can be refused without a download. */
function refuseUnseen(facts: AttachmentFacts): NotTaken | null {
  if (facts.kind === "reference") {
    return notTaken(facts, "reference", "a link to a file that is not in the message");
  }
  const sizeMax = (isMail(facts) ? MAIL_BYTES_MAX : FILE_BYTES_MAX) * ENCODED_FACTOR_MAX;
  if (facts.size > sizeMax) return notTaken(facts, "too-large", `about ${facts.size} bytes`);
  return null;
}

/** Upper and lower case are the same, and parameters may follow. */
const MAIL_TYPE = /^\s*message\/rfc822\s*(?:;|$)/iu;

/** A message can be attached as an Outlook item or as a file. */
function isMail(facts: AttachmentFacts): boolean {
  if (facts.kind === "item") return true;
  return MAIL_TYPE.test(facts.contentType ?? "") || /\.eml\s*$/iu.test(facts.name ?? "");
}

function takeFile(facts: AttachmentFacts, bytes: Uint8Array, found: FoundPdfs): void {
  const admission = admitPdf(facts.name ?? "", bytes);
  if (!admission.ok) {
    found.notTaken.push(notTaken(facts, admission.reason, admission.detail));
    return;
  }
  const { isInline } = facts;
  found.pdfs.push({ ...admission.file, attachmentId: facts.id, bytes, isInline, inside: [] });
}

async function openMail(
  pool: SandboxPool,
  facts: AttachmentFacts,
  bytes: Uint8Array,
  found: FoundPdfs,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (bytes.length === 0 || bytes.length > MAIL_BYTES_MAX) {
    const reason = bytes.length === 0 ? "empty" : "too-large";
    found.notTaken.push(notTaken(facts, reason, `${bytes.length} bytes`));
    return;
  }
  const request = { kind: "mime", limits: MIME_LIMITS } as const;
  const outcome = await pool.run({ request, bytes, signal });
  if (!outcome.ok || outcome.answer.kind !== "parts") {
    signal?.throwIfAborted();
    const detail = outcome.ok ? outcome.answer.kind : `${outcome.failure}: ${outcome.detail}`;
    found.notTaken.push(notTaken(facts, "unreadable-mail", detail));
    return;
  }
  const { parts } = outcome.answer;
  if (parts.length === 0)
    found.notTaken.push(notTaken(facts, "not-a-pdf", "the attached message has no attachments"));
  for (const part of parts) takePart(facts, part, outcome.bytes, found);
}

function takePart(
  facts: AttachmentFacts,
  part: MimePart,
  mailBytes: Buffer,
  found: FoundPdfs,
): void {
  const { inside } = part;
  const attachmentId = facts.id;
  if (part.outcome !== "pdf") {
    const reason = part.size === 0 ? "empty" : REASONS[part.outcome];
    const detail = `${part.mimeType}, ${part.size} bytes`;
    found.notTaken.push({ attachmentId, name: part.fileName, inside, reason, detail });
    return;
  }
  const bytes = mailBytes.subarray(part.offset, part.offset + part.size);
  const admission = admitPdf(part.fileName, bytes);
  if (admission.ok)
    found.pdfs.push({ ...admission.file, attachmentId, bytes, isInline: part.isInline, inside });
  else found.notTaken.push({ attachmentId, name: part.fileName, inside, ...admission });
}

const REASONS: Record<Exclude<MimePart["outcome"], "pdf">, NotTakenReason> = {
  other: "not-a-pdf",
  "too-deep": "too-deep",
  "too-large": "too-large",
  "too-many": "too-many",
  damaged: "damaged-mail",
};

function notTaken(facts: AttachmentFacts, reason: NotTakenReason, detail: string): NotTaken {
  return { attachmentId: facts.id, name: facts.name ?? "", inside: [], reason, detail };
}

/** Gives two files with the same name different names, so that a store can hold both. */
function makeNamesUnique(pdfs: FoundPdf[]): void {
  const taken = new Set<string>();
  for (const pdf of pdfs) {
    // Sixty characters are at most 240 bytes, which leaves room for the number.
    const baseName = pdf.name.slice(0, -".pdf".length).slice(0, 60);
    let name = pdf.name;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${baseName} (${count}).pdf`;
    taken.add(name.toLowerCase());
    pdf.name = name;
  }
}

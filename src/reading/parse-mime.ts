/**
 * Finds the PDFs inside a message and inside messages attached to it. A few kilobytes can keep a mail parser busy
 * for a minute, so this runs only in a child of the sandbox.
 */
import PostalMime, { type Attachment } from "postal-mime";
import { isPdf } from "./file-type.ts";

export interface MimeLimits {
  /** How deep messages may be nested. */
  depthMax: number;
  partsMax: number;
  /** The total size of the PDFs that are returned. */
  bytesMax: number;
}

/** One part of the mail. The bytes of a PDF begin at `offset` of the payload that accompanies the parts. */
export interface MimePart {
  fileName: string;
  mimeType: string;
  size: number;
  isInline: boolean;
  /** Subjects of the messages around it, outermost first. */
  inside: string[];
  outcome: "pdf" | "other" | "too-deep" | "too-large" | "too-many" | "damaged";
  offset: number;
}

interface Findings {
  limits: MimeLimits;
  parts: MimePart[];
  chunks: Uint8Array[];
  held: number;
}

export async function parseMime(
  raw: Uint8Array,
  limits: MimeLimits,
): Promise<{ parts: MimePart[]; bytes: Buffer }> {
  const found: Findings = { limits, parts: [], chunks: [], held: 0 };
  await searchMail(found, raw, []);
  return { parts: found.parts, bytes: Buffer.concat(found.chunks, found.held) };
}

async function searchMail(found: Findings, raw: Uint8Array, inside: string[]): Promise<void> {
  const mail = await parseMail(raw);
  if (mail === null) {
    addPart(
      found,
      { fileName: "", mimeType: "message/rfc822", size: raw.length, inside },
      "damaged",
    );
    return;
  }
  const within = [...inside, (mail.subject ?? "").slice(0, 200)];
  for (const attachment of mail.attachments) {
    if (found.parts.length >= found.limits.partsMax) {
      const size = mail.attachments.length;
      addPart(
        found,
        { fileName: "", mimeType: "multipart/mixed", size, inside: within },
        "too-many",
      );
      return;
    }
    await searchAttachment(found, attachment, within);
  }
}

async function searchAttachment(
  found: Findings,
  attachment: Attachment,
  inside: string[],
): Promise<void> {
  const content = bytesOf(attachment);
  const facts = {
    fileName: attachment.filename ?? "",
    mimeType: attachment.mimeType,
    size: content.length,
    inside,
    isInline: attachment.disposition === "inline" || attachment.related === true,
  };
  if (attachment.mimeType === "message/rfc822") {
    if (inside.length > found.limits.depthMax) addPart(found, facts, "too-deep");
    else await searchMail(found, content, inside);
  } else if (!isPdf(content)) {
    addPart(found, facts, "other");
  } else if (found.held + content.length > found.limits.bytesMax) {
    addPart(found, facts, "too-large");
  } else {
    addPart(found, facts, "pdf");
    found.chunks.push(content);
    found.held += content.length;
  }
}

function addPart(
  found: Findings,
  facts: Pick<MimePart, "fileName" | "mimeType" | "size" | "inside"> & { isInline?: boolean },
  outcome: MimePart["outcome"],
): void {
  found.parts.push({ isInline: false, ...facts, outcome, offset: found.held });
}

/** Null if this is not a message or exceeds the parser's own limits. */
async function parseMail(raw: Uint8Array) {
  try {
    return await PostalMime.parse(raw, {
      forceRfc822Attachments: true,
      maxNestingDepth: 50,
      maxHeadersSize: 256 * 1024,
    });
  } catch {
    // The parser throws only if a limit is exceeded; the part is then reported as damaged.
    return null;
  }
}

function bytesOf(attachment: Attachment): Uint8Array {
  const { content } = attachment;
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

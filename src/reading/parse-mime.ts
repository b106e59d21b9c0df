import PostalMime, { type Attachment } from "postal-mime";
import { isPdf } from "./file-type.ts";

/**
 * Finds the PDFs inside a mail, also in mails attached to it. Mail parsers can be kept busy for a
 * minute by a few kilobytes, so this runs in the sandbox's child only.
 */

export interface MimeLimits {
  /** How many mails may be attached to one another. */
  depthMax: number;
  partsMax: number;
  /** The sum of all PDFs handed back. */
  bytesMax: number;
}

/** One part of the mail. The bytes of a PDF stand at `offset` of the payload that goes with the parts. */
export interface MimePart {
  fileName: string;
  mimeType: string;
  size: number;
  isInline: boolean;
  /** Subjects of the mails around it, the outermost first. */
  inside: string[];
  outcome: "pdf" | "other" | "too-deep" | "too-large" | "too-many" | "damaged";
  offset: number;
}

interface Walk {
  limits: MimeLimits;
  parts: MimePart[];
  chunks: Uint8Array[];
  held: number;
}

export async function parseMime(
  raw: Uint8Array,
  limits: MimeLimits,
): Promise<{ parts: MimePart[]; bytes: Buffer }> {
  const walk: Walk = { limits, parts: [], chunks: [], held: 0 };
  await walkMail(walk, raw, []);
  return { parts: walk.parts, bytes: Buffer.concat(walk.chunks, walk.held) };
}

async function walkMail(walk: Walk, raw: Uint8Array, inside: string[]): Promise<void> {
  const mail = await parseMail(raw);
  if (mail === null) {
    addPart(
      walk,
      { fileName: "", mimeType: "message/rfc822", size: raw.length, inside },
      "damaged",
    );
    return;
  }
  const within = [...inside, (mail.subject ?? "").slice(0, 200)];
  for (const attachment of mail.attachments) {
    if (walk.parts.length >= walk.limits.partsMax) {
      const size = mail.attachments.length;
      addPart(
        walk,
        { fileName: "", mimeType: "multipart/mixed", size, inside: within },
        "too-many",
      );
      return;
    }
    await walkAttachment(walk, attachment, within);
  }
}

async function walkAttachment(walk: Walk, attachment: Attachment, inside: string[]): Promise<void> {
  const content = bytesOf(attachment);
  const facts = {
    fileName: attachment.filename ?? "",
    mimeType: attachment.mimeType,
    size: content.length,
    inside,
    isInline: attachment.disposition === "inline" || attachment.related === true,
  };
  if (attachment.mimeType === "message/rfc822") {
    if (inside.length > walk.limits.depthMax) addPart(walk, facts, "too-deep");
    else await walkMail(walk, content, inside);
  } else if (!isPdf(content)) {
    addPart(walk, facts, "other");
  } else if (walk.held + content.length > walk.limits.bytesMax) {
    addPart(walk, facts, "too-large");
  } else {
    addPart(walk, facts, "pdf");
    walk.chunks.push(content);
    walk.held += content.length;
  }
}

function addPart(
  walk: Walk,
  facts: Pick<MimePart, "fileName" | "mimeType" | "size" | "inside"> & { isInline?: boolean },
  outcome: MimePart["outcome"],
): void {
  walk.parts.push({ isInline: false, ...facts, outcome, offset: walk.held });
}

/** Null for what is no mail at all or goes beyond the parser's own limits. */
async function parseMail(raw: Uint8Array) {
  try {
    return await PostalMime.parse(raw, {
      forceRfc822Attachments: true,
      maxNestingDepth: 50,
      maxHeadersSize: 256 * 1024,
    });
  } catch {
    // The parser rejects only what breaks its limits; the part is then reported as damaged.
    return null;
  }
}

function bytesOf(attachment: Attachment): Uint8Array {
  const { content } = attachment;
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

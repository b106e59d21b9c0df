import PostalMime, { type Address, type Attachment, addressParser } from "postal-mime";
import type { AddressDraft, AttachmentDraft, MessageDraft } from "./mail-model.ts";

const NESTING_MAX = 30; // as many levels as Graph expands

/**
 * Converts an RFC 5322 message as Exchange does: the HTML body takes precedence over the plain one, an
 * attached message becomes an item attachment, and every header is kept for `internetMessageHeaders`.
 */
export async function draftFromEml(bytes: Buffer, depth = 0): Promise<MessageDraft> {
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  const attachments = await Promise.all(mail.attachments.map((each) => toAttachment(each, depth)));
  const from = toAddresses(mail.from ? [mail.from] : [])[0];
  const sender = toAddresses(mail.sender ? [mail.sender] : [])[0];
  const sentAt = Date.parse(mail.date ?? "");
  return {
    subject: mail.subject ?? "",
    body: mail.html
      ? { contentType: "html", content: mail.html }
      : { contentType: "text", content: mail.text ?? "" },
    ...(from ? { from } : {}),
    ...(sender ? { sender } : {}),
    to: toAddresses(mail.to),
    cc: toAddresses(mail.cc),
    bcc: toAddresses(mail.bcc),
    replyTo: toAddresses(mail.replyTo),
    ...(mail.messageId ? { internetMessageId: mail.messageId } : {}),
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    ...(Number.isNaN(sentAt) ? {} : { sentAt }),
    attachments,
  };
}

async function toAttachment(part: Attachment, depth: number): Promise<AttachmentDraft> {
  const bytes = Buffer.from(part.content as ArrayBuffer);
  if (part.mimeType === "message/rfc822" && depth < NESTING_MAX) {
    const item = await draftFromEml(bytes, depth + 1);
    return { kind: "item", name: part.filename ?? item.subject ?? "Message", item };
  }
  return {
    kind: "file",
    name: part.filename ?? "attachment",
    contentType: part.mimeType,
    isInline: part.disposition === "inline" || part.related === true,
    contentId: part.contentId?.replace(/^<|>$/g, "") ?? null,
    bytes,
  };
}

function toAddresses(given: readonly Address[] | undefined): AddressDraft[] {
  return (given ?? [])
    .flatMap((entry) => entry.group ?? [entry])
    .map(({ name, address }) => ({ ...(name ? { name } : {}), address: address ?? "" }));
}

/** The addresses in the value of a header such as `Reply-To`. */
export const readAddresses = (value: string) => toAddresses(addressParser(value));

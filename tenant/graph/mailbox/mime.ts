/**
 * A message as MIME. Exchange does not keep what it received but renders it again, so this is never byte for
 * byte the original mail; but the same message is always rendered to the same bytes.
 */
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { headersOf } from "./mail-headers.ts";
import type { Address, MessageContent, StoredAttachment } from "./mail-model.ts";

/** Headers that the composer writes itself, or that describe parts that are rendered again. */
const OWN_HEADERS =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|importance|x-priority|priority|x-msmail-priority)$/i;

export async function renderMime(
  content: MessageContent,
  id = content.internetMessageId,
): Promise<Buffer> {
  const attachments = await Promise.all(content.attachments.map(toPart));
  const composer = new MailComposer({
    from: toMailAddress(content.from),
    sender: isSame(content.from, content.sender) ? undefined : toMailAddress(content.sender),
    to: content.toRecipients.map((each) => toMailAddress(each)!),
    cc: content.ccRecipients.map((each) => toMailAddress(each)!),
    bcc: content.bccRecipients.map((each) => toMailAddress(each)!),
    replyTo: content.replyTo.map((each) => toMailAddress(each)!),
    subject: content.subject,
    date: new Date(content.sentMs),
    messageId: content.internetMessageId,
    headers: headersOf(content)
      .filter(({ name }) => !OWN_HEADERS.test(name))
      .map(({ name, value }) => ({ key: name, value })),
    ...(content.importance === "normal" ? {} : { priority: content.importance }),
    ...(content.body.contentType === "html"
      ? { html: content.body.content }
      : { text: content.body.content }),
    attachments: attachments.filter((each) => each !== null),
    // Without a fixed name, a part gets a random boundary, and no two renderings would be the same.
    baseBoundary: boundaryOf(id),
    disableUrlAccess: true,
    disableFileAccess: true,
  });
  const node = composer.compile();
  return new Promise((resolve, reject) => {
    node.build((error: Error | null, bytes?: Buffer) => (error ? reject(error) : resolve(bytes!)));
  });
}

async function toPart(attachment: StoredAttachment) {
  if (attachment.item !== null) {
    return {
      filename: `${attachment.name}.eml`,
      contentType: "message/rfc822",
      content: await renderMime(attachment.item),
    };
  }
  if (attachment.bytes === null) return null; // a reference exists only in the mailbox, not in the mail
  return {
    filename: attachment.name,
    contentType: attachment.contentType ?? "application/octet-stream",
    content: attachment.bytes,
    contentDisposition: attachment.isInline ? ("inline" as const) : ("attachment" as const),
    ...(attachment.contentId === null ? {} : { cid: attachment.contentId }),
  };
}

function toMailAddress(address: Address | null) {
  return address === null
    ? undefined
    : { name: address.name === address.address ? "" : address.name, address: address.address };
}

function isSame(left: Address | null, right: Address | null): boolean {
  return left?.address === right?.address;
}

function boundaryOf(id: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

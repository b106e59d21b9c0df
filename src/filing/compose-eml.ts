import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { DataverseMail } from "./dataverse-mail.ts";

export interface EmlAttachment {
  readonly name: string;
  readonly mimeType: string | null;
  readonly bytes: Buffer;
}

/**
 * A mail as a file, of what Dataverse knows of it. The same mail gives the same bytes each time, so that
 * an upload can be taken up again.
 */
export async function composeEml(
  mail: DataverseMail,
  attachments: readonly EmlAttachment[],
): Promise<Buffer> {
  const composer = new MailComposer({
    ...(mail.from === null ? {} : { from: mail.from }),
    to: [...mail.to],
    cc: [...mail.cc],
    subject: mail.subject ?? "(No Subject)",
    date: mail.date,
    messageId: mail.messageId ?? `<${mail.id}@dataverse.invalid>`,
    html: mail.html ?? "",
    text: toPlainText(mail.html ?? ""),
    attachments: attachments.map(({ name, mimeType, bytes }) => ({
      filename: name,
      content: bytes,
      ...(mimeType === null ? {} : { contentType: mimeType }),
    })),
    // Nothing of the mail is fetched from anywhere.
    disableFileAccess: true,
    disableUrlAccess: true,
    baseBoundary: mail.id,
  } as ConstructorParameters<typeof MailComposer>[0]);
  return composer.compile().build();
}

/** For readers without HTML; not meant to be pretty. */
function toPlainText(html: string): string {
  return html
    .replace(/<(?:style|script)\b[^>]*>[^<]*<\/(?:style|script)>/gi, "")
    .replace(/<(?:br|\/p|\/div|\/tr)\b[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

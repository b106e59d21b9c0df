import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { DataverseMail } from "./dataverse-mail.ts";

export interface EmlAttachment {
  readonly name: string;
  readonly mimeType: string | null;
  readonly bytes: Buffer;
}

/** What a composed mail shows; the id makes its boundaries. */
export type MailToCompose = Pick<
  DataverseMail,
  "id" | "from" | "to" | "cc" | "subject" | "date" | "messageId" | "html"
>;

/**
 * Composes a message from its row in Dataverse, or from what Outlook shows. The same message always gives the same bytes, so that an
 * interrupted upload can continue.
 */
export async function composeEml(
  mail: MailToCompose,
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
    // Links inside the mail are never followed.
    disableFileAccess: true,
    disableUrlAccess: true,
    baseBoundary: mail.id,
  } as ConstructorParameters<typeof MailComposer>[0]);
  return composer.compile().build();
}

/** For programs that show no HTML; the layout does not matter. */
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

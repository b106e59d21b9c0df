/** Text of a message: its main header fields, its body and the messages inside it. Attached files are only named. */
import msgreader from "@kenjiuno/msgreader";
import PostalMime, { type Email } from "postal-mime";
import type { DocumentText, TextLimits, TextPage } from "./document-text.ts";
import { tidy } from "./document-text.ts";
import { htmlText } from "./parse-plain.ts";

interface Mail {
  readonly subject: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly body: string;
  readonly fileNames: readonly string[];
  readonly inside: readonly { kind: "eml" | "msg"; bytes: Uint8Array }[];
}

export async function readMail(
  kind: "eml" | "msg",
  bytes: Uint8Array,
  limits: TextLimits,
): Promise<DocumentText> {
  const pages: TextPage[] = [];
  const omitted: string[] = [];
  await addMail({ kind, bytes }, 0);
  return { pages, omitted };

  async function addMail(inner: Mail["inside"][number], depth: number): Promise<void> {
    if (depth > limits.depthMax || pages.length >= limits.pagesMax) {
      omitted.push("a mail that is nested too deep");
      return;
    }
    const mail = inner.kind === "eml" ? await openEml(inner.bytes) : await openMsg(inner.bytes);
    const label = depth === 0 ? null : mail.subject.slice(0, 200);
    pages.push({ number: pages.length + 1, label, text: tidy(mailText(mail)), boxes: [] });
    for (const inner of mail.inside) await addMail(inner, depth + 1);
  }
}

function mailText({ subject, fields, body, fileNames }: Mail): string {
  const shown = [["Subject", subject] as const, ...fields].filter(([, value]) => value !== "");
  const files = fileNames.length === 0 ? "" : `\n\nAttached: ${fileNames.join(", ")}`;
  return `${shown.map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${body}${files}`;
}

async function openEml(bytes: Uint8Array): Promise<Mail> {
  const mail = await PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    maxNestingDepth: 50,
    maxHeadersSize: 256 * 1024,
  });
  const isMail = (type: string) => type === "message/rfc822";
  return {
    subject: mail.subject ?? "",
    fields: [
      ["From", people(mail.from === undefined ? [] : [mail.from])],
      ["To", people(mail.to ?? [])],
      ["Cc", people(mail.cc ?? [])],
      ["Date", mail.date ?? ""],
    ],
    body: mail.text?.trim() ? mail.text : await htmlText(mail.html ?? ""),
    fileNames: mail.attachments
      .filter(({ mimeType }) => !isMail(mimeType))
      .map(({ filename }) => filename ?? "")
      .filter((name) => name !== ""),
    inside: mail.attachments
      .filter(({ mimeType }) => isMail(mimeType))
      .map(({ content }) => ({ kind: "eml" as const, bytes: toBytes(content) })),
  };
}

const toBytes = (content: string | ArrayBuffer | Uint8Array): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);

function people(addresses: readonly NonNullable<Email["from"]>[]): string {
  return addresses
    .map(({ name, address }) =>
      address === undefined ? (name ?? "") : `${name ?? ""} <${address}>`,
    )
    .map((text) => text.trim())
    .join(", ");
}

async function openMsg(bytes: Uint8Array): Promise<Mail> {
  const reader = new msgreader.default(Uint8Array.from(bytes).buffer);
  const facts = reader.getFileData();
  if (facts.error !== undefined) throw new Error(facts.error);
  const recipients = (type: string) =>
    (facts.recipients ?? [])
      .filter(({ recipType }) => recipType === type)
      .map(({ name, smtpAddress, email }) => `${name ?? ""} <${smtpAddress ?? email ?? ""}>`)
      .join(", ");
  const attachments = facts.attachments ?? [];
  return {
    subject: facts.subject ?? "",
    fields: [
      ["From", `${facts.senderName ?? ""} <${facts.senderSmtpAddress ?? facts.senderEmail ?? ""}>`],
      ["To", recipients("to")],
      ["Cc", recipients("cc")],
      ["Date", facts.messageDeliveryTime ?? facts.clientSubmitTime ?? ""],
    ],
    body:
      facts.body ?? (facts.html ? await htmlText(Buffer.from(facts.html).toString("utf8")) : ""),
    fileNames: attachments
      .filter(({ innerMsgContent }) => innerMsgContent !== true)
      .map(({ fileName }) => fileName ?? "")
      .filter((name) => name !== ""),
    inside: attachments
      .filter(({ innerMsgContent }) => innerMsgContent === true)
      .map((attachment) => ({
        kind: "msg" as const,
        bytes: reader.getAttachment(attachment).content,
      })),
  };
}

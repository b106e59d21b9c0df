/** Plays Office.js for the pane, with the mail that is chosen on the page around it. */
import type { OfficeItem, OfficeJs } from "../office/office.ts";
import { strict } from "./members.ts";
import { SAMPLE_MAILS, type SampleMail } from "./sample-mail.ts";

type Answer = (result: { status: "succeeded"; value: never }) => void;

const succeed = (callback: unknown, value: unknown): void =>
  queueMicrotask(() => (callback as Answer)({ status: "succeeded", value: value as never }));

const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

export function playOffice(): void {
  const parameters = new URLSearchParams(location.search);
  const mail = SAMPLE_MAILS.find(({ id }) => id === parameters.get("mail"));
  const context: OfficeJs["context"] = {
    displayLanguage: parameters.get("language") ?? navigator.language,
    requirements: strict("requirements", {
      isSetSupported: (name: string, version: string) =>
        name === "Mailbox" && Number(version) <= 1.14,
    }),
    mailbox: strict("mailbox", {
      item: mail === undefined ? null : play(mail),
      addHandlerAsync: () => {},
    }),
  };
  window.Office = strict("Office", {
    onReady: () => Promise.resolve({ host: "Outlook" }),
    context: strict("context", context),
  });
}

function play(mail: SampleMail): OfficeItem {
  return strict("item", {
    subject: mail.subject,
    from: mail.from,
    to: mail.to,
    cc: [],
    dateTimeCreated: new Date(mail.date),
    internetMessageId: `<${mail.id}@sample.postroom.example>`,
    conversationId: `conversation-${mail.id}`,
    attachments: mail.attachments.map(({ name, contentType, text }, index) => ({
      ...{ id: String(index), name, contentType, isInline: false, attachmentType: "file" },
      size: text.length,
    })),
    body: strict("body", {
      getAsync: (_type: string, callback: unknown) => succeed(callback, `<p>${mail.text}</p>`),
    }),
    getAttachmentContentAsync: (id: string, callback: unknown) =>
      succeed(callback, {
        format: "base64",
        content: toBase64(mail.attachments[Number(id)]!.text),
      }),
    getAsFileAsync: (callback: unknown) => succeed(callback, toBase64(toEml(mail))),
  });
}

/** The message as Outlook would give it, with all attachments. */
function toEml(mail: SampleMail): string {
  const boundary = `part-${mail.id}`;
  const parts = [
    `content-type: text/plain; charset=utf-8\r\n\r\n${mail.text}\r\n`,
    ...mail.attachments.map(
      ({ name, contentType, text }) =>
        `content-type: ${contentType}; name="${name}"\r\ncontent-disposition: attachment; filename="${name}"\r\ncontent-transfer-encoding: base64\r\n\r\n${toBase64(text)}\r\n`,
    ),
  ];
  return [
    `from: ${mail.from.displayName} <${mail.from.emailAddress}>`,
    `to: ${mail.to.map((to) => `${to.displayName} <${to.emailAddress}>`).join(", ")}`,
    `subject: ${mail.subject}`,
    `date: ${new Date(mail.date).toUTCString()}`,
    `message-id: <${mail.id}@sample.postroom.example>`,
    "mime-version: 1.0",
    `content-type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...parts.map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

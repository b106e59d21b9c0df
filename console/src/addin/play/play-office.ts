/** Stands in for Office.js, with the message or document that is chosen on the page around the pane. */
import type { OfficeFile, OfficeItem, OfficeJs } from "../office/office.ts";
import { strict } from "./members.ts";
import { SAMPLE_DOCUMENTS, type SampleDocument } from "./sample-documents.ts";
import { SAMPLE_DRAFT, SAMPLE_MAILS, type SampleMail } from "./sample-mail.ts";

type Answer = (result: { status: "succeeded"; value: never }) => void;

const succeed = (callback: unknown, value: unknown): void =>
  queueMicrotask(() => (callback as Answer)({ status: "succeeded", value: value as never }));

const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Shows on the page around the pane what the pane adds to a draft. */
const tell = (text: string): void => parent.postMessage(text, location.origin);

export function playOffice(): void {
  const parameters = new URLSearchParams(location.search);
  const opened = SAMPLE_DOCUMENTS.find(({ app }) => app === parameters.get("app"));
  const base = {
    displayLanguage: parameters.get("language") ?? navigator.language,
    requirements: strict("requirements", {
      isSetSupported: (name: string, version: string) =>
        name === "Mailbox" && Number(version) <= 1.14,
    }),
  };
  const context: OfficeJs["context"] =
    opened === undefined
      ? { ...base, mailbox: playMailbox(parameters.get("mail")) }
      : { ...base, document: playDocument(opened) };
  window.Office = strict("Office", {
    onReady: () => Promise.resolve({ host: opened?.app ?? "Outlook" }),
    context: strict("context", context),
  });
}

function playMailbox(id: string | null) {
  const mail = SAMPLE_MAILS.find((each) => each.id === id);
  const item =
    id === SAMPLE_DRAFT.id ? playDraft(SAMPLE_DRAFT) : mail === undefined ? null : play(mail);
  return strict("mailbox", { item, addHandlerAsync: () => {} });
}

const attachmentsOf = (mail: SampleMail) =>
  mail.attachments.map(({ name, contentType, text }, index) => ({
    id: String(index),
    name,
    contentType,
    isInline: false,
    attachmentType: "file",
    size: text.length,
  }));

const contentOf = (mail: SampleMail) => (id: string, callback: unknown) =>
  succeed(callback, { format: "base64", content: toBase64(mail.attachments[Number(id)]!.text) });

function play(mail: SampleMail): OfficeItem {
  return strict("itemRead", {
    subject: mail.subject,
    from: mail.from,
    to: mail.to,
    cc: [],
    dateTimeCreated: new Date(mail.date),
    internetMessageId: `<${mail.id}@sample.postroom.example>`,
    conversationId: `conversation-${mail.id}`,
    attachments: attachmentsOf(mail),
    body: strict("body", {
      getAsync: (_type: string, callback: unknown) => succeed(callback, `<p>${mail.text}</p>`),
    }),
    getAttachmentContentAsync: contentOf(mail),
    getAsFileAsync: (callback: unknown) => succeed(callback, toBase64(toEml(mail))),
  });
}

/** In a draft, values have to be requested. */
function playDraft(mail: SampleMail): OfficeItem {
  const getter = <T>(value: T) => ({
    getAsync: (callback: unknown) => succeed(callback, value),
  });
  return strict("itemCompose", {
    subject: getter(mail.subject),
    from: getter(mail.from),
    to: getter(mail.to),
    cc: getter([]),
    conversationId: null,
    body: strict("body", {
      getAsync: (_type: string, callback: unknown) => succeed(callback, `<p>${mail.text}</p>`),
      setSelectedDataAsync: (html: string, _options: object, callback: unknown) => {
        tell(html);
        succeed(callback, undefined);
      },
    }),
    getAttachmentsAsync: (callback: unknown) => succeed(callback, attachmentsOf(mail)),
    getAttachmentContentAsync: contentOf(mail),
    addFileAttachmentFromBase64Async: (content: string, name: string, callback: unknown) => {
      tell(`${name}: ${atob(content).length} bytes`);
      succeed(callback, "new");
    },
  });
}

function playDocument({ fileName, contentBase64 }: SampleDocument) {
  const bytes = Uint8Array.from(atob(contentBase64), (char) => char.charCodeAt(0));
  return strict("document", {
    url: `https://files.postroom.example/${encodeURIComponent(fileName)}`,
    getFileAsync(_type: string, { sliceSize }: { readonly sliceSize: number }, callback: unknown) {
      const file: OfficeFile = strict("file", {
        size: bytes.length,
        sliceCount: Math.ceil(bytes.length / sliceSize),
        getSliceAsync: (index: number, taken: unknown) =>
          succeed(taken, { data: [...bytes.slice(index * sliceSize, (index + 1) * sliceSize)] }),
        closeAsync: () => {},
      });
      succeed(callback, file);
    },
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

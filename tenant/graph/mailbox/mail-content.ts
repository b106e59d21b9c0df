import { htmlToText } from "./html-text.ts";
import type {
  Address,
  AddressDraft,
  AttachmentDraft,
  Body,
  MessageContent,
  MessageDraft,
  StoredAttachment,
} from "./mail-model.ts";
import { wholeSeconds } from "./mail-model.ts";

const PREVIEW_LENGTH_MAX = 255;

/** Completes a draft to what the store keeps. `defaultId` is its Message-ID if it has none. */
export function fillContent(draft: MessageDraft, nowMs: number, defaultId: string): MessageContent {
  const body = toBody(draft.body);
  const from = draft.from === undefined ? null : toAddress(draft.from);
  const receivedMs = wholeSeconds(toMs(draft.receivedAt, nowMs));
  return {
    subject: draft.subject ?? "",
    body,
    bodyPreview: previewOf(body),
    from,
    sender: draft.sender === undefined ? from : toAddress(draft.sender),
    toRecipients: toAddresses(draft.to),
    ccRecipients: toAddresses(draft.cc),
    bccRecipients: toAddresses(draft.bcc),
    replyTo: toAddresses(draft.replyTo),
    importance: draft.importance ?? "normal",
    internetMessageId: draft.internetMessageId ?? defaultId,
    headers: [...(draft.headers ?? [])],
    arrival: null,
    attachments: (draft.attachments ?? []).map((each, index) =>
      fillAttachment(each, index + 1, receivedMs),
    ),
    sentMs: wholeSeconds(toMs(draft.sentAt, receivedMs)),
    receivedMs,
  };
}

export function fillAttachment(
  draft: AttachmentDraft,
  number: number,
  nowMs: number,
): StoredAttachment {
  const kind = draft.kind ?? (draft.item ? "item" : draft.sourceUrl ? "reference" : "file");
  const isFile = kind === "file";
  return {
    number,
    kind,
    name: draft.name,
    contentType: isFile
      ? (draft.contentType ?? contentTypeOf(draft.name))
      : (draft.contentType ?? null),
    isInline: draft.isInline ?? false,
    contentId: draft.contentId ?? null,
    lastModifiedMs: wholeSeconds(nowMs),
    bytes: isFile ? (draft.bytes ?? Buffer.alloc(0)) : null,
    item: draft.item
      ? fillContent(draft.item, nowMs, `<attached-${number}@attached.invalid>`)
      : null,
    sourceUrl: draft.sourceUrl ?? null,
  };
}

export function previewOf(body: Body): string {
  const text = body.contentType === "html" ? htmlToText(body.content) : body.content;
  return text.trim().slice(0, PREVIEW_LENGTH_MAX);
}

function toAddress(draft: AddressDraft): Address {
  if (typeof draft !== "string") {
    return { name: draft.name ?? draft.address, address: draft.address };
  }
  const named = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(draft);
  if (!named) return { name: draft, address: draft };
  return { name: named[1] || named[2]!, address: named[2]! };
}

function toAddresses(draft: AddressDraft | readonly AddressDraft[] | undefined): Address[] {
  if (draft === undefined) return [];
  return (Array.isArray(draft) ? (draft as AddressDraft[]) : [draft as AddressDraft]).map(
    toAddress,
  );
}

function toBody(draft: string | Body | undefined): Body {
  if (draft === undefined) return { contentType: "text", content: "" };
  return typeof draft === "string" ? { contentType: "text", content: draft } : draft;
}

function toMs(time: number | string | undefined, fallbackMs: number): number {
  if (time === undefined) return fallbackMs;
  const ms = typeof time === "number" ? time : Date.parse(time);
  return Number.isNaN(ms) ? fallbackMs : ms;
}

const CONTENT_TYPES: Record<string, string> = {
  pdf: "application/pdf",
  txt: "text/plain",
  csv: "text/csv",
  html: "text/html",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  xml: "application/xml",
  json: "application/json",
  zip: "application/zip",
  eml: "message/rfc822",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

function contentTypeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return CONTENT_TYPES[ending] ?? "application/octet-stream";
}

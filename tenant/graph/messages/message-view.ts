/** Messages and folders as Graph shows them. */
import type { BodyForm } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { htmlToText, textToHtml } from "../mailbox/html-text.ts";
import { headersOf } from "../mailbox/mail-headers.ts";
import type { IdForm } from "../mailbox/mail-ids.ts";
import { toChangeKey } from "../mailbox/mail-ids.ts";
import type { Address, Body, MessageContent, StoredMessage } from "../mailbox/mail-model.ts";
import { toGraphTime } from "../mailbox/mail-model.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { idOf } from "../mailbox/mailbox.ts";

export interface ViewOptions {
  readonly form: IdForm;
  readonly bodyForm: BodyForm;
  /** Properties to show; null is the default set. */
  readonly select: readonly MessageProperty[] | null;
  /** With `Mail.ReadBasic`, no content is shown. */
  readonly isBasic: boolean;
}

type Show = (message: StoredMessage, mailbox: Mailbox, options: ViewOptions) => unknown;

const PROPERTIES = {
  createdDateTime: (message) => toGraphTime(message.createdMs),
  lastModifiedDateTime: (message) => toGraphTime(message.lastModifiedMs),
  changeKey: (message) => toChangeKey(message.key, message.version),
  categories: (message) => message.categories,
  receivedDateTime: (message) => toGraphTime(message.receivedMs),
  sentDateTime: (message) => toGraphTime(message.sentMs),
  hasAttachments: (message) => hasAttachments(message),
  internetMessageId: (message) => message.internetMessageId,
  subject: (message) => message.subject,
  bodyPreview: (message) => message.bodyPreview,
  importance: (message) => message.importance,
  parentFolderId: (message) => message.folderId,
  conversationId: (message) => message.conversationId,
  conversationIndex: (message) => conversationIndex(message),
  isDeliveryReceiptRequested: (message) => message.isDeliveryReceiptRequested,
  isReadReceiptRequested: (message) => message.isReadReceiptRequested,
  isRead: (message) => message.isRead,
  isDraft: (message) => message.isDraft,
  webLink: (message, mailbox) =>
    `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(idOf(mailbox, message, "default"))}&exvsurl=1&viewmodel=ReadMessageItem`,
  inferenceClassification: (message) => message.inferenceClassification,
  body: (message, _mailbox, options) => toBodyForm(message.body, options.bodyForm),
  sender: (message) => toRecipient(message.sender),
  from: (message) => toRecipient(message.from),
  toRecipients: (message) => message.toRecipients.map(toRecipient),
  ccRecipients: (message) => message.ccRecipients.map(toRecipient),
  bccRecipients: (message) => message.bccRecipients.map(toRecipient),
  replyTo: (message) => message.replyTo.map(toRecipient),
  flag: (message) => message.flag,
  uniqueBody: (message, _mailbox, options) =>
    toBodyForm(withoutQuotedReply(message.body), options.bodyForm),
  // Graph omits the property if there are no headers.
  internetMessageHeaders: (message) => {
    const headers = headersOf(message);
    return headers.length === 0 ? undefined : headers;
  },
} satisfies Record<string, Show>;

export type MessageProperty = keyof typeof PROPERTIES;

const ONLY_ON_SELECT = new Set<string>(["uniqueBody", "internetMessageHeaders"]);
const NOT_IN_BASIC = new Set<string>(["body", "bodyPreview", "uniqueBody"]);
const DEFAULT_SET = (Object.keys(PROPERTIES) as MessageProperty[]).filter(
  (name) => !ONLY_ON_SELECT.has(name),
);
const BY_LOWER_NAME = new Map(
  (Object.keys(PROPERTIES) as MessageProperty[]).map((name) => [name.toLowerCase(), name]),
);

/** Null shows the default set. `id` is always shown and need not be requested. */
export function parseSelect(text: string | null): MessageProperty[] | null {
  if (text === null || text.trim() === "") return null;
  const names: MessageProperty[] = [];
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "" || part.toLowerCase() === "id") continue;
    const name = BY_LOWER_NAME.get(part.toLowerCase());
    if (name === undefined) throw unknownProperty(part);
    if (!names.includes(name)) names.push(name);
  }
  return names;
}

function unknownProperty(name: string, type = "microsoft.graph.message") {
  return badRequest(
    `Parsing OData Select and Expand failed: Could not find a property named '${name}' on type '${type}'.`,
    "RequestBroker--ParseUri",
  );
}

export function showMessage(
  mailbox: Mailbox,
  message: StoredMessage,
  options: ViewOptions,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    "@odata.etag": `W/"${toChangeKey(message.key, message.version)}"`,
    id: idOf(mailbox, message, options.form),
  };
  for (const name of options.select ?? DEFAULT_SET) {
    if (options.isBasic && NOT_IN_BASIC.has(name)) continue;
    shown[name] = (PROPERTIES[name] as Show)(message, mailbox, options);
  }
  return shown;
}

/** The value that filters and orders compare. */
export function propertyOf(
  mailbox: Mailbox,
  message: StoredMessage,
  name: MessageProperty,
  options: ViewOptions,
): unknown {
  return (PROPERTIES[name] as Show)(message, mailbox, options);
}

/** False if there are only inline attachments: that is Graph's rule, and a trap. */
export function hasAttachments(message: MessageContent): boolean {
  return message.attachments.some((attachment) => !attachment.isInline);
}

/** Bodies never change, so each is converted to the other format only once. */
const OTHER_FORM = new WeakMap<Body, Body>();

export function toBodyForm(body: Body, form: BodyForm): Body {
  if (body.contentType === form) return body;
  const known = OTHER_FORM.get(body);
  if (known !== undefined) return known;
  const turned: Body =
    form === "text"
      ? { contentType: "text", content: htmlToText(body.content) }
      : { contentType: "html", content: textToHtml(body.content) };
  OTHER_FORM.set(body, turned);
  return turned;
}

export function toRecipient(address: Address | null): object | null {
  return address === null
    ? null
    : { emailAddress: { name: address.name, address: address.address } };
}

/** What the author added, without the quoted mail below it. */
function withoutQuotedReply(body: Body): Body {
  const cut = body.content.search(
    /\r?\n-{2,}\s*Original Message|\r?\nFrom: |<hr|<div id="divRplyFwdMsg"/i,
  );
  return cut < 0 ? body : { ...body, content: body.content.slice(0, cut) };
}

function conversationIndex(message: StoredMessage): string {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt8(1, 0);
  bytes.writeUIntBE(Math.floor(message.sentMs / 1000), 1, 5);
  bytes.writeUIntBE(message.key, 6, 6);
  return bytes.toString("base64");
}

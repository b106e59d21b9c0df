/** Converts Graph's JSON to the store's types, and refuses what Graph would refuse. */
import { badRequest } from "../call/graph-error.ts";
import { checkParameters } from "../call/parameters.ts";
import { previewOf } from "../mailbox/mail-content.ts";
import type {
  Address,
  AttachmentDraft,
  Body,
  ExtendedProperty,
  Flag,
  Header,
  MessageDraft,
  StoredMessage,
} from "../mailbox/mail-model.ts";
import type { MessagePatch } from "../mailbox/mail-store.ts";
import { MULTI, mergeExtended, readExtended, SINGLE } from "./extended-properties.ts";

type Json = Record<string, unknown>;

const CHANGEABLE = new Set([
  "subject",
  "body",
  "from",
  "sender",
  "toRecipients",
  "ccRecipients",
  "bccRecipients",
  "replyTo",
  "importance",
  "isRead",
  "flag",
  "categories",
  "inferenceClassification",
  "isDeliveryReceiptRequested",
  "isReadReceiptRequested",
  "internetMessageId",
  "internetMessageHeaders",
  SINGLE,
  MULTI,
]);
/** Properties that only a draft may change. */
const DRAFT_ONLY = new Set([
  "subject",
  "body",
  "from",
  "sender",
  "toRecipients",
  "ccRecipients",
  "bccRecipients",
  "replyTo",
  "isDeliveryReceiptRequested",
  "isReadReceiptRequested",
  "internetMessageId",
  "internetMessageHeaders",
]);

export function toMessagePatch(json: Json, message: StoredMessage): MessagePatch {
  const draft = fromGraph(json, CHANGEABLE);
  for (const name of Object.keys(json)) {
    if (!message.isDraft && DRAFT_ONLY.has(name)) {
      throw badRequest(
        `Message is not draft. The property '${name}' can only be set on a draft.`,
        "ErrorInvalidPropertySet",
      );
    }
  }
  const { headers, extended, ...rest } = draft;
  return {
    ...rest,
    ...(extended === undefined
      ? {}
      : { extended: mergeExtended(message.extended ?? [], extended) }),
    ...(headers === undefined ? {} : { headers }),
    ...(rest.body === undefined ? {} : { bodyPreview: previewOf(rest.body) }),
  };
}

interface Parsed {
  subject?: string;
  body?: Body;
  from?: Address | null;
  sender?: Address | null;
  toRecipients?: Address[];
  ccRecipients?: Address[];
  bccRecipients?: Address[];
  replyTo?: Address[];
  importance?: "low" | "normal" | "high";
  isRead?: boolean;
  flag?: Flag;
  categories?: string[];
  inferenceClassification?: "focused" | "other";
  isDeliveryReceiptRequested?: boolean;
  isReadReceiptRequested?: boolean;
  internetMessageId?: string;
  headers?: Header[];
  extended?: ExtendedProperty[];
}

export function toDraft(json: Json): MessageDraft {
  const parsed = fromGraph(json, new Set([...CHANGEABLE, "attachments"]));
  return {
    subject: parsed.subject,
    body: parsed.body ?? { contentType: "html", content: "" },
    from: parsed.from ?? undefined,
    sender: parsed.sender ?? undefined,
    to: parsed.toRecipients,
    cc: parsed.ccRecipients,
    bcc: parsed.bccRecipients,
    replyTo: parsed.replyTo,
    importance: parsed.importance,
    isRead: parsed.isRead ?? true,
    flag: parsed.flag,
    categories: parsed.categories,
    inferenceClassification: parsed.inferenceClassification,
    internetMessageId: parsed.internetMessageId,
    headers: parsed.headers,
    extended: parsed.extended,
    isDeliveryReceiptRequested: parsed.isDeliveryReceiptRequested,
    isReadReceiptRequested: parsed.isReadReceiptRequested,
    attachments: listOf(json["attachments"], "attachments").map(toAttachmentDraft),
  };
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const ATTACHMENT_KEYS = new Set([
  ...["id", "name", "contentType", "contentBytes", "contentId", "contentLocation", "isInline"],
  ...[
    "size",
    "lastModifiedDateTime",
    "item",
    "sourceUrl",
    "providerType",
    "permission",
    "isFolder",
  ],
]);

export function toAttachmentDraft(json: unknown): AttachmentDraft {
  const record = objectOf(json, "attachment");
  const type = String(record["@odata.type"] ?? "")
    .toLowerCase()
    .replace(/^#/, "");
  const name = record["name"];
  if (typeof name !== "string" || name === "")
    throw badRequest("Required property 'name' is missing.", "ErrorRequiredPropertyMissing");
  const unknown = Object.keys(record).find(
    (key) => !ATTACHMENT_KEYS.has(key) && !key.startsWith("@"),
  );
  if (unknown !== undefined) {
    throw badRequest(
      `The property '${unknown}' does not exist on type '${type}'. Make sure to only use property names that are defined by the type.`,
      "RequestBodyRead",
    );
  }
  const shared = {
    name,
    isInline: record["isInline"] === true,
    contentId: typeof record["contentId"] === "string" ? record["contentId"] : null,
  };
  if (type === "microsoft.graph.fileattachment") {
    const bytes = record["contentBytes"];
    if (typeof bytes === "string" && !BASE64.test(bytes))
      throw wrongType("contentBytes", "Edm.Binary");
    if (typeof bytes !== "string")
      throw badRequest(
        "Required property 'contentBytes' is missing.",
        "ErrorRequiredPropertyMissing",
      );
    return {
      ...shared,
      kind: "file",
      bytes: Buffer.from(bytes, "base64"),
      contentType: typeof record["contentType"] === "string" ? record["contentType"] : undefined,
    };
  }
  if (type === "microsoft.graph.itemattachment") {
    return { ...shared, kind: "item", item: toDraft(objectOf(record["item"], "item")) };
  }
  if (type === "microsoft.graph.referenceattachment") {
    return { ...shared, kind: "reference", sourceUrl: String(record["sourceUrl"] ?? "") };
  }
  throw badRequest(
    "The value of the property '@odata.type' is not an attachment type.",
    "ErrorInvalidRequest",
  );
}

function fromGraph(json: Json, allowed: ReadonlySet<string>): Parsed {
  const parsed: Parsed = {};
  for (const [name, value] of Object.entries(json)) {
    if (name.startsWith("@")) continue;
    if (name === "attachments" && allowed.has(name)) continue;
    if (!allowed.has(name))
      throw badRequest(
        `The property '${name}' does not exist on type 'microsoft.graph.message' or cannot be set.`,
        "RequestBodyRead",
      );
    readProperty(parsed, name, value);
  }
  return parsed;
}

function readProperty(parsed: Parsed, name: string, value: unknown): void {
  switch (name) {
    case "subject":
    case "internetMessageId":
      parsed[name] = textOf(value, name);
      break;
    case "body":
      parsed.body = toBody(objectOf(value, name));
      break;
    case "from":
    case "sender":
      parsed[name] = value === null ? null : toAddressOf(value);
      break;
    case "toRecipients":
    case "ccRecipients":
    case "bccRecipients":
    case "replyTo":
      parsed[name] = listOf(value, name).map(toAddressOf);
      break;
    case "importance":
      parsed.importance = oneOf(value, name, ["low", "normal", "high"]);
      break;
    case "inferenceClassification":
      parsed.inferenceClassification = oneOf(value, name, ["focused", "other"]);
      break;
    case "isRead":
    case "isDeliveryReceiptRequested":
    case "isReadReceiptRequested":
      if (typeof value !== "boolean") throw wrongType(name, "Edm.Boolean");
      parsed[name] = value;
      break;
    case "flag":
      parsed.flag = toFlag(objectOf(value, name));
      break;
    case "categories":
      parsed.categories = listOf(value, name).map((each) => textOf(each, name));
      break;
    case SINGLE:
    case MULTI:
      parsed.extended = [...(parsed.extended ?? []), ...readExtended(value, name)];
      break;
    case "internetMessageHeaders":
      parsed.headers = toHeaders(listOf(value, name));
      break;
  }
}

/** Throws for a parameter that an action does not have. */
export function toAddressList(value: unknown, name: string): Address[] {
  return listOf(value, name).map(toAddressOf);
}

/** Not documented; Graph was seen to refuse a sixth one. */
const OWN_HEADERS_MAX = 5;

function toHeaders(list: readonly unknown[]): Header[] {
  if (list.length > OWN_HEADERS_MAX) {
    throw badRequest(
      `Maximum number of headers in one message should be less than or equal to ${OWN_HEADERS_MAX}.`,
      "InvalidInternetMessageHeaderCollection",
    );
  }
  return list.map((each) => toHeader(objectOf(each, "internetMessageHeaders")));
}

/** Outlook accepts a due date only together with a start date. */
function toFlag(json: Json): Flag {
  checkParameters(json, ["flagStatus", "startDateTime", "dueDateTime", "completedDateTime"]);
  if (json["dueDateTime"] && !json["startDateTime"]) {
    throw badRequest("A flag with a dueDateTime needs a startDateTime.", "ErrorInvalidArgument");
  }
  const flagStatus = oneOf(json["flagStatus"], "flagStatus", ["notFlagged", "flagged", "complete"]);
  return { ...json, flagStatus };
}

function toHeader(json: Json): Header {
  const name = textOf(json["name"], "name");
  if (!/^x-/i.test(name))
    throw badRequest(
      `The internet message header name '${name}' should start with 'x-' or 'X-'.`,
      "InvalidInternetMessageHeader",
    );
  return { name, value: textOf(json["value"], "value") };
}

function toBody(json: Json): Body {
  return {
    contentType: oneOf(String(json["contentType"] ?? "text").toLowerCase(), "contentType", [
      "text",
      "html",
    ]),
    content: typeof json["content"] === "string" ? json["content"] : "",
  };
}

function toAddressOf(value: unknown): Address {
  const email = objectOf(objectOf(value, "recipient")["emailAddress"], "emailAddress");
  const address = textOf(email["address"], "address");
  return { address, name: typeof email["name"] === "string" ? email["name"] : address };
}

function objectOf(value: unknown, name: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw wrongType(name, "object");
}

function listOf(value: unknown, name: string): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw wrongType(name, "collection");
}

function textOf(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw wrongType(name, "Edm.String");
}

function oneOf<const T extends string>(value: unknown, name: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each.toLowerCase() === String(value).toLowerCase());
  if (found === undefined)
    throw badRequest(
      `The value '${String(value)}' of '${name}' is not one of ${allowed.join(", ")}.`,
      "RequestBodyRead",
    );
  return found;
}

function wrongType(name: string, type: string) {
  return badRequest(
    `Cannot convert the value of '${name}' to the expected type '${type}'.`,
    "RequestBodyRead",
  );
}

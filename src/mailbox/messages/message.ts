import { toStorableText } from "../../store/database.ts";
import { toStorable } from "../../store/storable.ts";

/** What we keep of a message: metadata, never its text. */
export interface MessageState {
  readonly messageId: string;
  readonly folderId: string;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly isDeleted: boolean;
  readonly flag: string;
  readonly categories: readonly string[];
  readonly changeKey: string;
  readonly modifiedAt: Date;
  /** How often the message came back after having been gone. */
  readonly lives: number;
  /** When we asked Graph for this state. */
  readonly lookedAt: Date;
  readonly internetMessageId: string | null;
  readonly receivedAt: Date | null;
  readonly subject: string | null;
  readonly senderName: string | null;
  readonly senderEmail: string | null;
  readonly importance: "low" | "normal" | "high";
  readonly hasAttachments: boolean;
  readonly conversationId: string | null;
  readonly hasListUnsubscribe: boolean;
  readonly isAutomated: boolean;
}

/** Mail that Postroom sends has this header; it is recorded and starts no jobs. */
export const OWN_MAIL_HEADER = "x-postroom-origin";
const UNSUBSCRIBE_HEADER = "list-unsubscribe";
const AUTOMATED_HEADER = "x-auto-response-suppress";

/** The headers that a rule needs; all others are ignored. */
export const KEPT_HEADERS: readonly string[] = [
  UNSUBSCRIBE_HEADER,
  AUTOMATED_HEADER,
  OWN_MAIL_HEADER,
];

/** The properties we request from Graph. They include no body, preview or recipients. */
export const MESSAGE_SELECT = [
  "id",
  "subject",
  "from",
  "receivedDateTime",
  "lastModifiedDateTime",
  "isRead",
  "isDraft",
  "importance",
  "hasAttachments",
  "conversationId",
  "categories",
  "parentFolderId",
  "internetMessageId",
  "internetMessageHeaders",
  "flag",
  "changeKey",
].join(",");

/** A message as Graph sends it; in delta responses, any property except the id may be absent. */
export interface GraphMessage {
  readonly id: string;
  readonly "@removed"?: { readonly reason?: string };
  readonly "@odata.etag"?: string;
  readonly changeKey?: string;
  readonly subject?: string | null;
  readonly from?: {
    readonly emailAddress?: { readonly name?: string; readonly address?: string };
  } | null;
  readonly receivedDateTime?: string | null;
  readonly lastModifiedDateTime?: string | null;
  readonly isRead?: boolean;
  readonly isDraft?: boolean;
  readonly importance?: string;
  readonly hasAttachments?: boolean;
  readonly conversationId?: string | null;
  readonly categories?: readonly string[];
  readonly parentFolderId?: string;
  readonly internetMessageId?: string | null;
  readonly internetMessageHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly flag?: { readonly flagStatus?: string };
}

/** The new state of a message: Graph's values, and our known values for anything Graph left out. */
export function toMessageState(
  message: GraphMessage,
  known: MessageState | null,
  fallbackFolderId: string,
  lookedAt: Date,
): MessageState {
  const headers = message.internetMessageHeaders;
  const sender = message.from === undefined ? undefined : (message.from?.emailAddress ?? null);
  return {
    messageId: message.id,
    folderId: message.parentFolderId ?? fallbackFolderId,
    isRead: message.isRead ?? known?.isRead ?? false,
    isDraft: message.isDraft ?? known?.isDraft ?? false,
    isDeleted: false,
    flag: message.flag?.flagStatus ?? known?.flag ?? "notFlagged",
    categories: message.categories?.map(toStorable) ?? known?.categories ?? [],
    changeKey: changeKeyOf(message) ?? known?.changeKey ?? "",
    modifiedAt: toDate(message.lastModifiedDateTime) ?? known?.modifiedAt ?? lookedAt,
    lives: known?.lives ?? 0,
    lookedAt,
    internetMessageId:
      message.internetMessageId === undefined
        ? (known?.internetMessageId ?? null)
        : normalizeInternetMessageId(message.internetMessageId),
    receivedAt: toDate(message.receivedDateTime) ?? known?.receivedAt ?? null,
    subject: message.subject === undefined ? (known?.subject ?? null) : clean(message.subject),
    senderName: sender === undefined ? (known?.senderName ?? null) : clean(sender?.name),
    senderEmail:
      sender === undefined
        ? (known?.senderEmail ?? null)
        : (clean(sender?.address)?.toLowerCase() ?? null),
    importance: toImportance(message.importance) ?? known?.importance ?? "normal",
    hasAttachments: message.hasAttachments ?? known?.hasAttachments ?? false,
    conversationId:
      message.conversationId === undefined
        ? (known?.conversationId ?? null)
        : clean(message.conversationId),
    hasListUnsubscribe:
      headers === undefined
        ? (known?.hasListUnsubscribe ?? false)
        : hasHeader(headers, UNSUBSCRIBE_HEADER),
    isAutomated:
      headers === undefined ? (known?.isAutomated ?? false) : hasHeader(headers, AUTOMATED_HEADER),
  };
}

export function domainOf(email: string | null): string | undefined {
  const at = email?.lastIndexOf("@") ?? -1;
  return at < 0 ? undefined : email!.slice(at + 1);
}

/** The RFC 5322 id without angle brackets, because programs disagree about them. */
export function normalizeInternetMessageId(id: string | null): string | null {
  const bare = clean(id)?.trim().replace(/^</, "").replace(/>$/, "");
  return bare === undefined || bare === "" ? null : bare;
}

export function isOwnMail(message: GraphMessage): boolean {
  return hasHeader(message.internetMessageHeaders ?? [], OWN_MAIL_HEADER);
}

function changeKeyOf(message: GraphMessage): string | undefined {
  return message.changeKey ?? message["@odata.etag"]?.replace(/^W\/"|"$/g, "");
}

function toImportance(text: string | undefined): MessageState["importance"] | undefined {
  const lower = text?.toLowerCase();
  return lower === "low" || lower === "normal" || lower === "high" ? lower : undefined;
}

function hasHeader(headers: readonly { readonly name: string }[], name: string): boolean {
  return headers.some((header) => header.name.toLowerCase() === name);
}

function toDate(text: string | null | undefined): Date | null {
  const ms = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms);
}

/** The longest line that RFC 5322 allows. */
const TEXT_LENGTH_MAX = 998;

function clean(text: string | null | undefined): string | null {
  return text == null ? null : toStorableText(text, TEXT_LENGTH_MAX);
}

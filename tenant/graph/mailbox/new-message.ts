/** Messages created from drafts, and messages of lazy blocks created on demand. */
import * as lazy from "./lazy-block.ts";
import { fillContent } from "./mail-content.ts";
import { domainOf } from "./mail-headers.ts";
import { toMessageId } from "./mail-ids.ts";
import type { Arrival, MessageContent, MessageDraft, StoredMessage } from "./mail-model.ts";
import { wholeSeconds } from "./mail-model.ts";
import type { FolderState, Mailbox } from "./mailbox.ts";

/** Assigns each property separately: spreading this many makes objects that are slow to read. */
export function newMessage(
  mailbox: Mailbox,
  key: number,
  folderId: string,
  draft: MessageDraft,
  nowMs: number,
): StoredMessage {
  const defaultId = `<${toMessageId(mailbox.tag, key, "immutable", 0).slice(8, -1)}@mail.invalid>`;
  const content = fillContent(draft, nowMs, defaultId);
  return {
    subject: content.subject,
    body: content.body,
    bodyPreview: content.bodyPreview,
    from: content.from,
    sender: content.sender,
    toRecipients: content.toRecipients,
    ccRecipients: content.ccRecipients,
    bccRecipients: content.bccRecipients,
    replyTo: content.replyTo,
    importance: content.importance,
    internetMessageId: content.internetMessageId,
    headers: content.headers,
    arrival: arrivalOf(mailbox, folderId, draft, content),
    attachments: content.attachments,
    sentMs: content.sentMs,
    receivedMs: content.receivedMs,
    key,
    moves: 0,
    version: 1,
    folderId,
    createdMs: wholeSeconds(nowMs),
    lastModifiedMs: wholeSeconds(nowMs),
    isRead: draft.isRead ?? false,
    isDraft: draft.isDraft ?? false,
    flag: draft.flag ?? { flagStatus: "notFlagged" },
    categories: [...(draft.categories ?? [])],
    conversationId: draft.conversationId ?? conversationOf(mailbox, content.subject),
    inferenceClassification: draft.inferenceClassification ?? "focused",
    isDeliveryReceiptRequested: draft.isDeliveryReceiptRequested ?? false,
    isReadReceiptRequested: draft.isReadReceiptRequested ?? false,
    visibleFromMs: 0,
    attachmentCount: content.attachments.length,
    ...(draft.extended?.length ? { extended: [...draft.extended] } : {}),
  };
}

const UNRECEIVED = ["drafts", "outbox", "sentitems"];

function arrivalOf(
  mailbox: Mailbox,
  folderId: string,
  draft: MessageDraft,
  { from }: MessageContent,
): Arrival | null {
  const isOwn = UNRECEIVED.some((name) => mailbox.wellKnown.get(name) === folderId);
  if (draft.isDraft || isOwn) return null;
  const { domain } = mailbox;
  const isInternal = domainOf(from?.address ?? "") === domain;
  return { verdict: draft.auth ?? (isInternal ? "internal" : "pass"), domain };
}

/** A message of a lazy block, created on each call and not stored. */
export function findLazy(mailbox: Mailbox, key: number, nowMs: number): StoredMessage | null {
  for (const state of mailbox.folders.values()) {
    if (state.lazy !== null && lazy.has(state.lazy, key)) {
      return generateLazy(mailbox, state, key - state.lazy.firstKey, nowMs);
    }
  }
  return null;
}

/** Generated messages are unread, so that a folder's counts do not require looking at each one. */
export function generateLazy(
  mailbox: Mailbox,
  state: FolderState,
  index: number,
  nowMs: number,
): StoredMessage {
  const block = state.lazy!;
  const draft = block.generate(index);
  const message = newMessage(mailbox, block.firstKey + index, state.folder.id, draft, nowMs);
  message.createdMs = message.receivedMs;
  message.lastModifiedMs = message.receivedMs;
  message.isRead = false;
  return message;
}

/** Messages of one thread share their subject, ignoring reply prefixes. */
export function conversationOf(mailbox: Mailbox, subject: string): string {
  const topic = subject
    .replace(/^\s*((re|fw|fwd|aw|wg)\s*:\s*)+/i, "")
    .trim()
    .toLowerCase();
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let index = 0; index < topic.length; index++) {
    high = Math.imul(high ^ topic.charCodeAt(index), 0x01000193) >>> 0;
    low = Math.imul(low ^ topic.charCodeAt(index), 0x85ebca6b) >>> 0;
  }
  const bytes = Buffer.alloc(16);
  mailbox.tag.copy(bytes);
  bytes.writeUInt32BE(high, 8);
  bytes.writeUInt32BE(low, 12);
  return `AAQkAD${bytes.toString("base64url")}=`;
}

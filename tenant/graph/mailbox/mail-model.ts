/** A message as the store keeps it, and the loose format in which messages come in. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

export interface Body {
  readonly contentType: "text" | "html";
  readonly content: string;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** Exchange's verdict about the sender of a message from outside (`compauth`). */
export type AuthVerdict = "pass" | "fail" | "none";

/** How a message reached the mailbox. */
export interface Arrival {
  /** `internal`: from somebody of the same organization, so there was nothing to check. */
  readonly verdict: AuthVerdict | "internal";
  /** The domain that received it. */
  readonly domain: string;
}

/** A MAPI property that a client wrote: one text, or several. */
export interface ExtendedProperty {
  readonly id: string;
  readonly value: string | string[];
}

export interface Flag {
  flagStatus: "notFlagged" | "flagged" | "complete";
  [detail: string]: unknown;
}

export interface StoredAttachment {
  /** Unique within its message and never reused. */
  readonly number: number;
  readonly kind: "file" | "item" | "reference";
  readonly name: string;
  /** Null for an attached item, as in Graph. */
  readonly contentType: string | null;
  readonly isInline: boolean;
  readonly contentId: string | null;
  readonly lastModifiedMs: number;
  /** The bytes of a file. */
  readonly bytes: Buffer | null;
  /** The attached message. */
  readonly item: MessageContent | null;
  /** Where a reference points. */
  readonly sourceUrl: string | null;
}

/** The content of a message, whether it is in a folder or inside another message. */
export interface MessageContent {
  subject: string;
  body: Body;
  bodyPreview: string;
  from: Address | null;
  sender: Address | null;
  toRecipients: Address[];
  ccRecipients: Address[];
  bccRecipients: Address[];
  replyTo: Address[];
  importance: "low" | "normal" | "high";
  internetMessageId: string;
  /** The sender's headers; `headersOf` puts Exchange's own above them. */
  headers: Header[];
  /** Null for drafts, sent items and attached messages, which were not received here. */
  arrival: Arrival | null;
  attachments: StoredAttachment[];
  /** Whole seconds, as Exchange stores them. */
  sentMs: number;
  receivedMs: number;
}

export interface StoredMessage extends MessageContent {
  /** Stable within its mailbox for its lifetime: the basis of the immutable id. */
  readonly key: number;
  /** Increases with each change of folder. It is part of the default id, which therefore changes. */
  moves: number;
  /** Increases with each change: the basis of the change key. */
  version: number;
  folderId: string;
  createdMs: number;
  lastModifiedMs: number;
  isRead: boolean;
  isDraft: boolean;
  flag: Flag;
  categories: string[];
  conversationId: string;
  inferenceClassification: "focused" | "other";
  isDeliveryReceiptRequested: boolean;
  isReadReceiptRequested: boolean;
  /** Listings and delta show the message only from this time on, like an index that lags. */
  visibleFromMs: number;
  attachmentCount: number;
  extended?: ExtendedProperty[];
}

export interface AttachmentDraft {
  readonly kind?: "file" | "item" | "reference";
  readonly name: string;
  readonly contentType?: string | null;
  readonly isInline?: boolean;
  readonly contentId?: string | null;
  readonly bytes?: Buffer;
  readonly item?: MessageDraft;
  readonly sourceUrl?: string;
}

export type AddressDraft = string | { name?: string; address: string };

/** Everything is optional and has a default. */
export interface MessageDraft {
  readonly subject?: string;
  readonly body?: string | Body;
  readonly from?: AddressDraft;
  readonly sender?: AddressDraft;
  readonly to?: AddressDraft | readonly AddressDraft[];
  readonly cc?: AddressDraft | readonly AddressDraft[];
  readonly bcc?: AddressDraft | readonly AddressDraft[];
  readonly replyTo?: AddressDraft | readonly AddressDraft[];
  readonly importance?: "low" | "normal" | "high";
  readonly internetMessageId?: string;
  readonly headers?: readonly Header[];
  /**
   * The verdict on a message from outside. Without it, a sender of the mailbox's own domain is
   * internal and everybody else passes.
   */
  readonly auth?: AuthVerdict;
  readonly attachments?: readonly AttachmentDraft[];
  /** Milliseconds since the epoch, or an ISO time. */
  readonly receivedAt?: number | string;
  readonly sentAt?: number | string;
  readonly isRead?: boolean;
  readonly isDraft?: boolean;
  readonly flag?: Flag;
  readonly categories?: readonly string[];
  readonly conversationId?: string;
  readonly inferenceClassification?: "focused" | "other";
  readonly isDeliveryReceiptRequested?: boolean;
  readonly isReadReceiptRequested?: boolean;
  readonly extended?: readonly ExtendedProperty[];
}

export interface Folder {
  readonly id: string;
  readonly number: number;
  displayName: string;
  parentFolderId: string;
  readonly wellKnownName: string | null;
  readonly isHidden: boolean;
  readonly isSearchFolder: boolean;
}

/** Rounds down to whole seconds, the precision of Exchange's times. */
export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

export function toGraphTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

import { domainOf } from "../messages/message.ts";
import type { EventType } from "./diff-message.ts";

/** Which path saw a change first; `import` is another program, before we watched the mailbox. */
export type SeenBy = "push" | "delta" | "poll" | "audit" | "import";

/** An event as people and programs read it. */
export interface MailEvent {
  /** Its position in the feed. */
  readonly seq: number;
  readonly userId: string;
  readonly mailboxId: number;
  readonly mailbox: string;
  readonly messageId: string;
  readonly internetMessageId: string | null;
  readonly eventType: EventType;
  /** When it happened, if Graph says so. */
  readonly timestamp: Date;
  readonly seenBy: SeenBy;
  readonly seenAt: Date;
  readonly subject: string | null;
  readonly sender: { readonly name?: string; readonly email?: string; readonly domain?: string };
  readonly receivedAt: Date | null;
  readonly folderId: string;
  readonly folderName: string | null;
  readonly fromFolder: string | null;
  /** The name that it had then. */
  readonly fromFolderName: string | null;
  readonly toFolder: string | null;
  readonly importance: string;
  readonly hasAttachments: boolean;
  readonly conversationId: string | null;
  readonly categories: readonly string[];
  readonly isRead: boolean;
  readonly flag: string;
  readonly relatedMessageId: string | null;
  readonly metadata: {
    readonly hasListUnsubscribe: boolean;
    readonly isNewsletter: boolean;
    readonly isAutomated: boolean;
  };
}

export interface EventRow {
  readonly seq: number;
  readonly userId: string;
  readonly mailboxId: number;
  readonly mailbox: string;
  readonly messageId: string;
  readonly internetMessageId: string | null;
  readonly eventType: EventType;
  readonly at: Date;
  readonly seenBy: SeenBy;
  readonly seenAt: Date;
  readonly subject: string | null;
  readonly senderName: string | null;
  readonly senderEmail: string | null;
  readonly receivedAt: Date | null;
  readonly folderId: string;
  readonly folderName: string | null;
  readonly fromFolder: string | null;
  readonly fromFolderName: string | null;
  readonly importance: string;
  readonly hasAttachments: boolean;
  readonly conversationId: string | null;
  readonly categories: readonly string[];
  readonly isRead: boolean;
  readonly flag: string;
  readonly relatedMessageId: string | null;
  readonly hasListUnsubscribe: boolean;
  readonly isAutomated: boolean;
}

const MOVES: ReadonlySet<EventType> = new Set(["moved", "restored", "sent"]);

export function toMailEvent(row: EventRow): MailEvent {
  const { at, senderName, senderEmail, hasListUnsubscribe, isAutomated, ...rest } = row;
  const domain = domainOf(senderEmail);
  return {
    ...rest,
    timestamp: at,
    sender: {
      ...(senderName === null ? {} : { name: senderName }),
      ...(senderEmail === null ? {} : { email: senderEmail }),
      ...(domain === undefined ? {} : { domain }),
    },
    toFolder: MOVES.has(row.eventType) ? row.folderId : null,
    metadata: { hasListUnsubscribe, isNewsletter: hasListUnsubscribe, isAutomated },
  };
}

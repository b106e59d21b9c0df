import type { MessageDraft } from "../graph/mail-model.ts";

/** A message in a few words, as the admin API shows it. */
export interface MailSummary {
  /** The default id, as Graph shows it without a `Prefer` header. */
  readonly id: string;
  readonly immutableId: string;
  /** The mailbox's user principal name. */
  readonly mailbox: string;
  /** Well-known name or display name of the folder. */
  readonly folder: string;
  readonly subject: string;
  readonly isRead: boolean;
  readonly receivedDateTime: string;
  readonly internetMessageId: string;
}

/**
 * What people do to mail, offered by `graph.admin`. A mailbox is a user's id or principal name, a
 * message an id of either kind, a folder a well-known name, a display name or an id. What is not
 * there is answered with null.
 */
export interface MailOperations {
  sendMail(mailbox: string, draft: MessageDraft, options?: { folder?: string }): MailSummary | null;
  /** Newest first. */
  list(mailbox: string, options?: { folder?: string; top?: number }): MailSummary[] | null;
  move(mailbox: string, message: string, folder: string): MailSummary | null;
  markRead(mailbox: string, message: string, isRead: boolean): MailSummary | null;
  flag(
    mailbox: string,
    message: string,
    status: "flagged" | "complete" | "notFlagged",
  ): MailSummary | null;
  categorize(mailbox: string, message: string, categories: readonly string[]): MailSummary | null;
  /** To Deleted Items, or for good. */
  delete(mailbox: string, message: string, permanently: boolean): boolean;
  createFolder(mailbox: string, displayName: string, parent?: string): { id: string } | null;
  /** Fills a folder with messages that exist only when somebody looks. */
  fill(
    mailbox: string,
    folder: string,
    count: number,
    generate: (index: number) => MessageDraft,
  ): void;
}

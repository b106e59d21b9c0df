import type { SenderEvidence } from "../../../ingestion/sender-evidence.ts";

/** A message as ingestion needs it. */
export interface MailMessage {
  /** The immutable id. */
  readonly id: string;
  /** The default id, which changes on a move; undefined if unknown. */
  readonly defaultId?: string;
  readonly internetMessageId?: string;
  readonly from: string | null;
  /** Undefined for a message that was stored before we kept evidence. */
  readonly senderEvidence?: SenderEvidence;
  readonly receivedAt: Date;
  readonly subject: string | null;
}

export interface MailAttachment {
  readonly id: string;
  readonly name: string;
  /** A file, a message or event inside the mail, or a link to a file elsewhere. */
  readonly kind: "file" | "item" | "reference";
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
}

/** Where messages are read from. Null means "not found". */
export interface MailSource {
  getMessage(mailbox: string, messageId: string): Promise<MailMessage | null>;
  /** The id of the message with this internet message id, given without brackets. */
  findByInternetId(mailbox: string, internetMessageId: string): Promise<string | null>;
  listAttachments(mailbox: string, messageId: string): Promise<MailAttachment[]>;
  /** The bytes of a file, or the MIME text of a message inside the mail. */
  downloadAttachment(mailbox: string, messageId: string, attachmentId: string): Promise<Buffer>;
  /** The whole message as MIME. */
  getMime(mailbox: string, messageId: string): Promise<Buffer>;
}

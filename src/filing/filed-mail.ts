import type { Parent } from "./container.ts";

/** A message as its record describes it, whether it was read from Dataverse or from a mailbox. */
export interface FiledMail {
  readonly subject: string | null;
  readonly html: string | null;
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly date: Date;
  readonly messageId: string | null;
  readonly isOutgoing: boolean;
  readonly trackingToken: string | null;
  readonly conversationIndex: string | null;
  /** The row that its documents belong to. */
  readonly parent: Parent | null;
}

/** An attachment without its bytes. */
export interface MailAttachmentRow {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string | null;
  readonly size: number;
}

export interface MailIds {
  readonly mailbox: string;
  /** The immutable id, which we store. */
  readonly messageId: string;
  /** The default id, which changes on a move; undefined if unknown. */
  readonly defaultId?: string | undefined;
  readonly internetMessageId?: string | undefined;
}

/**
 * Identifies a message for its effects. The internet message id is the same in every folder and for every kind
 * of id; a message without one is identified by its message id.
 */
export function emailKeyOf(ids: MailIds): string {
  const name =
    ids.internetMessageId === undefined
      ? `id:${ids.messageId}`
      : normalInternetId(ids.internetMessageId);
  return `${ids.mailbox.toLowerCase()}|${name}`;
}

/** Removes the angle brackets, which some programs omit. */
export function normalInternetId(internetMessageId: string): string {
  return internetMessageId.trim().replace(/^<|>$/g, "");
}

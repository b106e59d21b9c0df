export interface MailIds {
  readonly mailbox: string;
  /** The immutable id, which we store. */
  readonly messageId: string;
  /** The default id, which changes on a move; undefined if unknown. */
  readonly defaultId?: string | undefined;
  readonly internetMessageId?: string | undefined;
}

/**
 * The key under which the effects of a message are recorded, so that each happens once. The internet message id stays
 * the same in every folder, whichever kind of Graph id the message is read by; a message without one is identified by
 * its message id.
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

import { Fault } from "../lib/fault.ts";

/** The width of the column in the shared table. */
export const MESSAGE_ID_LENGTH_MAX = 255;

/** Message ids are case-sensitive and never truncated: two messages would become one. */
export function assertMessageId(messageId: string): void {
  if (messageId === "") throw new Fault("mail.no-message-id", "the message has no id");
  if (messageId.length <= MESSAGE_ID_LENGTH_MAX) return;
  throw new Fault(
    "mail.id-too-long",
    `a message id of ${messageId.length} characters does not fit the shared table (255)`,
    { facts: { length: messageId.length, start: messageId.slice(0, 40) } },
  );
}

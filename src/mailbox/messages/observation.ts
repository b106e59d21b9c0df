import type { GraphMessage } from "./message.ts";

export type Observation =
  | {
      readonly kind: "present";
      readonly message: GraphMessage;
      /** The folder it was seen in, for answers that do not name it. */
      readonly folderId?: string;
    }
  /** The mailbox no longer has it: Graph answered 404, not just "not in this folder". */
  | { readonly kind: "gone"; readonly messageId: string };

export function messageIdOf(observation: Observation): string {
  return observation.kind === "gone" ? observation.messageId : observation.message.id;
}

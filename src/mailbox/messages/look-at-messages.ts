/** Reads messages from Graph by id. */
import type { BatchResult } from "../../microsoft/graph/batch.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import { GraphApiError } from "../../microsoft/graph/graph-fault.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { userPath } from "../user-path.ts";
import { type GraphMessage, MESSAGE_SELECT } from "./message.ts";
import type { Observation } from "./observation.ts";

/** Returns the current state of messages, or that they are gone; throws any other error. */
export async function lookAtMessages(
  graph: GraphClient,
  mailbox: Mailbox,
  messageIds: readonly string[],
): Promise<Observation[]> {
  const results = await readMessages(graph, mailbox, messageIds);
  return results.map((result, index) => toObservation(result, messageIds[index]!));
}

/** Returns one result per message: its properties, or its error, including 'not found'. */
export function readMessages(
  graph: GraphClient,
  mailbox: Mailbox,
  messageIds: readonly string[],
): Promise<BatchResult<GraphMessage>[]> {
  const user = userPath(mailbox);
  return graph.batch<GraphMessage>(
    mailbox.address,
    messageIds.map((id) => ({
      path: `${user}/messages/${encodeURIComponent(id)}?$select=${MESSAGE_SELECT}`,
    })),
  );
}

export function toObservation(result: BatchResult<GraphMessage>, messageId: string): Observation {
  if (result.isOk) return { kind: "present", message: result.body };
  if (isGone(result.error)) return { kind: "gone", messageId };
  throw result.error;
}

/** Whether the error means that the message or folder does not exist, and not that the mailbox or a permission is missing. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof GraphApiError)) return false;
  // An id that Graph cannot parse belongs to no message.
  if (error.status === 400) return /^ErrorInvalidIdMalformed$/i.test(error.graphCode);
  const isWholeMailbox =
    /^(MailboxNotEnabledForRESTAPI|Request_ResourceNotFound|ErrorInvalidUser)$/i;
  return error.status === 404 && !isWholeMailbox.test(error.graphCode);
}

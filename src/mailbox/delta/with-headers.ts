import type { LookNeeds } from "../events/look-and-record.ts";
import type { Folder } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { lookAtMessages } from "../messages/look-at-messages.ts";
import type { GraphMessage } from "../messages/message.ts";
import { findMessages } from "../messages/message-table.ts";
import type { Observation } from "../messages/observation.ts";

/**
 * Adds the internet message headers that delta leaves out. They show whether a message is our own, a
 * newsletter or automated, so they are read before a message that enters the folder can start work. The first
 * round skips mail from before ingestion began: it starts no work, and there may be a million messages.
 */
export async function withHeaders(
  needs: Pick<LookNeeds, "database" | "graphOf">,
  mailbox: Mailbox,
  folder: Folder,
  messages: readonly GraphMessage[],
  isFirstRound: boolean,
): Promise<readonly GraphMessage[]> {
  const isWanted = (message: GraphMessage) =>
    message.internetMessageHeaders === undefined &&
    message.isDraft !== true &&
    !(isFirstRound && isOlder(message, mailbox.ingestSince));
  const wanted = messages.filter(isWanted).map((message) => message.id);
  if (wanted.length === 0) return messages;
  const known = await findMessages(needs.database, mailbox.id, wanted);
  const entering = wanted.filter((id) => {
    const state = known.get(id);
    return state === undefined || state.isDeleted || state.folderId !== folder.folderId;
  });
  if (entering.length === 0) return messages;
  const looks = await lookAtMessages(needs.graphOf(mailbox), mailbox, entering);
  const headers = new Map(entering.map((id, index) => [id, headersOf(looks[index]!)]));
  return messages.map((message) => {
    const found = headers.get(message.id);
    return found === undefined ? message : { ...message, internetMessageHeaders: found };
  });
}

/** Graph omits the property when a message has no headers. A message that is gone by now stays as delta saw it. */
function headersOf(look: Observation): GraphMessage["internetMessageHeaders"] {
  return look.kind === "gone" ? undefined : (look.message.internetMessageHeaders ?? []);
}

function isOlder({ receivedDateTime }: GraphMessage, since: Date): boolean {
  return receivedDateTime != null && Date.parse(receivedDateTime) < since.getTime();
}

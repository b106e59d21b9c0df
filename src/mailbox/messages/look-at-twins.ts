import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import type { Queryable } from "../../store/database.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { lookAtMessages } from "./look-at-messages.ts";
import { normalizeInternetMessageId } from "./message.ts";
import { findTwins } from "./message-table.ts";
import { messageIdOf, type Observation } from "./observation.ts";

/**
 * A new message with a known RFC 5322 id is either a copy or the known message under a new id. The
 * known one is looked at as well, so it does not matter which of the two Graph reports first.
 */
export async function withTwins(
  needs: { database: Queryable; graphOf: (mailbox: Mailbox) => GraphClient },
  mailbox: Mailbox,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  const seen = observations.flatMap((observation) => {
    if (observation.kind === "gone") return [];
    const { id, internetMessageId } = observation.message;
    const normal = normalizeInternetMessageId(internetMessageId ?? null);
    return normal === null ? [] : [{ messageId: id, internetMessageId: normal }];
  });
  if (seen.length === 0) return observations;
  const others = observations.map(messageIdOf);
  const twins = await findTwins(needs.database, mailbox.id, seen, others);
  if (twins.length === 0) return observations;
  return [...(await lookAtMessages(needs.graphOf(mailbox), mailbox, twins)), ...observations];
}

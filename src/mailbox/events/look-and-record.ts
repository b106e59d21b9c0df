import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import type { Database } from "../../store/database.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { lookAtMessages } from "../messages/look-at-messages.ts";
import { withTwins } from "../messages/look-at-twins.ts";
import { timeOfAsking } from "../messages/message-table.ts";
import type { SeenBy } from "./event.ts";
import { type FollowUp, recordObservations } from "./record-observations.ts";

export interface LookNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly followUp: FollowUp;
}

/** Looks at messages by id and records what is found. Returns the number of new events. */
export async function lookAndRecord(
  needs: LookNeeds,
  mailbox: Mailbox,
  messageIds: readonly string[],
  seenBy: SeenBy,
  generation = 0,
): Promise<number> {
  const at = await timeOfAsking(needs.database);
  const looks = await lookAtMessages(needs.graphOf(mailbox), mailbox, messageIds);
  const observations = await withTwins(needs, mailbox, looks);
  const recorded = await needs.database.transaction((tx) =>
    recordObservations(tx, mailbox, observations, { by: seenBy, at, generation }, needs.followUp),
  );
  return recorded.length;
}

import { killPoint } from "../../lib/kill-points.ts";
import type { SeenBy } from "../events/event.ts";
import type { LookNeeds } from "../events/look-and-record.ts";
import { recordObservations } from "../events/record-observations.ts";
import { type CursorMove, type Folder, moveCursor } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { lookAtMessages } from "../messages/look-at-messages.ts";
import { withTwins } from "../messages/look-at-twins.ts";
import type { GraphMessage } from "../messages/message.ts";
import { findMessages } from "../messages/message-table.ts";
import type { Observation } from "../messages/observation.ts";
import type { Mirror } from "../mirror.ts";
import type { DeltaPage } from "./read-delta-page.ts";
import { withHeaders } from "./with-headers.ts";

/** Commits a page's events together with the link to the next page. Returns the number of new events. */
export async function writePage(
  needs: LookNeeds & { readonly mirror?: Mirror },
  mailbox: Mailbox,
  folder: Folder,
  page: DeltaPage,
  move: CursorMove,
  seenBy: SeenBy,
): Promise<number> {
  const left = page.value
    .filter((message) => message["@removed"] !== undefined)
    .map((message) => message.id);
  const isFirstRound = folder.isFullRound && folder.generation === 1;
  const present = await withHeaders(needs, mailbox, folder, presentIn(page), isFirstRound);
  const { folderId } = folder;
  const seen: Observation[] = [
    ...present.map((message): Observation => ({ kind: "present", message, folderId })),
    ...(await whereTheyWent(needs, mailbox, folder, left)),
  ];
  // While a folder is read for the first time, no message can be a known one under a new id.
  const observations = isFirstRound ? seen : await withTwins(needs, mailbox, seen);
  const generation = folder.isFullRound ? folder.generation : 0;
  const sighting = { by: seenBy, at: page.askedAt, generation };
  const events = await needs.database.transaction(async (tx) => {
    await killPoint("delta.page-open");
    const recorded = await recordObservations(tx, mailbox, observations, sighting, needs.followUp);
    await moveCursor(tx, folder, move);
    return recorded.length;
  });
  await killPoint(move.isEnd ? "delta.link-committed" : "delta.page-committed");
  await needs.mirror?.cursor(mailbox.id, folder.folderId, move.to);
  return events;
}

/** One page may name a message several times; the last mention counts. */
function presentIn(page: DeltaPage): GraphMessage[] {
  const latest = new Map<string, GraphMessage>();
  for (const message of page.value) {
    if (message["@removed"] === undefined) latest.set(message.id, message);
    else latest.delete(message.id);
  }
  return [...latest.values()];
}

/** Delta reports "removed" for a deletion and for a move; only reading the message shows which it was. */
async function whereTheyWent(
  needs: LookNeeds,
  mailbox: Mailbox,
  folder: Folder,
  messageIds: readonly string[],
): Promise<Observation[]> {
  if (messageIds.length === 0) return [];
  const known = await findMessages(needs.database, mailbox.id, messageIds);
  const stillHere = messageIds.filter((id) => {
    const state = known.get(id);
    return state !== undefined && !state.isDeleted && state.folderId === folder.folderId;
  });
  return lookAtMessages(needs.graphOf(mailbox), mailbox, [...new Set(stillHere)]);
}

import type { SeenBy } from "../events/event.ts";
import { type LookNeeds, lookAndRecord } from "../events/look-and-record.ts";
import { endFullRound, type Folder } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { findStranded, findUnmet } from "../messages/message-table.ts";

const LOOK_AT_ONCE = 200;

/** After a full round: messages that we expected in the folder and did not meet were deleted or moved. */
export async function sweepFolder(
  needs: LookNeeds,
  mailbox: Mailbox,
  folder: Folder,
  seenBy: SeenBy,
): Promise<number> {
  const { folderId, generation } = folder;
  let events = 0;
  for (;;) {
    const unmet = await findUnmet(needs.database, mailbox.id, folderId, generation, LOOK_AT_ONCE);
    if (unmet.length === 0) break;
    events += await lookAndRecord(needs, mailbox, unmet, seenBy, generation);
  }
  await endFullRound(needs.database, mailbox.id, folderId);
  return events;
}

/** Messages of deleted folders were deleted with them or moved out before; Graph knows which. */
export async function sweepGoneFolders(
  needs: LookNeeds,
  mailbox: Mailbox,
  seenBy: SeenBy,
): Promise<number> {
  let events = 0;
  for (let previous = ""; ; ) {
    const ids = await findStranded(needs.database, mailbox.id, LOOK_AT_ONCE);
    if (ids.length === 0 || ids[0] === previous) return events;
    previous = ids[0]!;
    events += await lookAndRecord(needs, mailbox, ids, seenBy);
  }
}

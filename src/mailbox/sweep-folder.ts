import type { SeenBy } from "./event.ts";
import type { Folder } from "./folder-table.ts";
import { lookAtMessages } from "./graph-mail.ts";
import { withTwins } from "./look-at-twins.ts";
import type { Mailbox } from "./mailbox-table.ts";
import { findStranded, findUnmet, timeOfAsking } from "./message-table.ts";
import { recordObservations } from "./record-observations.ts";
import type { WalkNeeds } from "./walk-folder.ts";

const LOOK_AT_ONCE = 200;

type LookNeeds = Pick<WalkNeeds, "database" | "graphOf" | "followUp">;

/** Looks at messages by id and records what is found. */
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

/** After a walk from the start: what we thought to be there and did not meet was deleted or moved. */
export async function sweepFolder(
  needs: LookNeeds,
  mailbox: Mailbox,
  folder: Folder,
  seenBy: SeenBy,
): Promise<number> {
  let events = 0;
  for (;;) {
    const unmet = await findUnmet(
      needs.database,
      mailbox.id,
      folder.folderId,
      folder.generation,
      LOOK_AT_ONCE,
    );
    if (unmet.length === 0) break;
    events += await lookAndRecord(needs, mailbox, unmet, seenBy, folder.generation);
  }
  await needs.database.query(
    "UPDATE postroom.folder SET is_walking = false WHERE mailbox = $1 AND folder_id = $2",
    [folder.mailbox, folder.folderId],
  );
  return events;
}

/** The messages of folders that are gone went with them or were moved out before; Graph knows which. */
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

/** Removes saves whose request died and was not repeated, with the files that they left on the drive. */
import type { FileStore } from "../../files/file-store.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Actors } from "../actors.ts";
import type { UploadNeeds } from "../upload-content.ts";
import { forgetCalls } from "./call-limit-table.ts";
import { findAbandonedSaves, removeSave, retakeSave } from "./office-save-table.ts";
import { partsOf, removeParts } from "./put-files.ts";

/** Until then the person may repeat the request, which continues it. */
const ABANDONED_MS = 60 * 60_000;
const A_ROUND = 200;

/** Removes files that requests have received. A request that needs longer is dead, and its repetition sends them again. */
export async function removeReceived(
  spool: Pick<FileStore, "list" | "removeUnused">,
  clock: Clock,
): Promise<void> {
  const before = new Date(clock.now() - ABANDONED_MS);
  for await (const ids of spool.list()) for (const id of ids) await spool.removeUnused(id, before);
}

/** The number of saves that were removed. */
export async function sweepSaves(
  needs: UploadNeeds & { readonly actors: Actors; readonly clock: Clock; readonly log: Log },
): Promise<number> {
  await forgetCalls(needs.database);
  const before = new Date(needs.clock.now() - ABANDONED_MS);
  let removed = 0;
  for (const { id, facts } of await findAbandonedSaves(needs.database, before, A_ROUND)) {
    // From now on a repeated request of its owner waits.
    if (!(await retakeSave(needs.database, id))) continue;
    try {
      await removeParts(needs, needs.actors.app, partsOf(id, facts));
      await removeSave(needs.database, id);
      removed += 1;
    } catch (error) {
      needs.log.warn({ saveId: id, err: error }, "an abandoned save could not be removed");
    }
  }
  return removed;
}

/** Most folders have no changes most of the time: one request for each, and one statement for all of them. */
import type { Queryable } from "../../store/database.ts";
import { type Folder, type LinkMove, moveLinks } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import type { Mirror } from "../mirror.ts";
import { isForgotten, type PageNeeds, requestPage } from "./read-delta-page.ts";

export interface Unchanged {
  /** Ids of folders without changes; their new links are stored. */
  readonly folderIds: ReadonlySet<string>;
  /** Folders whose link Graph no longer knows. */
  readonly forgotten: ReadonlySet<string>;
  /** Folders whose request failed, with the error. */
  readonly failed: ReadonlyMap<string, unknown>;
}

/**
 * Takes no lease: only the new links are written, each only over the link that was read. If another
 * process has read on in the meantime, it finds the changes.
 */
export async function skipUnchanged(
  needs: PageNeeds & { readonly database: Queryable; readonly mirror?: Mirror },
  mailbox: Mailbox,
  folders: readonly Folder[],
): Promise<Unchanged> {
  const moves: LinkMove[] = [];
  const forgotten = new Set<string>();
  const failed = new Map<string, unknown>();
  for (const folder of folders) {
    const { folderId, deltaLink: from } = folder;
    if (from === null || folder.isFullRound) continue;
    try {
      const page = await requestPage(needs, mailbox, folder, from);
      const to = page["@odata.deltaLink"];
      if (page.value.length === 0 && to !== undefined) moves.push({ folderId, from, to });
    } catch (error) {
      if (isForgotten(error)) forgotten.add(folderId);
      else failed.set(folderId, error);
    }
  }
  await moveLinks(needs.database, mailbox.id, moves);
  for (const { folderId, to } of moves) await needs.mirror?.cursor(mailbox.id, folderId, to);
  return { folderIds: new Set(moves.map((move) => move.folderId)), forgotten, failed };
}

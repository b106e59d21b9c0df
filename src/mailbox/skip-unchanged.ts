/** Most folders, most of the time: one request each, and one statement for all of them. */
import type { Folder } from "./folder-table.ts";
import type { Mailbox } from "./mailbox-table.ts";
import { requestPage } from "./read-delta-page.ts";
import { isForgotten, type WalkNeeds } from "./walk-folder.ts";

export interface Unchanged {
  /** Ids of folders in which nothing has happened; their new links are kept. */
  readonly folderIds: ReadonlySet<string>;
  /** Folders whose link Graph no longer knows. */
  readonly forgotten: ReadonlySet<string>;
  /** Folders that could not be asked about, with what went wrong. */
  readonly failed: ReadonlyMap<string, unknown>;
}

/**
 * No lease is taken, since nothing is written but the new links, and each only over the one that was
 * read from: where another process has read on meanwhile, what there is to find is theirs to find.
 */
export async function skipUnchanged(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folders: readonly Folder[],
): Promise<Unchanged> {
  const moves: { folderId: string; from: string; to: string }[] = [];
  const forgotten = new Set<string>();
  const failed = new Map<string, unknown>();
  for (const folder of folders) {
    const { folderId, deltaLink: from } = folder;
    if (from === null || folder.isWalking) continue;
    try {
      const page = await requestPage(needs, mailbox, folder, from);
      const to = page["@odata.deltaLink"];
      if (page.value.length === 0 && to !== undefined) moves.push({ folderId, from, to });
    } catch (error) {
      if (isForgotten(error)) forgotten.add(folderId);
      else failed.set(folderId, error);
    }
  }
  await keepLinks(needs, mailbox, moves);
  return { folderIds: new Set(moves.map((move) => move.folderId)), forgotten, failed };
}

async function keepLinks(
  needs: WalkNeeds,
  mailbox: Mailbox,
  moves: readonly { folderId: string; from: string; to: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await needs.database.query(
    `UPDATE postroom.folder f SET delta_link = t.target, last_delta_at = postroom.now()
       FROM unnest($2::text[], $3::text[], $4::text[]) AS t(id, source, target)
      WHERE f.mailbox = $1 AND f.folder_id = t.id AND f.delta_link = t.source`,
    [
      mailbox.id,
      moves.map((move) => move.folderId),
      moves.map((move) => move.from),
      moves.map((move) => move.to),
    ],
  );
  for (const { folderId, to } of moves) await needs.mirror?.cursor(mailbox.id, folderId, to);
}

import type { Database } from "../../store/database.ts";
import { forgetFoldersDeltaLink } from "../mailbox-table.ts";
import { markFoldersGone } from "./folder-table.ts";

/**
 * Called if Graph does not find the folder. A transient fault also returns 404, so the whole folder tree is
 * requested again next time.
 */
export async function leaveFolder(
  database: Database,
  mailbox: number,
  folderId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await markFoldersGone(tx, mailbox, [folderId]);
    await forgetFoldersDeltaLink(tx, mailbox);
  });
}

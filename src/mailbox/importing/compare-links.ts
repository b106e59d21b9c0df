/**
 * MSEDB's delta links say which folders it read, and up to when. We do not continue from them: they ask for other
 * properties and only for mail since a date. What matters is that we read every folder that MSEDB read.
 */
import type { Queryable } from "../../store/database.ts";
import { findFolders } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";

export interface LinkComparison {
  readonly folderId: string;
  readonly name: string | null;
  readonly here: "read" | "not read yet" | "excluded" | "gone";
}

const KEY = /^delta:([^:]+):(.+)$/;

/** The folders in a Redis dump by MSEDB's id of the mailbox; other keys say nothing. */
export function linkedFolders(dump: Readonly<Record<string, unknown>>): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const [key, value] of Object.entries(dump)) {
    const found = KEY.exec(key);
    if (found === null || typeof value !== "string" || value === "") continue;
    folders.set(found[1]!, [...(folders.get(found[1]!) ?? []), found[2]!]);
  }
  return folders;
}

export async function compareLinks(
  on: Queryable,
  mailbox: Mailbox,
  folderIds: readonly string[],
): Promise<LinkComparison[]> {
  const known = await findFolders(on, mailbox.id);
  return folderIds.map((givenId) => {
    // MSEDB's ids are Graph's, or well-known names where it had no list of folders.
    const folder = known.find(({ folderId, wellKnown }) => [folderId, wellKnown].includes(givenId));
    if (folder === undefined) return { folderId: givenId, name: null, here: "gone" };
    const isRead = folder.lastDeltaAt !== null;
    const here = folder.isExcluded ? "excluded" : isRead ? "read" : "not read yet";
    return { folderId: givenId, name: folder.displayName, here };
  });
}

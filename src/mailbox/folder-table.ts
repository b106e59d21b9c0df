import type { Queryable } from "../store/database.ts";
import type { FolderRoles } from "./diff-message.ts";

export interface Folder {
  readonly mailbox: number;
  readonly folderId: string;
  readonly parentId: string | null;
  readonly displayName: string;
  readonly wellKnown: string | null;
  readonly isExcluded: boolean;
  readonly isGone: boolean;
  readonly deltaLink: string | null;
  readonly generation: number;
  readonly isWalking: boolean;
  readonly lastDeltaAt: Date | null;
  readonly resets: number;
  readonly lastResetAt: Date | null;
}

const COLUMNS = `mailbox, folder_id AS "folderId", parent_id AS "parentId", display_name AS "displayName",
  well_known AS "wellKnown", is_excluded AS "isExcluded", is_gone AS "isGone", delta_link AS "deltaLink",
  generation, is_walking AS "isWalking", last_delta_at AS "lastDeltaAt", resets, last_reset_at AS "lastResetAt"`;

export async function findFolders(on: Queryable, mailbox: number): Promise<Folder[]> {
  const { rows } = await on.query<Folder>(
    `SELECT ${COLUMNS} FROM postroom.folder WHERE mailbox = $1 AND NOT is_gone ORDER BY well_known NULLS LAST, folder_id`,
    [mailbox],
  );
  return rows;
}

/** Folder names and roles of a mailbox, as events need them. */
export interface FolderMap extends FolderRoles {
  readonly names: ReadonlyMap<string, string>;
  /** Where Exchange keeps what was deleted for good, for a while; for its owner it is gone. */
  readonly recoverableItems: string | null;
  readonly excluded: ReadonlySet<string>;
}

export async function loadFolderMap(on: Queryable, mailbox: number): Promise<FolderMap> {
  const { rows } = await on.query<{
    id: string;
    name: string;
    wellKnown: string | null;
    isExcluded: boolean;
  }>(
    `SELECT folder_id AS id, display_name AS name, well_known AS "wellKnown", is_excluded AS "isExcluded"
       FROM postroom.folder WHERE mailbox = $1`,
    [mailbox],
  );
  const idOf = (name: string) => rows.find((row) => row.wellKnown === name)?.id ?? null;
  return {
    names: new Map(rows.map((row) => [row.id, row.name])),
    recoverableItems: idOf("recoverableitemsdeletions"),
    excluded: new Set(rows.filter((row) => row.isExcluded).map((row) => row.id)),
    deletedItems: idOf("deleteditems"),
    sentItems: idOf("sentitems"),
  };
}

/** By id, by well-known name or by display name; null when the mailbox has no such folder. */
export async function getFolder(
  on: Queryable,
  mailbox: number,
  name: string,
): Promise<Folder | null> {
  const { rows } = await on.query<Folder>(
    `SELECT ${COLUMNS} FROM postroom.folder
      WHERE mailbox = $1 AND NOT is_gone AND (folder_id = $2 OR well_known = lower($2) OR lower(display_name) = lower($2))
      ORDER BY folder_id = $2 DESC, well_known = lower($2) DESC NULLS LAST, folder_id LIMIT 1`,
    [mailbox, name],
  );
  return rows[0] ?? null;
}

/** Ids of the folders that a setting can mean: by id, by well-known name or by display name, exactly as written. */
export async function findFolderIds(
  on: Queryable,
  mailbox: number,
  name: string,
): Promise<Set<string>> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT folder_id AS id FROM postroom.folder
      WHERE mailbox = $1 AND (folder_id = $2 OR well_known = lower($2) OR display_name = $2)`,
    [mailbox, name],
  );
  return new Set(rows.map((row) => row.id));
}

/** An excluded folder is not read any more; one that is included again is read from the start. */
export async function setFolderExcluded(
  on: Queryable,
  mailbox: number,
  folderId: string,
  isExcluded: boolean,
): Promise<void> {
  await on.query(
    `UPDATE postroom.folder SET is_excluded = $3, delta_link = CASE WHEN $3 THEN delta_link END
      WHERE mailbox = $1 AND folder_id = $2 AND is_excluded <> $3`,
    [mailbox, folderId, isExcluded],
  );
}

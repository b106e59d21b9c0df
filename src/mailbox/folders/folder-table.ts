import { Fault } from "../../lib/fault.ts";
import type { Queryable } from "../../store/database.ts";

export interface Folder {
  readonly mailbox: number;
  readonly folderId: string;
  readonly parentId: string | null;
  readonly displayName: string;
  readonly wellKnown: string | null;
  readonly isExcluded: boolean;
  readonly isGone: boolean;
  readonly deltaLink: string | null;
  /** Counts full rounds; a message that still carries an older number was not found by the current one. */
  readonly generation: number;
  /** A round from the start is under way: the first, or one after Graph forgot our delta link. */
  readonly isFullRound: boolean;
  readonly lastDeltaAt: Date | null;
  readonly resets: number;
  readonly lastResetAt: Date | null;
}

const COLUMNS = `mailbox, folder_id AS "folderId", parent_id AS "parentId", display_name AS "displayName",
  well_known AS "wellKnown", is_excluded AS "isExcluded", is_gone AS "isGone", delta_link AS "deltaLink",
  generation, is_walking AS "isFullRound", last_delta_at AS "lastDeltaAt", resets, last_reset_at AS "lastResetAt"`;

export async function findFolders(on: Queryable, mailbox: number): Promise<Folder[]> {
  const { rows } = await on.query<Folder>(
    `SELECT ${COLUMNS} FROM postroom.folder WHERE mailbox = $1 AND NOT is_gone ORDER BY well_known NULLS LAST, folder_id`,
    [mailbox],
  );
  return rows;
}

/** Ids of the folders whose role decides what kind of event a move is. */
export interface FolderRoles {
  readonly deletedItems: string | null;
  readonly sentItems: string | null;
}

/** Folder names and roles of a mailbox, as events need them. */
export interface FolderMap extends FolderRoles {
  readonly names: ReadonlyMap<string, string>;
  /** Where Exchange keeps permanently deleted messages for a while; for their owner they are gone. */
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

/** An excluded folder is no longer read; one that is included again is read from the start. */
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

export interface NewFolder {
  readonly id: string;
  readonly parentId: string | null;
  /** Null if Graph did not send it; a known name is then kept. */
  readonly displayName: string | null;
  readonly wellKnown: string | null;
  readonly isExcluded: boolean;
}

/** Adds folders and updates known ones. Returns the number of rows written. */
export async function upsertFolders(
  on: Queryable,
  mailbox: number,
  folders: readonly NewFolder[],
): Promise<number> {
  const { rowCount } = await on.query(
    `INSERT INTO postroom.folder (mailbox, folder_id, parent_id, display_name, well_known, is_excluded)
     SELECT $1, id, parent, coalesce(name, id), known, excluded
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bool[]) AS t(id, parent, name, known, excluded)
     ON CONFLICT (mailbox, folder_id) DO UPDATE SET
       parent_id = coalesce(EXCLUDED.parent_id, folder.parent_id),
       display_name = CASE WHEN EXCLUDED.display_name = EXCLUDED.folder_id THEN folder.display_name
                           ELSE EXCLUDED.display_name END,
       well_known = coalesce(EXCLUDED.well_known, folder.well_known), is_gone = false`,
    [
      mailbox,
      folders.map((folder) => folder.id),
      folders.map((folder) => folder.parentId),
      folders.map((folder) => folder.displayName),
      folders.map((folder) => folder.wellKnown),
      folders.map((folder) => folder.isExcluded),
    ],
  );
  return rowCount;
}

/** Returns how many of them were not gone before. */
export async function markFoldersGone(
  on: Queryable,
  mailbox: number,
  folderIds: readonly string[],
): Promise<number> {
  const { rowCount } = await on.query(
    "UPDATE postroom.folder SET is_gone = true WHERE mailbox = $1 AND folder_id = ANY($2) AND NOT is_gone",
    [mailbox, folderIds],
  );
  return rowCount;
}

export async function markOtherFoldersGone(
  on: Queryable,
  mailbox: number,
  present: readonly string[],
): Promise<void> {
  await on.query(
    "UPDATE postroom.folder SET is_gone = true WHERE mailbox = $1 AND NOT folder_id = ANY($2)",
    [mailbox, present],
  );
}

/** A full round gets a new generation. */
export async function beginFullRound(on: Queryable, folder: Folder): Promise<Folder> {
  const { rows } = await on.query<{ generation: number }>(
    `UPDATE postroom.folder
        SET generation = generation + 1, is_walking = true, delta_link = NULL,
            resets = resets + CASE WHEN last_delta_at IS NULL THEN 0 ELSE 1 END,
            last_reset_at = CASE WHEN last_delta_at IS NULL THEN last_reset_at ELSE postroom.now() END
      WHERE mailbox = $1 AND folder_id = $2 RETURNING generation`,
    [folder.mailbox, folder.folderId],
  );
  return { ...folder, deltaLink: null, isFullRound: true, generation: rows[0]!.generation };
}

export async function endFullRound(
  on: Queryable,
  mailbox: number,
  folderId: string,
): Promise<void> {
  await on.query(
    "UPDATE postroom.folder SET is_walking = false WHERE mailbox = $1 AND folder_id = $2",
    [mailbox, folderId],
  );
}

/** A move from the link that was read to the one that follows; `isEnd` if the new link ends the round. */
export interface CursorMove {
  readonly from: string | null;
  readonly to: string;
  readonly isEnd: boolean;
}

/**
 * Moves only from the link that was read: a second reader that got in between loses its own page, not ours.
 */
export async function moveCursor(on: Queryable, folder: Folder, move: CursorMove): Promise<void> {
  const moved = await on.query(
    `UPDATE postroom.folder SET delta_link = $3, last_delta_at = CASE WHEN $5 THEN postroom.now() ELSE last_delta_at END
      WHERE mailbox = $1 AND folder_id = $2 AND delta_link IS NOT DISTINCT FROM $4`,
    [folder.mailbox, folder.folderId, move.to, move.from, move.isEnd],
  );
  if (moved.rowCount === 0)
    throw new Fault("job.lease-lost", "another round of this folder has moved on");
}

export interface LinkMove {
  readonly folderId: string;
  readonly from: string;
  readonly to: string;
}

/** Moves the links of many folders at once, each only if the stored link is the one that was read. */
export async function moveLinks(
  on: Queryable,
  mailbox: number,
  moves: readonly LinkMove[],
): Promise<void> {
  if (moves.length === 0) return;
  await on.query(
    `UPDATE postroom.folder f SET delta_link = t.target, last_delta_at = postroom.now()
       FROM unnest($2::text[], $3::text[], $4::text[]) AS t(id, source, target)
      WHERE f.mailbox = $1 AND f.folder_id = t.id AND f.delta_link = t.source`,
    [
      mailbox,
      moves.map((move) => move.folderId),
      moves.map((move) => move.from),
      moves.map((move) => move.to),
    ],
  );
}

/** Deletes the links, so that every folder of the mailbox is read from the start. */
export async function forgetLinks(on: Queryable, mailbox: number): Promise<void> {
  await on.query("UPDATE postroom.folder SET delta_link = NULL WHERE mailbox = $1", [mailbox]);
}

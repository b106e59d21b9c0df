/** The only SQL for what people save from Office. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { AiOptions, SavedFile, SavedKind, SavedMail, Target } from "./office-save.ts";

/** What is kept of a save: enough to finish it, and no content. */
export interface SaveFacts {
  readonly kind: SavedKind;
  readonly target: Target;
  readonly targetName: string;
  readonly containerId: string;
  readonly main: SavedFile;
  readonly attachments: readonly SavedFile[];
  readonly mail: SavedMail | null;
  readonly ai: AiOptions | null;
}

export interface NewOfficeSave {
  readonly id: string;
  readonly ownerId: string;
  readonly key: string;
  readonly digest: string;
  readonly contentKey: string;
  readonly facts: SaveFacts;
}

export interface OfficeSaveRow extends Omit<NewOfficeSave, "contentKey"> {
  readonly contentKey: string | null;
  readonly jobId: string | null;
  /** Another request may be at work on it. */
  readonly isLocked: boolean;
  readonly isExpired: boolean;
  readonly createdAt: Date;
}

/** A request that takes longer has lost its server, or reports after each file that it is alive. */
const LOCK_SECONDS = 120;
const KEY_HOURS = 24;

const COLUMNS = `id, owner_id AS "ownerId", key, digest, content_key AS "contentKey", facts, job_id AS "jobId",
  locked_until > postroom.now() AS "isLocked",
  created_at < postroom.now() - interval '${KEY_HOURS} hours' AS "isExpired", created_at AS "createdAt"`;

/** False if the key of this person, or what is saved, is taken. */
export async function insertSave(on: Queryable, save: NewOfficeSave): Promise<boolean> {
  const { rowCount } = await on.query(
    `INSERT INTO postroom.office_save (id, owner_id, key, digest, content_key, facts, locked_until)
     VALUES ($1, $2, $3, $4, $5, $6, postroom.now() + interval '${LOCK_SECONDS} seconds')
     ON CONFLICT DO NOTHING`,
    [save.id, save.ownerId, save.key, save.digest, save.contentKey, toJson(save.facts)],
  );
  return rowCount === 1;
}

export async function getSave(on: Queryable, id: string): Promise<OfficeSaveRow | null> {
  const sql = `SELECT ${COLUMNS} FROM postroom.office_save WHERE id = $1`;
  return (await on.query<OfficeSaveRow>(sql, [id])).rows[0] ?? null;
}

export async function getSaveByKey(
  on: Queryable,
  ownerId: string,
  key: string,
): Promise<OfficeSaveRow | null> {
  const sql = `SELECT ${COLUMNS} FROM postroom.office_save WHERE owner_id = $1 AND key = $2`;
  return (await on.query<OfficeSaveRow>(sql, [ownerId, key])).rows[0] ?? null;
}

export async function getSaveOfContent(
  on: Queryable,
  contentKey: string,
): Promise<OfficeSaveRow | null> {
  const sql = `SELECT ${COLUMNS} FROM postroom.office_save WHERE content_key = $1`;
  return (await on.query<OfficeSaveRow>(sql, [contentKey])).rows[0] ?? null;
}

/** Continues a save whose request died; false if another request was faster. */
export async function retakeSave(on: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.office_save SET locked_until = postroom.now() + interval '${LOCK_SECONDS} seconds'
      WHERE id = $1 AND job_id IS NULL AND locked_until <= postroom.now()`,
    [id],
  );
  return rowCount === 1;
}

/** Finishes a save anew whose job failed for good; false if another request was faster. */
export async function retakeFailed(on: Queryable, id: string, jobId: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.office_save
        SET job_id = NULL, locked_until = postroom.now() + interval '${LOCK_SECONDS} seconds'
      WHERE id = $1 AND job_id = $2`,
    [id, jobId],
  );
  return rowCount === 1;
}

/** Says that the request is still at work. */
export async function keepLock(on: Queryable, id: string): Promise<void> {
  await on.query(
    `UPDATE postroom.office_save SET locked_until = postroom.now() + interval '${LOCK_SECONDS} seconds'
      WHERE id = $1 AND job_id IS NULL`,
    [id],
  );
}

/** After a day the key may name another save. */
export async function freeKey(on: Queryable, id: string): Promise<void> {
  await on.query("UPDATE postroom.office_save SET key = id::text WHERE id = $1", [id]);
}

/** What was saved may be saved again: its document is gone. */
export async function freeContent(on: Queryable, id: string): Promise<void> {
  await on.query("UPDATE postroom.office_save SET content_key = NULL WHERE id = $1", [id]);
}

export async function acceptSave(on: Queryable, id: string, jobId: string): Promise<void> {
  await on.query(
    "UPDATE postroom.office_save SET job_id = $2, locked_until = postroom.now() WHERE id = $1",
    [id, jobId],
  );
}

/** Removes a save that was never accepted. */
export async function removeSave(on: Queryable, id: string): Promise<void> {
  await on.query("DELETE FROM postroom.office_save WHERE id = $1 AND job_id IS NULL", [id]);
}

/** Newest first. */
export async function findRecentSaves(
  on: Queryable,
  ownerId: string,
  limit: number,
): Promise<OfficeSaveRow[]> {
  const { rows } = await on.query<OfficeSaveRow>(
    `SELECT ${COLUMNS} FROM postroom.office_save WHERE owner_id = $1 AND job_id IS NOT NULL
      ORDER BY created_at DESC, id LIMIT $2`,
    [ownerId, limit],
  );
  return rows;
}

/** Saves whose request died and was not repeated. */
export async function findAbandonedSaves(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<OfficeSaveRow[]> {
  const { rows } = await on.query<OfficeSaveRow>(
    `SELECT ${COLUMNS} FROM postroom.office_save WHERE job_id IS NULL AND locked_until < $1
      ORDER BY locked_until LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** What anybody has saved of this message, newest first. */
export async function findSavesOfMessage(
  on: Queryable,
  internetMessageId: string,
  limit: number,
): Promise<OfficeSaveRow[]> {
  const { rows } = await on.query<OfficeSaveRow>(
    `SELECT ${COLUMNS} FROM postroom.office_save
      WHERE facts -> 'mail' ->> 'internetMessageId' = $1 AND job_id IS NOT NULL
      ORDER BY created_at DESC, id LIMIT $2`,
    [internetMessageId, limit],
  );
  return rows;
}

/** Erases what a person saved, and what somebody saved of their mail. */
export async function eraseSaves(
  tx: Transaction,
  { address, ids }: { readonly address: string; readonly ids: readonly string[] },
): Promise<void> {
  await tx.query(
    "DELETE FROM postroom.office_save WHERE owner_id = ANY($2) OR strpos(lower(facts::text), $1) > 0",
    [address, ids],
  );
}

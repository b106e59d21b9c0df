import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { IngestionTable } from "./ingestion-table.ts";

/**
 * A stage of a file of a message, and the version of the code that ran it. A stage in the journal is not
 * repeated.
 */
export interface StageKey {
  readonly emailKey: string;
  /** Of the file; a stage of the whole message has the message's ID instead. */
  readonly sha256: string;
  readonly stage: string;
  readonly version: string;
}

export async function getStage<Result>(on: Queryable, key: StageKey): Promise<Result | null> {
  const { rows } = await on.query<{ result: Result }>(
    `SELECT result FROM postroom.ingest_stage
      WHERE email_key = $1 AND attachment_sha256 = $2 AND stage = $3 AND version = $4`,
    [key.emailKey, key.sha256, key.stage, key.version],
  );
  return rows[0]?.result ?? null;
}

/** The first writer wins: both did the same work on the same bytes. */
export async function putStage(
  on: Queryable,
  key: StageKey,
  result: unknown,
  worker: string,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.ingest_stage (email_key, attachment_sha256, stage, version, result, worker)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [key.emailKey, key.sha256, key.stage, key.version, toJson(result), worker],
  );
}

/**
 * Removes the journal entries about fetching finished messages. Keeps what was read from a file and where it
 * was archived, because that is evidence, and open questions need it.
 */
export async function removeStagesBefore(
  on: Queryable,
  table: IngestionTable,
  before: Date,
  limit: number,
): Promise<number> {
  // Stages are never updated, so a row keeps its place.
  const { rowCount } = await on.query(
    `DELETE FROM postroom.ingest_stage WHERE ctid = ANY(ARRAY(
       SELECT j.ctid FROM postroom.ingest_stage j
         JOIN ${table.name} s ON s.app_name = $1 AND s.message_id = j.attachment_sha256
        WHERE j.stage IN ('message', 'fetch') AND j.done_at < $2 AND s.status IN ('success', 'skipped')
        LIMIT $3))`,
    [table.naming.appName, before, limit],
  );
  return rowCount;
}

/** Erases what was kept of these files of messages, and of whole messages, which the journal keeps as a file. */
export async function eraseStages(
  tx: Transaction,
  files: readonly Pick<StageKey, "emailKey" | "sha256">[],
  messageIds: readonly string[],
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.ingest_stage s USING unnest($1::text[], $2::text[]) AS f (email_key, sha256)
      WHERE s.email_key = f.email_key AND s.attachment_sha256 = f.sha256`,
    [files.map(({ emailKey }) => emailKey), files.map(({ sha256 }) => sha256)],
  );
  await tx.query("DELETE FROM postroom.ingest_stage WHERE attachment_sha256 = ANY($1)", [
    messageIds,
  ]);
}

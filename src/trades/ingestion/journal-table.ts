import type { Queryable } from "../../store/database.ts";

/**
 * Which stage of which file of which mail, done by which version of the code. What stands in the journal
 * is not done again.
 */
export interface StageKey {
  readonly emailKey: string;
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

/** The first to write wins; both did the same work on the same bytes. */
export async function putStage(
  on: Queryable,
  key: StageKey,
  result: unknown,
  worker: string,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.ingest_stage (email_key, attachment_sha256, stage, version, result, worker)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [key.emailKey, key.sha256, key.stage, key.version, JSON.stringify(result), worker],
  );
}

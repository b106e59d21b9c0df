/** The only SQL for analyses. */
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

export type AnalysisState =
  /** A process is writing it; without a heartbeat for two minutes, that process counts as dead. */
  | "running"
  | "completed"
  /** The model failed or wrote something that cannot be used; it can be resumed. */
  | "degraded"
  /** The document cannot be read. */
  | "failed"
  | "cancelled";

export interface Turn {
  readonly question: string;
  readonly answer: string;
}

export interface NewAnalysis {
  readonly id: string;
  readonly key: string;
  readonly tenantId: string;
  readonly personId: string;
  readonly documentId: string;
  readonly documentName: string;
  readonly playbookId: string;
  readonly playbookVersion: number;
}

export interface Analysis extends NewAnalysis {
  readonly state: AnalysisState;
  readonly attempt: number;
  /** Who wrote it: a model's name, or `extractive`. */
  readonly author: string | null;
  readonly content: string;
  readonly result: unknown;
  readonly turns: readonly Turn[];
  readonly error: string | null;
  readonly savedAs: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly createdAt: Date;
}

/** The right to write an analysis. */
export interface Run {
  readonly id: string;
  readonly attempt: number;
}

const COLUMNS = `id, key, tenant_id AS "tenantId", person_id AS "personId", document_id AS "documentId",
  document_name AS "documentName", playbook_id AS "playbookId", playbook_version AS "playbookVersion", state, attempt,
  author, content, result, turns, error, saved_as AS "savedAs", prompt_tokens AS "promptTokens",
  completion_tokens AS "completionTokens", created_at AS "createdAt"`;

const IS_SILENT = "analysis.changed_at < postroom.now() - interval '2 minutes'";

/** Starts an analysis, or takes over one that nobody writes any more; null if somebody is writing it. */
export async function startAnalysis(on: Queryable, analysis: NewAnalysis): Promise<Run | null> {
  const { rows } = await on.query<Run>(
    `INSERT INTO postroom.analysis
       (id, key, tenant_id, person_id, document_id, document_name, playbook_id, playbook_version, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'running')
     ON CONFLICT (key, person_id) WHERE state = 'running' DO UPDATE SET
       attempt = analysis.attempt + 1, content = '', changed_at = postroom.now() WHERE ${IS_SILENT}
     RETURNING id, attempt`,
    [
      analysis.id,
      analysis.key,
      analysis.tenantId,
      analysis.personId,
      analysis.documentId,
      analysis.documentName,
      analysis.playbookId,
      analysis.playbookVersion,
    ],
  );
  return rows[0] ?? null;
}

/** Starts one again that did not complete; null if it did, or if somebody is writing it. */
export async function restartAnalysis(
  on: Queryable,
  { id, key, personId }: Pick<NewAnalysis, "id" | "key" | "personId">,
  options: { readonly isOurs?: boolean } = {},
): Promise<Run | null> {
  const { rows } = await on.query<Run>(
    `UPDATE postroom.analysis SET state = 'running', attempt = attempt + 1, key = $3, content = '', result = NULL,
            error = NULL, changed_at = postroom.now()
      WHERE id = $1 AND person_id = $2
        AND (state IN ('failed', 'cancelled', 'degraded') OR state = 'running' AND ($4 OR ${IS_SILENT}))
        AND NOT EXISTS (SELECT FROM postroom.analysis o
                         WHERE o.key = $3 AND o.person_id = $2 AND o.state = 'running' AND o.id <> $1)
      RETURNING id, attempt`,
    [id, personId, key, options.isOurs ?? false],
  );
  return rows[0] ?? null;
}

/** A heartbeat with what is written so far; false if another run has taken over. */
export async function keepRunning(on: Queryable, run: Run, content: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.analysis SET content = $3, changed_at = postroom.now()
      WHERE id = $1 AND attempt = $2 AND state = 'running'`,
    [run.id, run.attempt, content],
  );
  return rowCount === 1;
}

export type AnalysisEnd = Pick<
  Analysis,
  "state" | "author" | "content" | "result" | "error" | "promptTokens" | "completionTokens"
>;

/** False if another run has taken over; then nothing is written. */
export async function endAnalysis(on: Queryable, run: Run, end: AnalysisEnd): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.analysis SET state = $3, author = $4, content = $5, result = $6::jsonb, error = $7,
            prompt_tokens = $8, completion_tokens = $9, changed_at = postroom.now()
      WHERE id = $1 AND attempt = $2 AND state = 'running'`,
    [
      run.id,
      run.attempt,
      end.state,
      end.author,
      end.content,
      end.result === null ? null : toJson(end.result),
      end.error,
      end.promptTokens,
      end.completionTokens,
    ],
  );
  return rowCount === 1;
}

/** Null if there is none, or it belongs to somebody else. */
export async function getAnalysis(
  on: Queryable,
  id: string,
  personId: string,
): Promise<Analysis | null> {
  const { rows } = await on.query<Analysis>(
    `SELECT ${COLUMNS} FROM postroom.analysis WHERE id = $1 AND person_id = $2`,
    [id, personId],
  );
  return rows[0] ?? null;
}

/** Those of these analyses that belong to the person. */
export async function findAnalyses(
  on: Queryable,
  ids: readonly string[],
  personId: string,
): Promise<Analysis[]> {
  const { rows } = await on.query<Analysis>(
    `SELECT ${COLUMNS} FROM postroom.analysis WHERE id = ANY($1::uuid[]) AND person_id = $2`,
    [ids, personId],
  );
  return rows;
}

/**
 * A finished analysis of the same content by the same playbook and author, of anybody: a caller who may read the
 * document may read what was made of it alone.
 */
export async function findFinished(
  on: Queryable,
  key: string,
  author: string,
): Promise<Analysis | null> {
  const { rows } = await on.query<Analysis>(
    `SELECT ${COLUMNS} FROM postroom.analysis
      WHERE key = $1 AND author = $2 AND state = 'completed' ORDER BY created_at LIMIT 1`,
    [key, author],
  );
  return rows[0] ?? null;
}

export async function addTurn(on: Queryable, id: string, turn: Turn): Promise<void> {
  await on.query(
    `UPDATE postroom.analysis SET turns = turns || $2::jsonb, changed_at = postroom.now() WHERE id = $1`,
    [id, toJson([turn])],
  );
}

export async function storeSaved(on: Queryable, id: string, documentId: string): Promise<void> {
  await on.query(
    "UPDATE postroom.analysis SET saved_as = $2, changed_at = postroom.now() WHERE id = $1",
    [id, documentId],
  );
}

/** What was made of a document goes with it. A run that is still writing finds nothing to end. */
export async function deleteAnalysesOf(on: Queryable, documentId: string): Promise<void> {
  await on.query("DELETE FROM postroom.analysis WHERE document_id = $1", [documentId]);
}

/** Erases the analyses of these people and of these documents. Returns how many. */
export async function eraseAnalyses(
  tx: Transaction,
  of: { readonly personIds: readonly string[]; readonly documentIds: readonly string[] },
): Promise<number> {
  const { rowCount } = await tx.query(
    "DELETE FROM postroom.analysis WHERE person_id = ANY($1) OR document_id = ANY($2::uuid[])",
    [of.personIds, of.documentIds],
  );
  return rowCount;
}

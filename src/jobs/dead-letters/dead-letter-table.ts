/** Reads the jobs that are dead letters, one by one and grouped by cause. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { generalise } from "../cause.ts";
import { NOT_A_JOB } from "../job-table.ts";
import {
  adviceFor,
  type DeadCause,
  type DeadLetter,
  type DeadLetterFilter,
  type DeadLetterStory,
  type ReplayRecord,
} from "./dead-letter.ts";

/** The condition for `filter`, with its parameters from `$1` on. */
function deadWhere(filter: DeadLetterFilter): { sql: string; values: unknown[] } {
  const { ids, cause, queue, type, code, subjectId } = filter;
  const values = [ids, cause, queue, type, code, subjectId].map((value) => value ?? null);
  const sql = `is_dead AND ($1::uuid[] IS NULL OR id = ANY($1)) AND ($2::text IS NULL OR cause = $2)
    AND ($3::text IS NULL OR queue = $3) AND ($4::text IS NULL OR type = $4)
    AND ($5::text IS NULL OR error_code = $5) AND ($6::text IS NULL OR subject_id = $6)`;
  return { sql, values };
}

const COLUMNS = `id AS "jobId", type AS "jobType", queue, subject_id AS "subjectId", cause,
  error_code AS "errorCode", error_message AS "errorMessage", attempt, finished_at AS "diedAt",
  note IS DISTINCT FROM '${NOT_A_JOB}' AS "isReplayable"`;

/** Newest first. */
export async function findDeadLetters(
  on: Queryable,
  filter: DeadLetterFilter,
  page: { before?: string | undefined; limit: number },
): Promise<DeadLetter[]> {
  const { sql, values } = deadWhere(filter);
  const { rows } = await on.query<DeadLetter>(
    `SELECT ${COLUMNS} FROM postroom.job WHERE ${sql} AND ($7::uuid IS NULL OR id < $7)
      ORDER BY id DESC LIMIT $8`,
    [...values, page.before ?? null, page.limit],
  );
  return rows;
}

/** Largest group first. */
export async function findDeadCauses(
  on: Queryable,
  filter: DeadLetterFilter = {},
): Promise<DeadCause[]> {
  const { sql, values } = deadWhere(filter);
  const { rows } = await on.query<Omit<DeadCause, "advice" | "pattern"> & { message: string }>(
    `SELECT cause, min(type) AS "jobType", min(error_code) AS "errorCode", min(error_message) AS message,
            count(*) AS count, min(finished_at) AS "firstAt", max(finished_at) AS "lastAt",
            max(id::text) AS "sampleJobId"
       FROM postroom.job WHERE ${sql} GROUP BY cause ORDER BY count(*) DESC, cause COLLATE "C"`,
    values,
  );
  return rows.map(({ message, ...row }) => ({
    ...row,
    pattern: generalise(message),
    advice: adviceFor(row.errorCode),
  }));
}

/** Null if there is no dead letter with that id. */
export async function explainDeadLetter(
  on: Queryable,
  jobId: string,
): Promise<DeadLetterStory | null> {
  const { rows } = await on.query<Omit<DeadLetterStory, "history" | "advice">>(
    `SELECT ${COLUMNS}, payload, created_at AS "createdAt", correlation_id AS "correlationId", takeovers,
            (SELECT count(*) FROM postroom.job o WHERE o.is_dead AND o.cause = j.cause) - 1 AS "sameCause"
       FROM postroom.job j WHERE id = $1 AND state IN ('Failed', 'Poisoned')`,
    [jobId],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const history = await findHistory(on, jobId);
  return { ...found, history, advice: adviceFor(found.errorCode) };
}

/** Every replay in the chain of jobs that this one belongs to. */
async function findHistory(on: Queryable, jobId: string): Promise<ReplayRecord[]> {
  const { rows } = await on.query<ReplayRecord>(
    `WITH RECURSIVE earlier AS (
       SELECT id, replay_of FROM postroom.job WHERE id = $1
       UNION SELECT j.id, j.replay_of FROM postroom.job j JOIN earlier e ON j.id = e.replay_of),
     later AS (
       SELECT id, replayed_as FROM postroom.job WHERE id = $1
       UNION SELECT j.id, j.replayed_as FROM postroom.job j JOIN later l ON j.id = l.replayed_as)
     SELECT i.job_id AS "jobId", i.new_job_id AS "newJobId", i.result, r.who, r.why, i.at
       FROM postroom.job_replay_item i JOIN postroom.job_replay r ON r.id = i.replay_id
      WHERE i.job_id IN (SELECT id FROM earlier UNION SELECT id FROM later) ORDER BY i.at`,
    [jobId],
  );
  return rows;
}

/** Counts the dead letters that a replay would run again, and those that were never jobs. */
export async function countDeadLetters(
  on: Queryable,
  filter: DeadLetterFilter,
): Promise<{ total: number; notReplayable: number }> {
  const { sql, values } = deadWhere(filter);
  const { rows } = await on.query<{ total: number; notReplayable: number }>(
    `SELECT count(*) FILTER (WHERE note IS DISTINCT FROM $7) AS total,
            count(*) FILTER (WHERE note = $7) AS "notReplayable" FROM postroom.job WHERE ${sql}`,
    [...values, NOT_A_JOB],
  );
  return rows[0]!;
}

export interface DeadRow {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly max_attempts: number;
  readonly subject_id: string;
  readonly correlation_id: string;
  readonly owner_id: string | null;
  readonly key: string;
  readonly payload_text: string;
}

/** Returns the oldest dead letters that were jobs and died before that time, and locks them. */
export async function lockReplayable(
  tx: Transaction,
  filter: DeadLetterFilter,
  diedBy: Date,
  limit: number,
): Promise<DeadRow[]> {
  const { sql, values } = deadWhere(filter);
  const { rows } = await tx.query<DeadRow>(
    `SELECT id, type, queue, max_attempts, subject_id, correlation_id, owner_id, key,
            payload::text AS payload_text
       FROM postroom.job WHERE ${sql} AND finished_at <= $7 AND note IS DISTINCT FROM $8
      ORDER BY id LIMIT $9 FOR UPDATE`,
    [...values, diedBy, NOT_A_JOB, limit],
  );
  return rows;
}

/** Returns the ids of all dead letters that match, and locks them. */
export async function lockDeadLetters(
  tx: Transaction,
  filter: DeadLetterFilter,
): Promise<string[]> {
  const { sql, values } = deadWhere(filter);
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM postroom.job WHERE ${sql} ORDER BY id FOR UPDATE`,
    values,
  );
  return rows.map((row) => row.id);
}

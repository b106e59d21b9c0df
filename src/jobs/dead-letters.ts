/** Jobs that ended badly and wait for a person, grouped by why. */
import { type FaultCode, faultCodes, remedyOf } from "../lib/fault.ts";
import type { Queryable } from "../store/database.ts";
import { generalise } from "./cause.ts";

export interface DeadLetterFilter {
  readonly ids?: readonly string[] | undefined;
  readonly cause?: string | undefined;
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly subjectId?: string | undefined;
}

export interface DeadLetter {
  readonly jobId: string;
  readonly jobType: string;
  readonly queue: string;
  readonly subjectId: string;
  readonly cause: string;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly attempt: number;
  readonly diedAt: Date;
  /** False for a message that never was a job. */
  readonly isReplayable: boolean;
}

export interface DeadCause {
  readonly cause: string;
  readonly jobType: string;
  readonly errorCode: string;
  readonly pattern: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly sampleJobId: string;
  readonly advice: string;
}

export interface DeadLetterStory extends DeadLetter {
  readonly payload: unknown;
  readonly createdAt: Date;
  readonly correlationId: string;
  readonly takeovers: number;
  readonly advice: string;
  /** Others that died of the same. */
  readonly sameCause: number;
  /** Earlier and later lives of the same work, oldest first. */
  readonly history: readonly ReplayRecord[];
}

export interface ReplayRecord {
  readonly jobId: string;
  readonly newJobId: string | null;
  readonly result: string;
  readonly who: string;
  readonly why: string;
  readonly at: Date;
}

/** Marks a message that was no job at all; there is nothing to run again. */
export const NOT_A_JOB = "not a job";

/** The condition for `filter`, with its parameters from `$1` on. */
export function deadWhere(filter: DeadLetterFilter): { sql: string; values: unknown[] } {
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
       FROM postroom.job WHERE ${sql} GROUP BY cause ORDER BY count(*) DESC, cause`,
    values,
  );
  return rows.map(({ message, ...row }) => ({
    ...row,
    pattern: generalise(message),
    advice: adviceFor(row.errorCode),
  }));
}

/** Null when there is no dead letter of that id. */
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

const ADVICE = {
  retry: "replay it: the other side was not there, and may be now",
  wait: "replay it: it waited for longer than it may",
  "ask-a-person": "a permission, a setting or a document has to change first, then replay it",
  "give-up": "replaying changes nothing unless the code or the data has changed; else dismiss it",
} as const;

function adviceFor(errorCode: string): string {
  const isKnown = (faultCodes as readonly string[]).includes(errorCode);
  return ADVICE[isKnown ? remedyOf(errorCode as FaultCode) : "ask-a-person"];
}

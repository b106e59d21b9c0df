/** Jobs as callers see them. */
import type { Queryable } from "../../store/database.ts";

export type JobState = "Queued" | "Running" | "Completed" | "Failed" | "Poisoned" | "Cancelled";

export interface JobStatus {
  readonly jobId: string;
  readonly jobType: string;
  readonly subjectId: string;
  readonly correlationId: string;
  readonly status: JobState;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** What a finished job did, or why it did nothing. */
  readonly note?: string;
}

/** A status, who may read it, and a number that rises with every change. */
export interface JobView {
  readonly status: JobStatus;
  readonly ownerId: string | null;
  readonly version: number;
  readonly isFinished: boolean;
  readonly payload: unknown;
}

interface StatusRow {
  readonly id: string;
  readonly type: string;
  readonly subject_id: string;
  readonly correlation_id: string;
  readonly owner_id: string | null;
  readonly state: JobState;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly version: number;
  readonly is_open: boolean;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly note: string | null;
  readonly payload?: unknown;
}

const COLUMNS = `id, type, subject_id, correlation_id, owner_id, state, attempt, max_attempts, version,
  is_open, created_at, started_at, finished_at, error_code, error_message, note`;

export async function getJobView(on: Queryable, jobId: string): Promise<JobView | null> {
  const sql = `SELECT ${COLUMNS}, payload FROM postroom.job WHERE id = $1`;
  const { rows } = await on.query<StatusRow>(sql, [jobId]);
  return rows[0] === undefined ? null : toView(rows[0]);
}

/** Forgotten jobs are missing. */
export async function findJobVersions(
  on: Queryable,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await on.query<{ id: string; version: number }>(
    "SELECT id, version FROM postroom.job WHERE id = ANY($1::uuid[])",
    [jobIds],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export interface JobFilter {
  readonly state?: JobState;
  readonly queue?: string;
  readonly type?: string;
  readonly subjectId?: string;
  /** Older than the job of this id. */
  readonly before?: string;
  readonly limit?: number;
}

/** Newest first. */
export async function findJobs(on: Queryable, filter: JobFilter): Promise<JobStatus[]> {
  // Lets PostgreSQL use the index of open jobs: few are open, many are finished.
  const isOpen = filter.state === "Queued" || filter.state === "Running";
  const { rows } = await on.query<StatusRow>(
    `SELECT ${COLUMNS} FROM postroom.job
      WHERE ($1::text IS NULL OR state = $1) ${isOpen ? "AND is_open" : ""} AND ($2::text IS NULL OR queue = $2)
        AND ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR subject_id = $4)
        AND ($5::uuid IS NULL OR id < $5)
      ORDER BY id DESC LIMIT $6`,
    [
      filter.state,
      filter.queue,
      filter.type,
      filter.subjectId,
      filter.before,
      filter.limit ?? 50,
    ].map((value) => value ?? null),
  );
  return rows.map((row) => toView(row).status);
}

/** The newest job of this type about each of these subjects; subjects without one are missing. */
export async function findNewestJobs(
  on: Queryable,
  type: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, JobView>> {
  const { rows } = await on.query<StatusRow>(
    `SELECT DISTINCT ON (subject_id) ${COLUMNS} FROM postroom.job
      WHERE type = $1 AND subject_id = ANY($2::text[]) ORDER BY subject_id, id DESC`,
    [type, subjectIds],
  );
  return new Map(rows.map((row) => [row.subject_id, toView(row)]));
}

function toView(row: StatusRow): JobView {
  return {
    ownerId: row.owner_id,
    version: row.version,
    isFinished: !row.is_open,
    payload: row.payload,
    status: {
      jobId: row.id,
      jobType: row.type,
      subjectId: row.subject_id,
      correlationId: row.correlation_id,
      status: row.state,
      attempt: Math.max(1, row.attempt),
      maxAttempts: row.max_attempts,
      createdAt: row.created_at.toISOString(),
      startedAt: row.started_at?.toISOString() ?? null,
      completedAt: row.finished_at?.toISOString() ?? null,
      errorCode: row.error_code,
      errorMessage: row.error_message,
      ...(row.note === null ? {} : { note: row.note }),
    },
  };
}

export interface QueueCounts {
  readonly queue: string;
  readonly queued: number;
  readonly running: number;
  /** When the oldest job that is due became so; null if none waits. */
  readonly oldestDueAt: Date | null;
}

/** What waits and what runs, by queue. */
export async function countOpenJobs(on: Queryable): Promise<QueueCounts[]> {
  const { rows } = await on.query<QueueCounts>(
    `SELECT queue, count(*) FILTER (WHERE state = 'Queued') AS queued,
            count(*) FILTER (WHERE state = 'Running') AS running,
            min(due_at) FILTER (WHERE due_at <= postroom.now()) AS "oldestDueAt"
       FROM postroom.job WHERE is_open GROUP BY queue ORDER BY queue`,
  );
  return rows;
}

/** How many of these subjects have a job of this type that waits or runs, and how many only a dead letter. */
export async function countUnfinished(
  on: Queryable,
  type: string,
  subjectIds: readonly string[],
): Promise<{ open: number; dead: number }> {
  const { rows } = await on.query<{ open: number; dead: number }>(
    `SELECT count(*) FILTER (WHERE some_open) AS open, count(*) FILTER (WHERE NOT some_open) AS dead
       FROM (SELECT bool_or(is_open) AS some_open FROM postroom.job
              WHERE type = $1 AND subject_id = ANY($2::text[]) AND (is_open OR is_dead)
              GROUP BY subject_id) s`,
    [type, subjectIds],
  );
  return rows[0]!;
}

/** Which of these subjects have, or had, a job of this type. */
export async function findKnownSubjects(
  on: Queryable,
  type: string,
  subjectIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT DISTINCT subject_id AS id FROM postroom.job
      WHERE type = $1 AND subject_id = ANY($2::text[])`,
    [type, subjectIds],
  );
  return new Set(rows.map((row) => row.id));
}

/** The SQL of jobs. Decisions about leases are taken here, by the database's clock alone. */
import { toPlainArray, toTextArray } from "../store/array-text.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import { isLeased } from "../store/lease.ts";
import { WORKER_LEASE } from "./worker-table.ts";

export interface JobRow {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly subject_id: string;
  readonly correlation_id: string;
  readonly key: string;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly takeovers: number;
  readonly payload: unknown;
  readonly created_ms: number;
  readonly lease_token: number;
}

export interface InsertRow {
  readonly id: string;
  readonly subjectId: string;
  /** The job's own id when null. */
  readonly correlationId: string | null;
  readonly ownerId: string | null;
  readonly key: string;
  readonly payload: string;
  readonly runAtMs: number | null;
  readonly replayOf?: string;
}

export interface InsertShared {
  readonly type: string;
  readonly queue: string;
  readonly maxAttempts: number;
  /** Null where no engine outside the database has to be told; else how many share a message. */
  readonly outbox: { readonly together: number } | null;
}

/** Inserts what holds a key that is free and answers the ids that were inserted. */
export async function insertJobs(
  tx: Transaction,
  shared: InsertShared,
  rows: readonly InsertRow[],
): Promise<Set<string>> {
  const insert = `INSERT INTO postroom.job
      (id, type, queue, max_attempts, subject_id, correlation_id, owner_id, key, payload,
       replay_of, created_at, due_at)
    SELECT r.id, $1, $2, $3, r.subject_id, coalesce(r.correlation_id, r.id::text), r.owner_id, r.key, r.payload,
           r.replay_of, t.now, coalesce(to_timestamp(r.run_at / 1000.0), t.now)
      FROM ROWS FROM (unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                             $9::float8[], $10::uuid[]), json_array_elements($11::json))
           AS r (id, subject_id, correlation_id, owner_id, key, run_at, replay_of, payload),
           (SELECT postroom.now() AS now) t
    ON CONFLICT (key, type) WHERE holds_key DO NOTHING
    RETURNING id, due_at`;
  // The notification wakes the workers of other processes at the commit.
  const outbox = `, sent AS (
    INSERT INTO postroom.job_outbox (job_id, due_at, together)
    SELECT id, due_at, ${Number(shared.outbox?.together)} FROM added)`;
  const text = `WITH added AS (${insert})${shared.outbox === null ? "" : outbox}
    SELECT id FROM added, (SELECT pg_notify('postroom_job', $2)) AS told`;
  const added = await tx.query<{ id: string }>(text, [
    shared.type,
    shared.queue,
    shared.maxAttempts,
    toPlainArray(rows.map((row) => row.id)),
    toTextArray(rows.map((row) => row.subjectId)),
    column(rows, (row) => row.correlationId),
    column(rows, (row) => row.ownerId),
    toTextArray(rows.map((row) => row.key)),
    column(rows, (row) => row.runAtMs),
    column(rows, (row) => row.replayOf ?? null),
    `[${rows.map((row) => row.payload).join(",")}]`, // as JSON, it needs no second kind of quotes
  ]);
  return new Set(added.rows.map((row) => row.id));
}

/** A column in which most often nothing stands; `unnest` fills an absent array with nulls. */
function column<T>(rows: readonly InsertRow[], read: (row: InsertRow) => T | null): T[] | null {
  return rows.some((row) => read(row) !== null) ? rows.map((row) => read(row) as T) : null;
}

export interface KeyHolder {
  readonly id: string;
  readonly key: string;
  readonly payload: unknown;
  readonly is_open: boolean;
}

export async function findKeyHolders(
  on: Queryable,
  type: string,
  keys: readonly string[],
): Promise<KeyHolder[]> {
  const found = await on.query<KeyHolder>(
    `SELECT id, key, payload, is_open FROM postroom.job
      WHERE type = $1 AND key = ANY($2::text[]) AND holds_key`,
    [type, keys],
  );
  return found.rows;
}

/** A number is much cheaper to read than a date. */
export const CREATED_MS = "(extract(epoch FROM j.created_at) * 1000)::float8 AS created_ms";

/** Open, due, of a known type, and in nobody's live hands. */
const IS_FREE = `(j.lease_owner IS NULL
    OR j.leased_at < t.at - $4 * interval '1 ms'
    OR NOT ${isLeased(WORKER_LEASE, "l.id = j.lease_owner")})`;

/**
 * Takes the jobs that may be run now, all under one token that is higher than every earlier one. A job
 * whose worker died is taken over without counting an attempt.
 */
export async function claimJobs(
  on: Queryable,
  claim: { ids: readonly string[]; workerId: number; types: readonly string[]; stuckMs: number },
): Promise<JobRow[]> {
  const claimed = await on.query<JobRow>(
    // A claim that a crash of the database undoes is made again, so its commit does not wait for the disk.
    `WITH t AS MATERIALIZED (
       SELECT nextval('postroom.job_token') AS token, clock_timestamp() AS at, postroom.now() AS now,
              set_config('synchronous_commit', 'off', true))
     UPDATE postroom.job j
        SET state = 'Running', version = version + 1, started_at = t.now, leased_at = t.at,
            lease_owner = $2, lease_token = t.token,
            attempt = attempt + (j.lease_owner IS NULL)::int,
            takeovers = takeovers + (j.lease_owner IS NOT NULL)::int
       FROM t
      WHERE j.id = ANY($1::uuid[]) AND j.is_open AND j.due_at <= t.now AND j.type = ANY($3::text[])
        AND ${isLeased(WORKER_LEASE, "l.id = $2")}
        AND ${IS_FREE}
     RETURNING j.id, j.type, j.queue, j.subject_id, j.correlation_id, j.key, j.attempt, j.max_attempts,
               j.takeovers, j.payload, j.lease_token, ${CREATED_MS}`,
    [claim.ids, claim.workerId, claim.types, claim.stuckMs],
  );
  return claimed.rows;
}

export interface UnclaimedRow {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly key: string;
  readonly attempt: number;
  readonly is_open: boolean;
  readonly is_leased: boolean;
  readonly is_due: boolean;
  readonly due_at: Date;
  readonly wait_ms: number;
  readonly age_ms: number;
}

/** Why jobs could not be claimed; ids without a row are absent. */
export async function explainUnclaimed(
  on: Queryable,
  ids: readonly string[],
): Promise<UnclaimedRow[]> {
  const found = await on.query<UnclaimedRow>(
    `SELECT j.id, j.type, j.queue, j.key, j.attempt, j.is_open, j.due_at, j.due_at <= t.now AS is_due,
            j.lease_owner IS NOT NULL AS is_leased,
            greatest(0, extract(epoch FROM j.due_at - t.now) * 1000)::float8 AS wait_ms,
            (extract(epoch FROM t.now - j.created_at) * 1000)::float8 AS age_ms
       FROM postroom.job j, (SELECT postroom.now() AS now) t
      WHERE j.id = ANY($1::uuid[])`,
    [ids],
  );
  return found.rows;
}

/** Marks jobs done if the token still holds for every one of them; answers how many it held for. */
export async function completeJobs(
  on: Queryable,
  ids: readonly string[],
  token: number,
  notes: readonly (string | null)[] | null = null,
): Promise<number> {
  const set = `state = 'Completed', is_open = false, lease_owner = NULL, version = version + 1,
        finished_at = postroom.now(), error_code = NULL, error_message = NULL`;
  const done =
    notes === null
      ? await on.query(
          `UPDATE postroom.job SET ${set}
            WHERE id = ANY($1::uuid[]) AND lease_token = $2 AND lease_owner IS NOT NULL AND is_open`,
          [ids, token],
        )
      : await on.query(
          `UPDATE postroom.job j SET ${set}, note = r.note
             FROM unnest($1::uuid[], $3::text[]) AS r (id, note)
            WHERE j.id = r.id AND lease_token = $2 AND lease_owner IS NOT NULL AND is_open`,
          [ids, token, notes],
        );
  return done.rowCount;
}

export interface FailureRow {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly countsAsAttempt: boolean;
  /** Null ends the job. */
  readonly retryInMs: number | null;
  readonly endState: "Failed" | "Poisoned" | null;
  readonly cause: string | null;
}

/** Puts failed jobs back with a delay, or ends them; answers those that were still ours. */
export async function failJobs(
  on: Queryable,
  failures: readonly FailureRow[],
  token: number,
): Promise<{ id: string; due_at: Date; attempt: number; is_open: boolean }[]> {
  const failed = await on.query<{ id: string; due_at: Date; attempt: number; is_open: boolean }>(
    `UPDATE postroom.job j
        SET state = coalesce(r.end_state, j.state), version = version + 1, lease_owner = NULL,
            is_open = r.end_state IS NULL, holds_key = r.end_state IS NULL,
            is_dead = r.end_state IS NOT NULL, cause = r.cause,
            attempt = j.attempt - (NOT r.counts)::int,
            due_at = t.now + coalesce(r.retry_ms, 0) * interval '1 ms',
            finished_at = CASE WHEN r.end_state IS NULL THEN NULL ELSE t.now END,
            error_code = r.code, error_message = r.message
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::float8[], $6::text[], $7::text[])
              AS r (id, code, message, counts, retry_ms, end_state, cause),
            (SELECT postroom.now() AS now) t
      WHERE j.id = r.id AND j.lease_token = $8 AND j.lease_owner IS NOT NULL AND j.is_open
     RETURNING j.id, j.due_at, j.attempt, j.is_open`,
    [
      failures.map((row) => row.id),
      failures.map((row) => row.code),
      failures.map((row) => row.message),
      failures.map((row) => row.countsAsAttempt),
      failures.map((row) => row.retryInMs),
      failures.map((row) => row.endState),
      failures.map((row) => row.cause),
      token,
    ],
  );
  return failed.rows;
}

/** Parks jobs that nobody here can run; no attempt is counted and the state does not move. */
export async function parkJobs(
  on: Queryable,
  ids: readonly string[],
  code: string,
  message: string,
  delayMs: number,
): Promise<{ id: string; due_at: Date }[]> {
  const parked = await on.query<{ id: string; due_at: Date }>(
    `UPDATE postroom.job SET due_at = postroom.now() + $2 * interval '1 ms', error_code = $3,
            error_message = $4, version = version + 1
      WHERE id = ANY($1::uuid[]) AND is_open AND lease_owner IS NULL RETURNING id, due_at`,
    [ids, delayMs, code, message],
  );
  return parked.rows;
}

/** Ends open jobs that no worker holds, without a run. */
export async function endUnclaimed(
  on: Queryable,
  ids: readonly string[],
  end: { code: string; message: string; cause: string },
): Promise<number> {
  const ended = await on.query(
    `UPDATE postroom.job SET state = 'Poisoned', is_open = false, holds_key = false, is_dead = true,
            finished_at = postroom.now(), error_code = $2, error_message = $3, cause = $4,
            version = version + 1
      WHERE id = ANY($1::uuid[]) AND is_open AND lease_owner IS NULL`,
    [ids, end.code, end.message, end.cause],
  );
  return ended.rowCount;
}

/** Gives back jobs of these workers without counting an attempt; answers what has to be sent again. */
export async function releaseJobs(
  on: Queryable,
  workerIds: readonly number[],
  isCrash: boolean,
): Promise<ReissuedRow[]> {
  const released = await on.query<ReissuedRow>(
    `UPDATE postroom.job j
        SET lease_owner = NULL, version = version + 1, due_at = least(j.due_at, postroom.now()),
            attempt = attempt - 1, takeovers = takeovers + $2::int
      WHERE j.is_open AND j.lease_owner = ANY($1::bigint[])
     RETURNING j.id, j.queue, j.type, j.key, j.attempt, j.due_at`,
    [workerIds, isCrash ? 1 : 0],
  );
  return released.rows;
}

export interface ReissuedRow {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly key: string;
  readonly attempt: number;
  readonly due_at: Date;
}

/** Those of the subjects about which a job of this type is waiting, running or dead. */
export async function findUnfinishedSubjects(
  on: Queryable,
  type: string,
  subjectIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT DISTINCT subject_id AS id FROM postroom.job
      WHERE type = $1 AND subject_id = ANY($2::text[]) AND (is_open OR is_dead)`,
    [type, subjectIds],
  );
  return new Set(rows.map((row) => row.id));
}

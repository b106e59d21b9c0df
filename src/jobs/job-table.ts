/**
 * Every statement that writes a job. Only the database's clock decides about leases, and only the holder of the token
 * under which a job was taken can write the result of its run.
 */
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
  readonly trace: string | null;
}

export interface InsertRow {
  readonly id: string;
  readonly subjectId: string;
  /** If null, the job's own id. */
  readonly correlationId: string | null;
  readonly ownerId: string | null;
  readonly key: string;
  readonly payload: string;
  readonly runAtMs: number | null;
  readonly replayOf?: string;
  readonly trace?: string | null;
}

export interface InsertShared {
  readonly type: string;
  readonly queue: string;
  readonly maxAttempts: number;
}

/** Inserts the jobs whose key is free and returns their ids. */
export async function insertJobs(
  tx: Transaction,
  shared: InsertShared,
  rows: readonly InsertRow[],
): Promise<Set<string>> {
  // The notification wakes the workers of other processes at the commit.
  const text = `WITH added AS (INSERT INTO postroom.job
      (id, type, queue, max_attempts, subject_id, correlation_id, owner_id, key, payload,
       replay_of, trace, created_at, due_at)
    SELECT r.id, $1, $2, $3, r.subject_id, coalesce(r.correlation_id, r.id::text), r.owner_id, r.key, r.payload,
           r.replay_of, r.trace, t.now, coalesce(to_timestamp(r.run_at / 1000.0), t.now)
      FROM ROWS FROM (unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                             $9::float8[], $10::uuid[], $11::text[]),
                      json_array_elements($12::json))
           AS r (id, subject_id, correlation_id, owner_id, key, run_at, replay_of, trace, payload),
           (SELECT postroom.now() AS now) t
    ON CONFLICT (key, type) WHERE holds_key DO NOTHING
    RETURNING id)
    SELECT id FROM added, (SELECT pg_notify('postroom_job', $2)) AS notified`;
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
    column(rows, (row) => row.trace ?? null),
    `[${rows.map((row) => row.payload).join(",")}]`, // payloads are JSON already, so they need no quoting
  ]);
  return new Set(added.rows.map((row) => row.id));
}

/** A column that is usually empty; `unnest` fills an absent array with nulls. */
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

/** A number is much cheaper to parse than a date. */
export const CREATED_MS = "(extract(epoch FROM j.created_at) * 1000)::float8 AS created_ms";

/** True if no live worker holds the job, or its worker has held it for too long. */
const IS_FREE = `(j.lease_owner IS NULL
    OR j.leased_at < t.at - $4 * interval '1 ms'
    OR NOT ${isLeased(WORKER_LEASE, "l.id = j.lease_owner")})`;

/**
 * A job whose workers keep dying may be what kills them. After these takeovers it waits, each time longer, so that it
 * takes fewer other jobs down with it, and a few restarts in quick succession do not make it a dead letter.
 */
const FREE_TAKEOVERS = 2;

/** The fence: true for an open job that was taken under this token and has not been given to anyone since. */
const isHeldUnder = (token: string) =>
  `lease_token = ${token} AND lease_owner IS NOT NULL AND is_open`;

/**
 * Leases the jobs that may run now to a worker, all under one token that is higher than every earlier one. A
 * job whose worker died is taken over without counting an attempt, as long as that may happen without a pause.
 */
export async function takeJobs(
  on: Queryable,
  wanted: { ids: readonly string[]; workerId: number; types: readonly string[]; stuckMs: number },
): Promise<JobRow[]> {
  const taken = await on.query<JobRow>(
    // If a crash of the database undoes this, the job is taken again, so the commit need not wait for the disk.
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
        AND (j.lease_owner IS NULL OR j.takeovers < ${FREE_TAKEOVERS})
     RETURNING j.id, j.type, j.queue, j.subject_id, j.correlation_id, j.key, j.attempt, j.max_attempts,
               j.takeovers, j.payload, j.lease_token, j.trace, ${CREATED_MS}`,
    [wanted.ids, wanted.workerId, wanted.types, wanted.stuckMs],
  );
  return taken.rows;
}

export interface UntakenRow {
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
  /** Why it is a dead letter; null if it is not one. */
  readonly dead_code: string | null;
}

/** Says why jobs could not be taken; ids without a row are absent. */
export async function explainUntaken(on: Queryable, ids: readonly string[]): Promise<UntakenRow[]> {
  const found = await on.query<UntakenRow>(
    `SELECT j.id, j.type, j.queue, j.key, j.attempt, j.is_open, j.due_at, j.due_at <= t.now AS is_due,
            j.lease_owner IS NOT NULL AS is_leased,
            greatest(0, extract(epoch FROM j.due_at - t.now) * 1000)::float8 AS wait_ms,
            (extract(epoch FROM t.now - j.created_at) * 1000)::float8 AS age_ms,
            CASE WHEN j.is_dead THEN j.error_code END AS dead_code
       FROM postroom.job j, (SELECT postroom.now() AS now) t
      WHERE j.id = ANY($1::uuid[])`,
    [ids],
  );
  return found.rows;
}

/** Marks the jobs that are still held under the token as done; returns how many there were. */
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
            WHERE id = ANY($1::uuid[]) AND ${isHeldUnder("$2")}`,
          [ids, token],
        )
      : await on.query(
          `UPDATE postroom.job j SET ${set}, note = r.note
             FROM unnest($1::uuid[], $3::text[]) AS r (id, note)
            WHERE j.id = r.id AND ${isHeldUnder("$2")}`,
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

/** Puts failed jobs back with a delay, or ends them; returns those that were still held under the token. */
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
      WHERE j.id = r.id AND ${isHeldUnder("$8")}
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

/** Parks jobs that no worker here can run, without counting an attempt or changing their state. */
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

/** Ends open jobs of a type that no worker holds and that are at least this old, without running them. */
export async function endUntakenOf(
  on: Queryable,
  type: string,
  olderThanMs: number,
  end: { code: string; message: string; cause: string },
): Promise<number> {
  const ended = await on.query(
    `UPDATE postroom.job SET state = 'Poisoned', is_open = false, holds_key = false, is_dead = true,
            finished_at = postroom.now(), error_code = $3, error_message = $4, cause = $5,
            version = version + 1
      WHERE type = $1 AND is_open AND lease_owner IS NULL
        AND created_at < postroom.now() - $2 * interval '1 ms'`,
    [type, olderThanMs, end.code, end.message, end.cause],
  );
  return ended.rowCount;
}

/** A job that goes to the engine again. */
export interface ReissuedRow {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly key: string;
  readonly attempt: number;
  /** Until it may run. */
  readonly delayMs: number;
}

const REISSUED = `id, queue, type, key, attempt,
  (extract(epoch FROM greatest(due_at - postroom.now(), interval '0')) * 1000)::float8 AS "delayMs"`;

/** When a job may run that a worker left behind. */
const DUE_AT_ONCE = "least(due_at, postroom.now())";
const DUE_AFTER_PAUSE = `CASE WHEN takeovers < ${FREE_TAKEOVERS} THEN ${DUE_AT_ONCE}
  ELSE postroom.now() + least(60, 2 ^ (takeovers - ${FREE_TAKEOVERS})) * interval '1 second' END`;

/** Takes the jobs of workers that stop back without counting an attempt; returns the jobs to send again. */
export function releaseJobs(on: Queryable, workerIds: readonly number[]): Promise<ReissuedRow[]> {
  return release(on, workerIds, `due_at = ${DUE_AT_ONCE}`);
}

/** The same for workers that died. */
export function releaseOrphans(
  on: Queryable,
  workerIds: readonly number[],
): Promise<ReissuedRow[]> {
  return release(on, workerIds, `due_at = ${DUE_AFTER_PAUSE}, takeovers = takeovers + 1`);
}

async function release(
  on: Queryable,
  workerIds: readonly number[],
  change: string,
): Promise<ReissuedRow[]> {
  const released = await on.query<ReissuedRow>(
    `UPDATE postroom.job
        SET lease_owner = NULL, version = version + 1, attempt = attempt - 1, ${change}
      WHERE is_open AND lease_owner = ANY($1::bigint[])
     RETURNING ${REISSUED}`,
    [workerIds],
  );
  return released.rows;
}

/**
 * Records that jobs are making progress and so are not stuck. Returns false if another worker has one of
 * them.
 */
export async function noteProgressOf(
  on: Queryable,
  ids: readonly string[],
  token: number,
): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.job SET leased_at = clock_timestamp()
      WHERE id = ANY($1::uuid[]) AND ${isHeldUnder("$2")}`,
    [ids, token],
  );
  return rowCount > 0;
}

/** Takes jobs back that have shown no progress for too long under a live worker; their old run can no longer write. */
export async function releaseStuck(on: Queryable, stuckMs: number): Promise<ReissuedRow[]> {
  const released = await on.query<ReissuedRow>(
    `UPDATE postroom.job SET lease_owner = NULL, takeovers = takeovers + 1, version = version + 1,
            attempt = attempt - 1, due_at = ${DUE_AFTER_PAUSE}
      WHERE is_open AND lease_owner IS NOT NULL
        AND leased_at < clock_timestamp() - $1 * interval '1 ms'
     RETURNING ${REISSUED}`,
    [stuckMs],
  );
  return released.rows;
}

/**
 * Waiting jobs of the queue that are overdue and neither in the outbox nor among `held`. Their due time
 * becomes now, so that the next sweep does not find them again.
 */
export async function renewOverdue(
  on: Queryable,
  overdue: { queue: string; byMs: number; held: readonly string[]; limit: number },
): Promise<ReissuedRow[]> {
  const renewed = await on.query<ReissuedRow>(
    `UPDATE postroom.job SET due_at = postroom.now() WHERE id IN (
       SELECT id FROM postroom.job j
        WHERE is_open AND queue = $1 AND lease_owner IS NULL
          AND due_at < postroom.now() - $2 * interval '1 ms'
          AND NOT EXISTS (SELECT 1 FROM postroom.job_outbox o WHERE o.job_id = j.id)
          AND id <> ALL($4::uuid[])
        ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING ${REISSUED}`,
    [overdue.queue, overdue.byMs, overdue.limit, overdue.held],
  );
  return renewed.rows;
}

/** Returns those of the queues in which a waiting job is overdue by this much. */
export async function findOverdueQueues(
  on: Queryable,
  queues: readonly string[],
  byMs: number,
): Promise<string[]> {
  const { rows } = await on.query<{ queue: string }>(
    `SELECT q.queue FROM unnest($2::text[]) AS q (queue)
      WHERE EXISTS (SELECT 1 FROM postroom.job j
        WHERE j.is_open AND j.queue = q.queue AND j.lease_owner IS NULL
          AND j.due_at < postroom.now() - $1 * interval '1 ms')`,
    [byMs, queues],
  );
  return rows.map((row) => row.queue);
}

/** Open jobs of the queues that are due, running ones included. */
export async function countDueJobs(on: Queryable, queues: readonly string[]): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    `SELECT count(*) FROM postroom.job
      WHERE is_open AND due_at <= postroom.now() AND queue = ANY($1::text[])`,
    [queues],
  );
  return rows[0]!.count;
}

/** What a job with this key did was undone, so the next one with the key is not a repetition. */
export async function releaseKey(on: Queryable, type: string, key: string): Promise<void> {
  await on.query(
    `UPDATE postroom.job SET holds_key = false
      WHERE type = $1 AND key = $2 AND holds_key AND NOT is_open`,
    [type, key],
  );
}

/**
 * Ends an open job; a worker that runs it can no longer write. Returns false if the job has already ended.
 */
export async function cancelJob(on: Queryable, jobId: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.job SET state = 'Cancelled', is_open = false, holds_key = false,
            lease_owner = NULL, finished_at = postroom.now(), version = version + 1
      WHERE id = $1 AND is_open`,
    [jobId],
  );
  return rowCount === 1;
}

/** The new version of an open job; null if it has ended. */
export async function raiseVersion(tx: Transaction, jobId: string): Promise<number | null> {
  const { rows } = await tx.query<{ version: number }>(
    "UPDATE postroom.job SET version = version + 1 WHERE id = $1 AND is_open RETURNING version",
    [jobId],
  );
  return rows[0]?.version ?? null;
}

/** Marks the dead letter of a message that was never a job; there is nothing to run again. */
export const NOT_A_JOB = "not a job";

export interface DeadMessageRow {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly messageId: string;
  readonly payload: string;
  readonly code: string;
  readonly message: string;
  readonly cause: string;
}

/** Keeps a message that is not a job as a dead letter; a second copy of the same message changes nothing. */
export async function insertDeadMessage(on: Queryable, dead: DeadMessageRow): Promise<void> {
  await on.query(
    `INSERT INTO postroom.job (id, type, queue, subject_id, correlation_id, key, payload, state,
       max_attempts, is_open, holds_key, is_dead, created_at, due_at, finished_at, error_code,
       error_message, cause, note)
     SELECT $1::uuid, $2, $3, $4, $1::uuid::text, $4, $5::json, 'Poisoned', 1, false, false, true, t.now, t.now, t.now, $6, $7, $8, $9
       FROM (SELECT postroom.now() AS now) t
     ON CONFLICT DO NOTHING`,
    [
      dead.id,
      dead.type,
      dead.queue,
      dead.messageId,
      dead.payload,
      dead.code,
      dead.message,
      dead.cause,
      NOT_A_JOB,
    ],
  );
}

/** Removes jobs from the dead letters; each keeps the id of the job that replays it, if there is one. */
export async function closeDeadLetters(
  tx: Transaction,
  closed: readonly { readonly id: string; readonly newId: string | null }[],
): Promise<void> {
  await tx.query(
    `UPDATE postroom.job j SET is_dead = false, replayed_as = r.new_id, version = version + 1
       FROM unnest($1::uuid[], $2::uuid[]) AS r (id, new_id) WHERE j.id = r.id`,
    [closed.map((row) => row.id), closed.map((row) => row.newId)],
  );
}

/** Removes up to `limit` jobs that finished more than `keepMs` ago, except dead letters; returns their ids. */
export async function deleteFinished(
  on: Queryable,
  old: { beforeId: string; keepMs: number; limit: number },
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `DELETE FROM postroom.job WHERE id IN (
       SELECT id FROM postroom.job WHERE id < $1 AND NOT is_open AND NOT is_dead
          AND finished_at < postroom.now() - $2 * interval '1 ms' LIMIT $3)
     RETURNING id`,
    [old.beforeId, old.keepMs, old.limit],
  );
  return rows.map((row) => row.id);
}

/** The subjects about which a job of this type is waiting, running or dead. */
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

/**
 * Open jobs about these subjects that no worker holds. They are locked: a worker that takes one of them does so after
 * the caller's commit. A job that is being taken at this moment is left out.
 */
export async function lockPending<Payload>(
  tx: Transaction,
  type: string,
  subjectIds: readonly string[],
): Promise<{ key: string; payload: Payload }[]> {
  const { rows } = await tx.query<{ key: string; payload: Payload }>(
    `SELECT key, payload FROM postroom.job
      WHERE type = $1 AND subject_id = ANY($2::text[]) AND is_open AND lease_owner IS NULL
        FOR UPDATE SKIP LOCKED`,
    [type, subjectIds],
  );
  return rows;
}

/**
 * Erases ended jobs that name a person or are about one of these messages or files. Jobs that still run are left to their
 * workers. Returns the ids.
 */
export async function eraseJobs(
  tx: Transaction,
  of: {
    readonly address: string;
    readonly ids: readonly string[];
    readonly subjects: readonly string[];
    readonly heldMessages: readonly string[];
  },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `DELETE FROM postroom.job WHERE NOT is_open AND subject_id <> ALL($4)
        AND (strpos(lower(payload::text), $1) > 0 OR owner_id = ANY($2) OR subject_id = ANY($3)
          OR strpos(lower(concat_ws(' ', note, error_message)), $1) > 0) RETURNING id`,
    [of.address, of.ids, of.subjects, of.heldMessages],
  );
  return rows.map(({ id }) => id);
}

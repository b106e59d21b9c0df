/**
 * Runs dead letters again. A replay is a row: whoever is running works it off step by step, at the
 * asked rate, and goes on after a crash where the last step was committed. A dead letter becomes a new
 * job with the same key, payload and number of attempts; the old one keeps its end and points to it.
 * What has been replayed is no dead letter any more, so a second replay finds nothing to do, and what
 * dies again can be replayed again.
 */
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Database, Queryable, Transaction } from "../store/database.ts";
import {
  type DeadCause,
  type DeadLetterFilter,
  deadWhere,
  findDeadCauses,
  NOT_A_JOB,
} from "./dead-letters.ts";
import { dispatch } from "./dispatch.ts";
import type { JobEngine } from "./engine.ts";
import { createJobIds } from "./job-id.ts";
import { insertJobs } from "./job-table.ts";

export interface ReplayNeeds {
  readonly database: Database;
  readonly engine: JobEngine;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ReplayOrder {
  readonly filter: DeadLetterFilter;
  readonly who: string;
  readonly why: string;
  readonly perSecond?: number | undefined;
}

export interface ReplayView {
  readonly replayId: string;
  readonly who: string;
  readonly why: string;
  readonly total: number;
  readonly replayed: number;
  readonly superseded: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const PER_SECOND_DEFAULT = 100;
const STEP_MAX = 500;

/** What a replay of these would do; changes nothing. */
export async function previewReplay(
  on: Queryable,
  filter: DeadLetterFilter,
): Promise<{ total: number; notReplayable: number; causes: DeadCause[] }> {
  const { sql, values } = deadWhere(filter);
  const { rows } = await on.query<{ total: number; bad: number }>(
    `SELECT count(*) FILTER (WHERE note IS DISTINCT FROM $7) AS total,
            count(*) FILTER (WHERE note = $7) AS bad FROM postroom.job WHERE ${sql}`,
    [...values, NOT_A_JOB],
  );
  const causes = await findDeadCauses(on, filter);
  return { total: rows[0]!.total, notReplayable: rows[0]!.bad, causes };
}

export async function startReplay(needs: ReplayNeeds, order: ReplayOrder): Promise<ReplayView> {
  const { total } = await previewReplay(needs.database, order.filter);
  const [id] = createJobIds(1, needs.clock, needs.random);
  await needs.database.query(
    `INSERT INTO postroom.job_replay (id, who, why, filter, until_at, per_second, total, created_at)
     SELECT $1, $2, $3, $4::json, t.now, $5, $6, t.now FROM (SELECT postroom.now() AS now) t`,
    [
      id,
      order.who,
      order.why,
      JSON.stringify(order.filter),
      Math.max(1, order.perSecond ?? PER_SECOND_DEFAULT),
      total,
    ],
  );
  return (await getReplay(needs.database, id!))!;
}

export async function getReplay(on: Queryable, replayId: string): Promise<ReplayView | null> {
  const { rows } = await on.query<ReplayView>(`${SELECT_REPLAYS} WHERE r.id = $1`, [replayId]);
  return rows[0] ?? null;
}

export async function findReplays(on: Queryable, limit = 50): Promise<ReplayView[]> {
  const sql = `${SELECT_REPLAYS} ORDER BY r.created_at DESC LIMIT $1`;
  return (await on.query<ReplayView>(sql, [limit])).rows;
}

const SELECT_REPLAYS = `SELECT r.id AS "replayId", r.who, r.why, r.total, r.created_at AS "createdAt",
    r.finished_at AS "finishedAt", c.replayed, c.superseded
  FROM postroom.job_replay r, LATERAL (
    SELECT count(*) FILTER (WHERE i.result = 'replayed') AS replayed,
           count(*) FILTER (WHERE i.result = 'superseded') AS superseded
      FROM postroom.job_replay_item i WHERE i.replay_id = r.id) c`;

/** Works at every replay that is not finished: as many of its jobs as it may in `elapsedMs`. */
export async function continueReplays(needs: ReplayNeeds, elapsedMs: number): Promise<void> {
  const open = await needs.database.query<OpenReplay>(
    "SELECT id, filter, until_at, per_second FROM postroom.job_replay WHERE finished_at IS NULL",
  );
  for (const replay of open.rows) {
    let left = Math.max(1, Math.floor((replay.per_second * elapsedMs) / 1_000));
    while (left > 0) {
      const limit = Math.min(STEP_MAX, left);
      const taken = await needs.database.transaction((tx) => replayStep(needs, tx, replay, limit));
      left = taken < limit ? 0 : left - taken;
    }
  }
}

interface OpenReplay {
  readonly id: string;
  readonly filter: DeadLetterFilter;
  readonly until_at: Date;
  readonly per_second: number;
}

async function replayStep(
  needs: ReplayNeeds,
  tx: Transaction,
  replay: OpenReplay,
  limit: number,
): Promise<number> {
  // The lock makes it one process at a time, which is what keeps the rate.
  const locked = await tx.query(
    `SELECT 1 FROM postroom.job_replay WHERE id = $1 AND finished_at IS NULL
      FOR UPDATE SKIP LOCKED`,
    [replay.id],
  );
  if (locked.rowCount === 0) return 0;
  const dead = await takeDead(tx, replay, limit);
  const renewed = await renewJobs(needs, tx, dead);
  await writeItems(tx, replay.id, dead, renewed);
  if (dead.length < limit) {
    const sql = "UPDATE postroom.job_replay SET finished_at = postroom.now() WHERE id = $1";
    await tx.query(sql, [replay.id]);
  }
  return dead.length;
}

interface DeadRow {
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

async function takeDead(tx: Transaction, replay: OpenReplay, limit: number): Promise<DeadRow[]> {
  const { sql, values } = deadWhere(replay.filter);
  const { rows } = await tx.query<DeadRow>(
    `SELECT id, type, queue, max_attempts, subject_id, correlation_id, owner_id, key,
            payload::text AS payload_text
       FROM postroom.job WHERE ${sql} AND finished_at <= $7 AND note IS DISTINCT FROM $8
      ORDER BY id LIMIT $9 FOR UPDATE`,
    [...values, replay.until_at, NOT_A_JOB, limit],
  );
  return rows;
}

/** New jobs for the dead ones, by old id; absent where another job holds the key. */
async function renewJobs(
  needs: ReplayNeeds,
  tx: Transaction,
  dead: readonly DeadRow[],
): Promise<Map<string, string>> {
  const ids = createJobIds(dead.length, needs.clock, needs.random);
  const rows = dead.map((row, index) => ({
    kind: JSON.stringify([row.type, row.queue, row.max_attempts]),
    dead: row,
    insert: {
      id: ids[index]!,
      subjectId: row.subject_id,
      correlationId: row.correlation_id,
      ownerId: row.owner_id,
      key: row.key,
      payload: row.payload_text,
      runAtMs: null,
      replayOf: row.id,
    },
  }));
  const renewed = new Map<string, string>();
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const group = rows.filter((row) => row.kind === kind);
    const { type, queue, max_attempts: maxAttempts } = group[0]!.dead;
    const shared = { type, queue, maxAttempts, outbox: null };
    const added = await insertJobs(
      tx,
      shared,
      group.map((row) => row.insert),
    );
    const fresh = group.filter((row) => added.has(row.insert.id));
    for (const row of fresh) renewed.set(row.dead.id, row.insert.id);
    await dispatch(
      needs.engine,
      tx,
      fresh.map(({ insert }) => ({ ...insert, type, queue, attempt: 0, delayMs: 0 })),
    );
  }
  return renewed;
}

async function writeItems(
  tx: Transaction,
  replayId: string,
  dead: readonly DeadRow[],
  renewed: ReadonlyMap<string, string>,
): Promise<void> {
  if (dead.length === 0) return;
  const ids = dead.map((row) => row.id);
  const newIds = ids.map((id) => renewed.get(id) ?? null);
  await tx.query(
    `UPDATE postroom.job j SET is_dead = false, replayed_as = r.new_id, version = version + 1
       FROM unnest($1::uuid[], $2::uuid[]) AS r (id, new_id) WHERE j.id = r.id`,
    [ids, newIds],
  );
  await tx.query(
    `INSERT INTO postroom.job_replay_item (replay_id, job_id, new_job_id, result, at)
     SELECT $1, r.id, r.new_id, CASE WHEN r.new_id IS NULL THEN 'superseded' ELSE 'replayed' END,
            postroom.now()
       FROM unnest($2::uuid[], $3::uuid[]) AS r (id, new_id)`,
    [replayId, ids, newIds],
  );
}

/** Puts dead letters aside without running them; the history says who did and why. */
export async function dismissDeadLetters(
  needs: ReplayNeeds,
  order: Omit<ReplayOrder, "perSecond">,
): Promise<number> {
  const { sql, values } = deadWhere(order.filter);
  const [id] = createJobIds(1, needs.clock, needs.random);
  return needs.database.transaction(async (tx) => {
    const dismissed = await tx.query<{ id: string }>(
      `UPDATE postroom.job SET is_dead = false, version = version + 1 WHERE ${sql} RETURNING id`,
      values,
    );
    await tx.query(
      `INSERT INTO postroom.job_replay
         (id, who, why, filter, until_at, per_second, total, created_at, finished_at)
       SELECT $1, $2, $3, $4::json, t.now, 1, $5, t.now, t.now FROM (SELECT postroom.now() AS now) t`,
      [id, order.who, order.why, JSON.stringify(order.filter), dismissed.rowCount],
    );
    await tx.query(
      `INSERT INTO postroom.job_replay_item (replay_id, job_id, result, at)
       SELECT $1, unnest($2::uuid[]), 'dismissed', postroom.now()`,
      [id, dismissed.rows.map((row) => row.id)],
    );
    return dismissed.rowCount;
  });
}

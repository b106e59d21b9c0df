/** Replays and dismissals: who ordered them, why, and what became of each dead letter. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { DeadLetterFilter } from "./dead-letter.ts";

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

export interface ReplayRow {
  readonly id: string;
  readonly who: string;
  readonly why: string;
  readonly filter: DeadLetterFilter;
  readonly perSecond: number;
  readonly total: number;
  /** True if there is nothing left to run, as after a dismissal. */
  readonly isFinished: boolean;
}

export async function insertReplay(on: Queryable, replay: ReplayRow): Promise<void> {
  await on.query(
    `INSERT INTO postroom.job_replay
       (id, who, why, filter, until_at, per_second, total, created_at, finished_at)
     SELECT $1, $2, $3, $4::json, t.now, $5, $6, t.now, CASE WHEN $7 THEN t.now END
       FROM (SELECT postroom.now() AS now) t`,
    [
      replay.id,
      replay.who,
      replay.why,
      toJson(replay.filter),
      replay.perSecond,
      replay.total,
      replay.isFinished,
    ],
  );
}

const SELECT_REPLAYS = `SELECT r.id AS "replayId", r.who, r.why, r.total, r.created_at AS "createdAt",
    r.finished_at AS "finishedAt", c.replayed, c.superseded
  FROM postroom.job_replay r, LATERAL (
    SELECT count(*) FILTER (WHERE i.result = 'replayed') AS replayed,
           count(*) FILTER (WHERE i.result = 'superseded') AS superseded
      FROM postroom.job_replay_item i WHERE i.replay_id = r.id) c`;

export async function getReplay(on: Queryable, replayId: string): Promise<ReplayView | null> {
  const { rows } = await on.query<ReplayView>(`${SELECT_REPLAYS} WHERE r.id = $1`, [replayId]);
  return rows[0] ?? null;
}

/** Newest first, which is the order of their ids. */
export async function findReplays(
  on: Queryable,
  page: { before?: string | undefined; limit: number },
): Promise<ReplayView[]> {
  const sql = `${SELECT_REPLAYS} WHERE $1::uuid IS NULL OR r.id < $1 ORDER BY r.id DESC LIMIT $2`;
  return (await on.query<ReplayView>(sql, [page.before ?? null, page.limit])).rows;
}

export interface OpenReplay {
  readonly id: string;
  readonly filter: DeadLetterFilter;
  /** Jobs that die later are not part of it. */
  readonly until_at: Date;
  readonly per_second: number;
}

export async function findOpenReplays(on: Queryable): Promise<OpenReplay[]> {
  const { rows } = await on.query<OpenReplay>(
    "SELECT id, filter, until_at, per_second FROM postroom.job_replay WHERE finished_at IS NULL",
  );
  return rows;
}

/** False if another process is working on the replay or has finished it. */
export async function lockOpenReplay(tx: Transaction, replayId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM postroom.job_replay WHERE id = $1 AND finished_at IS NULL
      FOR UPDATE SKIP LOCKED`,
    [replayId],
  );
  return rowCount > 0;
}

export async function finishReplay(tx: Transaction, replayId: string): Promise<void> {
  await tx.query("UPDATE postroom.job_replay SET finished_at = postroom.now() WHERE id = $1", [
    replayId,
  ]);
}

export interface ReplayItem {
  readonly id: string;
  readonly newId: string | null;
  readonly result: "replayed" | "superseded" | "dismissed";
}

export async function insertReplayItems(
  tx: Transaction,
  replayId: string,
  items: readonly ReplayItem[],
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.job_replay_item (replay_id, job_id, new_job_id, result, at)
     SELECT $1, r.id, r.new_id, r.result, postroom.now()
       FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS r (id, new_id, result)`,
    [
      replayId,
      items.map((item) => item.id),
      items.map((item) => item.newId),
      items.map((item) => item.result),
    ],
  );
}

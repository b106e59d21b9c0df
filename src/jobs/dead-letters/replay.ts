/**
 * Runs dead letters again. A replay is a row: any process works on it step by step at the requested rate,
 * and after a crash continues after the last committed step. A dead letter becomes a new job with the same
 * key, payload and number of attempts; the old job keeps its end and points to the new one. A replayed job is
 * no longer a dead letter, so a second replay finds nothing to do; a job that dies again can be replayed
 * again.
 */
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Database, Queryable, Transaction } from "../../store/database.ts";
import type { JobEngine } from "../engine.ts";
import { createJobIds } from "../job-id.ts";
import { closeDeadLetters, insertJobs } from "../job-table.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import type { DeadCause, DeadLetterFilter } from "./dead-letter.ts";
import {
  countDeadLetters,
  type DeadRow,
  findDeadCauses,
  lockDeadLetters,
  lockReplayable,
} from "./dead-letter-table.ts";
import {
  findOpenReplays,
  finishReplay,
  getReplay,
  insertReplay,
  insertReplayItems,
  lockOpenReplay,
  type OpenReplay,
  type ReplayItem,
  type ReplayView,
} from "./replay-table.ts";

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

const PER_SECOND_DEFAULT = 100;
const STEP_MAX = 500;

/** Says what a replay of these dead letters would do; changes nothing. */
export async function previewReplay(
  on: Queryable,
  filter: DeadLetterFilter,
): Promise<{ total: number; notReplayable: number; causes: DeadCause[] }> {
  const counts = await countDeadLetters(on, filter);
  return { ...counts, causes: await findDeadCauses(on, filter) };
}

export async function startReplay(needs: ReplayNeeds, order: ReplayOrder): Promise<ReplayView> {
  const { total } = await countDeadLetters(needs.database, order.filter);
  const id = createJobIds(1, needs.clock, needs.random)[0]!;
  const perSecond = Math.max(1, order.perSecond ?? PER_SECOND_DEFAULT);
  await insertReplay(needs.database, { ...order, id, total, perSecond, isFinished: false });
  return (await getReplay(needs.database, id))!;
}

/** Works on every unfinished replay: runs as many jobs as its rate allows in `elapsedMs`. */
export async function continueReplays(needs: ReplayNeeds, elapsedMs: number): Promise<void> {
  for (const replay of await findOpenReplays(needs.database)) {
    let remaining = Math.max(1, Math.floor((replay.per_second * elapsedMs) / 1_000));
    while (remaining > 0) {
      const limit = Math.min(STEP_MAX, remaining);
      const count = await needs.database.transaction((tx) => replayStep(needs, tx, replay, limit));
      remaining = count < limit ? 0 : remaining - count;
    }
  }
}

async function replayStep(
  needs: ReplayNeeds,
  tx: Transaction,
  replay: OpenReplay,
  limit: number,
): Promise<number> {
  // The lock lets only one process at a time work on a replay, which keeps to its rate.
  if (!(await lockOpenReplay(tx, replay.id))) return 0;
  const dead = await lockReplayable(tx, replay.filter, replay.until_at, limit);
  const renewed = await renewJobs(needs, tx, dead);
  const items = dead.map(({ id }): ReplayItem => {
    const newId = renewed.get(id) ?? null;
    return { id, newId, result: newId === null ? "superseded" : "replayed" };
  });
  await closeDeadLetters(tx, items);
  await insertReplayItems(tx, replay.id, items);
  if (dead.length < limit) await finishReplay(tx, replay.id);
  return dead.length;
}

/** Creates new jobs for the dead ones, keyed by old id; a dead one is absent if another job holds its key. */
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
    const added = await insertJobs(
      tx,
      { type, queue, maxAttempts },
      group.map((row) => row.insert),
    );
    const addedRows = group.filter((row) => added.has(row.insert.id));
    for (const row of addedRows) renewed.set(row.dead.id, row.insert.id);
    await sendJobs(
      needs.engine,
      tx,
      addedRows.map(({ insert: { id, key } }) => ({
        id,
        key,
        type,
        queue,
        attempt: 0,
        delayMs: 0,
      })),
    );
  }
  return renewed;
}

/** Closes dead letters without running them; the history keeps who did it and why. */
export async function dismissDeadLetters(
  needs: ReplayNeeds,
  order: Omit<ReplayOrder, "perSecond">,
): Promise<number> {
  const id = createJobIds(1, needs.clock, needs.random)[0]!;
  return needs.database.transaction(async (tx) => {
    const dead = await lockDeadLetters(tx, order.filter);
    const items = dead.map((id): ReplayItem => ({ id, newId: null, result: "dismissed" }));
    await closeDeadLetters(tx, items);
    await insertReplay(tx, { ...order, id, total: dead.length, perSecond: 1, isFinished: true });
    await insertReplayItems(tx, id, items);
    return dead.length;
  });
}

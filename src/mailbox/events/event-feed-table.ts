/**
 * The feed: every committed event at a position, without gaps, in an order that never changes. The next
 * reader of events assigns positions to everything committed since the last one, one process at a time.
 *
 * New events are those that the stored snapshot does not show: their transactions were open then or began
 * later. Both are found by index, so a transaction that stays open for hours costs nothing.
 */
import type { Database, Queryable, Transaction } from "../../store/database.ts";
import { beyondTenant } from "../../store/reach.ts";

const LOCK_KEY = 7_070_018; // arbitrary, but unique to this lock and the same in every process
const BATCH = 10_000;

const OPEN_THEN = "ARRAY(SELECT pg_snapshot_xip(snapshot) FROM postroom.event_feed_state)";
const BEGUN_LATER = "(SELECT pg_snapshot_xmax(snapshot) FROM postroom.event_feed_state)";

// Transaction ids beyond our own snapshot come from the cluster that a dump was made in. They wait for the
// pass over all events.
const IS_NEW = `(e.xid = ANY(${OPEN_THEN})
  OR (e.xid >= ${BEGUN_LATER} AND e.xid < pg_snapshot_xmax(pg_current_snapshot())))`;

const CLUSTER = "(SELECT system_identifier FROM pg_control_system())";
const IS_FOREIGN = `(cluster IS DISTINCT FROM ${CLUSTER}
  OR pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot()))`;

/** Assigns positions to all events that were committed before the call. */
export async function placeEvents(database: Database): Promise<void> {
  // The feed is one for all tenants: who reads a part of it places all of it.
  await beyondTenant(async () => {
    if (!(await isBehind(database))) return;
    while (!(await database.transaction(placeBatch)));
  });
}

/** The position of the newest event; 0 if there is none. */
export async function getLastPosition(database: Database): Promise<number> {
  await placeEvents(database);
  const { rows } = await beyondTenant(() =>
    database.query<{ position: number }>("SELECT position FROM postroom.event_feed_state"),
  );
  return rows[0]!.position;
}

/** Those that have a position; the next reader gives one to the rest. */
export async function countEventsAfter(on: Queryable, position: number): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    "SELECT count(*) FROM postroom.event_feed WHERE position > $1",
    [position],
  );
  return rows[0]!.count;
}

async function isBehind(on: Queryable): Promise<boolean> {
  const { rows } = await on.query<{ isBehind: boolean }>(
    `SELECT snapshot IS NULL OR pass_to IS NOT NULL OR ${IS_FOREIGN}
            OR EXISTS (SELECT FROM postroom.event e WHERE ${IS_NEW}) AS "isBehind"
       FROM postroom.event_feed_state`,
    [],
    "feed-is-behind",
  );
  return rows[0]!.isBehind;
}

/** Returns true if nothing is left to place. */
async function placeBatch(tx: Transaction): Promise<boolean> {
  await tx.query("SELECT pg_advisory_xact_lock($1)", [LOCK_KEY]);
  await tx.query(
    `UPDATE postroom.event_feed_state
        SET cluster = ${CLUSTER}, snapshot = NULL, pass_to = NULL, pass_after = 0 WHERE ${IS_FOREIGN}`,
  );
  const { rows: states } = await tx.query<{ isFirstPass: boolean; passTo: string }>(
    `SELECT snapshot IS NULL AS "isFirstPass", coalesce(pass_to, pg_current_snapshot())::text AS "passTo"
       FROM postroom.event_feed_state`,
  );
  const { isFirstPass, passTo } = states[0]!;
  const { rows } = await tx.query<Batch>(isFirstPass ? PLACE_ANY : PLACE_NEW, [passTo]);
  const { count, last } = rows[0]!;
  if (count === BATCH) await setPass(tx, null, passTo, last!);
  else await setPass(tx, passTo, null, 0);
  return count < BATCH;
}

interface Batch {
  /** How many events were looked at; after a restore, some already have a position. */
  readonly count: number;
  readonly last: number | null;
}

const AFTER = "(SELECT pass_after FROM postroom.event_feed_state)";
// An event committed during a pass waits for the next one, because its predecessor may be behind this pass.
const IS_DUE = `(e.xid IS NULL OR e.xid >= pg_snapshot_xmax(pg_current_snapshot())
  OR pg_visible_in_snapshot(e.xid, $1::pg_snapshot))`;
const PLACE_ANY = place(
  `SELECT e.seq, e.xid FROM postroom.event e WHERE e.seq > ${AFTER} AND ${IS_DUE} ORDER BY e.seq LIMIT ${BATCH}`,
);
// Materialized, or the planner may look for the few new events along the whole primary key.
const PLACE_NEW = place(
  `SELECT * FROM (
     WITH fresh AS MATERIALIZED (SELECT e.seq, e.xid FROM postroom.event e WHERE ${IS_NEW} AND ${IS_DUE})
     SELECT seq, xid FROM fresh) fresh WHERE seq > ${AFTER} ORDER BY seq LIMIT ${BATCH}`,
);

/**
 * Events of one mailbox are written one transaction after another, so within a mailbox `seq` is the right
 * order.
 */
function place(batch: string): string {
  return `WITH batch AS MATERIALIZED (${batch}),
    fresh AS (
      SELECT seq, xid, row_number() OVER (PARTITION BY xid IS NULL ORDER BY seq) AS nth FROM batch
       WHERE NOT EXISTS (SELECT FROM postroom.event_feed f WHERE f.event = batch.seq)),
    placed AS (
      INSERT INTO postroom.event_feed (position, event)
      SELECT CASE WHEN xid IS NULL THEN seq ELSE s.position + nth END, seq
        FROM fresh, postroom.event_feed_state s ORDER BY 1
      RETURNING position),
    advanced AS (
      UPDATE postroom.event_feed_state SET position = greatest(position, (SELECT max(position) FROM placed)))
    SELECT count(*) AS count, max(seq) AS last FROM batch`;
}

async function setPass(
  tx: Transaction,
  snapshot: string | null,
  passTo: string | null,
  after: number,
): Promise<void> {
  await tx.query(
    `UPDATE postroom.event_feed_state
        SET snapshot = coalesce($1::pg_snapshot, snapshot), pass_to = $2::pg_snapshot, pass_after = $3`,
    [snapshot, passTo, after],
  );
}

/** Removes the rows of deleted events from the feed; their positions are not reused. */
export async function removeFromFeed(on: Queryable, events: readonly number[]): Promise<void> {
  await on.query("DELETE FROM postroom.event_feed WHERE event = ANY($1)", [events]);
}

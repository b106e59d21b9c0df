import { Fault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import { toPlainArray, toTextArray } from "../../store/array-text.ts";
import type { Database, Queryable, Transaction } from "../../store/database.ts";
import { createGroupCommit, type GroupCommit } from "../../store/group-commit.ts";
import type { NotificationRow } from "./notification.ts";

/** More waiting rows than this is overload: the response is 503, and Graph tries again. */
const WAITING_MAX = 50_000;
const BATCH_MAX = 2_000;

/** Stores notifications durably. `add` resolves when they are committed; a duplicate changes nothing. */
export type NotificationWriter = GroupCommit<NotificationRow>;

/** Writes the notifications of many requests in one commit. */
export function createNotificationWriter(
  database: Database,
  onCommitted: (written: number, repeated: number) => void,
): NotificationWriter {
  return createWriter(async (rows) => {
    await killPoint("intake.insert-sent");
    const written = await insertNotifications(database, rows);
    await killPoint("intake.committed");
    onCommitted(written, rows.length - written);
  });
}

/**
 * The same for notifications with encrypted content: their jobs wait until it is decrypted, or for `seconds`.
 */
export function createSealedWriter(database: Database, seconds: number): NotificationWriter {
  return createWriter((rows) => insertSealed(database, rows, seconds));
}

function createWriter(
  write: (rows: readonly NotificationRow[]) => Promise<void>,
): NotificationWriter {
  return createGroupCommit<NotificationRow>({
    write,
    batchMax: BATCH_MAX,
    inFlightMax: 2,
    depthMax: WAITING_MAX,
    refuse: () =>
      new Fault("store.unavailable", "too many notifications are waiting to be written"),
  });
}

const byKey = (one: { readonly key: string }, other: { readonly key: string }) =>
  one.key < other.key ? -1 : one.key > other.key ? 1 : 0;

/** Returns how many of them were new. */
export async function insertNotifications(
  on: Queryable,
  rows: readonly NotificationRow[],
): Promise<number> {
  // Always in the same order, so that two commits with the same keys cannot deadlock.
  const sorted = rows.length === 1 ? rows : [...rows].sort(byKey);
  const { rowCount } = await on.query(
    `INSERT INTO postroom.notification (key, subscription, change, message_id, received_at, trace)
     SELECT key, subscription, change, message_id, postroom.now(), trace
       FROM unnest($1::uuid[], $2::int[], $3::smallint[], $4::text[], $5::text[])
         AS t(key, subscription, change, message_id, trace)
     ON CONFLICT (key) DO NOTHING`,
    [
      toPlainArray(sorted.map((row) => row.key)),
      toPlainArray(sorted.map((row) => row.subscription)),
      toPlainArray(sorted.map((row) => row.change)),
      toTextArray(sorted.map((row) => row.messageId)),
      tracesOf(sorted),
    ],
    "insert-notifications",
  );
  return rowCount;
}

/** Null if nothing is traced; `unnest` fills an absent array with nulls. */
function tracesOf(rows: readonly NotificationRow[]): (string | null)[] | null {
  return rows.some((row) => row.trace) ? rows.map((row) => row.trace ?? null) : null;
}

async function insertSealed(
  on: Queryable,
  rows: readonly NotificationRow[],
  seconds: number,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.notification (key, subscription, change, message_id, received_at, sealed_until, trace)
     SELECT key, subscription, change, message_id, postroom.now(), postroom.now() + make_interval(secs => $5), trace
       FROM unnest($1::uuid[], $2::int[], $3::smallint[], $4::text[], $6::text[])
         AS t(key, subscription, change, message_id, trace)
      ORDER BY key
     ON CONFLICT (key) DO NOTHING`,
    [
      rows.map((row) => row.key),
      rows.map((row) => row.subscription),
      rows.map((row) => row.change),
      rows.map((row) => row.messageId),
      seconds,
      tracesOf(rows),
    ],
  );
}

/** Allows the jobs of these notifications to begin. */
export async function clearSeal(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx.query("UPDATE postroom.notification SET sealed_until = NULL WHERE key = ANY($1)", [
    keys,
  ]);
}

export interface WaitingNotification {
  readonly key: string;
  readonly subscription: number;
  readonly mailbox: number;
  readonly change: number;
  readonly messageId: string;
  readonly receivedAt: Date;
  readonly trace: string | null;
}

/**
 * Takes notifications that have no job yet, those of new mail first; the caller adds the jobs in the same
 * transaction. Rows of a removed mailbox are taken too and cause no job.
 */
export async function takeWaiting(
  tx: Transaction,
  limit: number,
): Promise<{ taken: number; rows: WaitingNotification[] }> {
  const { rows } = await tx.query<WaitingNotification & { mailbox: number | null }>(
    `WITH waiting AS (
       SELECT n.key FROM postroom.notification n
        WHERE n.job_at IS NULL AND (n.sealed_until IS NULL OR n.sealed_until < postroom.now())
        ORDER BY (n.change <> 1), n.received_at, n.key LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE postroom.notification n SET job_at = postroom.now()
       FROM waiting w
      WHERE n.key = w.key
     RETURNING n.key, n.subscription, n.change, n.message_id AS "messageId", n.received_at AS "receivedAt", n.trace,
       (SELECT s.mailbox FROM postroom.subscription s WHERE s.id = n.subscription) AS mailbox`,
    [limit],
  );
  const known = rows.filter((row) => row.mailbox !== null);
  known.sort(
    (one, other) => one.receivedAt.getTime() - other.receivedAt.getTime() || byKey(one, other),
  );
  return { taken: rows.length, rows: known };
}

export async function removeNotificationsBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.notification WHERE key IN (
       SELECT key FROM postroom.notification WHERE received_at < $1 AND job_at IS NOT NULL LIMIT $2)`,
    [before, limit],
  );
  return rowCount;
}

/** Rows of these mailboxes' subscriptions, or of subscriptions that are gone: they name no mailbox once it is removed. */
export const NOTIFIED = `(subscription IN (SELECT id FROM postroom.subscription WHERE mailbox = ANY($1))
  OR NOT EXISTS (SELECT FROM postroom.subscription s WHERE s.id = subscription))`;

export async function eraseNotifications(
  tx: Transaction,
  of: { readonly mailboxes: readonly number[]; readonly heldMessages: readonly string[] },
): Promise<void> {
  await tx.query(`DELETE FROM postroom.notification WHERE ${NOTIFIED} AND message_id <> ALL($2)`, [
    of.mailboxes,
    of.heldMessages,
  ]);
}

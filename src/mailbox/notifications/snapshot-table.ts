/** What notifications with resource data said about their messages, kept from intake until the job runs. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { GraphMessage } from "../messages/message.ts";
import { NOTIFIED } from "./notification-table.ts";

/** Kept only while the notification's job has not begun. */
export async function insertSnapshots(
  tx: Transaction,
  snapshots: ReadonlyMap<string, GraphMessage>,
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.snapshot (notification, message, created_at)
     SELECT t.key, t.message, postroom.now()
       FROM unnest($1::uuid[], $2::jsonb[]) AS t(key, message)
       JOIN postroom.notification n ON n.key = t.key AND n.job_at IS NULL
     ON CONFLICT (notification) DO NOTHING`,
    [[...snapshots.keys()], [...snapshots.values()].map((message) => toJson(message))],
  );
}

export async function findSnapshots(
  on: Queryable,
  keys: readonly string[],
): Promise<Map<string, GraphMessage>> {
  const { rows } = await on.query<{ key: string; message: GraphMessage }>(
    "SELECT notification AS key, message FROM postroom.snapshot WHERE notification = ANY($1::uuid[])",
    [keys],
  );
  return new Map(rows.map((row) => [row.key, row.message]));
}

/** Which of these notifications carried the properties of their message. */
export async function findKeysWithSnapshot(
  on: Queryable,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await on.query<{ key: string }>(
    "SELECT notification AS key FROM postroom.snapshot WHERE notification = ANY($1::uuid[])",
    [keys],
  );
  return new Set(rows.map((row) => row.key));
}

export async function removeSnapshots(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.snapshot WHERE notification = ANY($1::uuid[])", [keys]);
}

/** Removes snapshots of jobs that did not use them. */
export async function removeSnapshotsBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.snapshot WHERE notification IN (
       SELECT notification FROM postroom.snapshot WHERE created_at < $1 LIMIT $2)`,
    [before, limit],
  );
  return rowCount;
}

/** Erases what names a person, and what came of their mailboxes. */
export async function eraseSnapshots(
  tx: Transaction,
  { address, mailboxes }: { readonly address: string; readonly mailboxes: readonly number[] },
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.snapshot WHERE strpos(lower(message::text), $2) > 0
        OR notification IN (SELECT key FROM postroom.notification WHERE ${NOTIFIED})`,
    [mailboxes, address],
  );
}

/** What notifications with resource data said of their messages, between the door and the job. */
import type { Database, Queryable, Transaction } from "../store/database.ts";
import type { GraphMessage } from "./message.ts";
import type { NotificationRow } from "./notification.ts";

/** Committed like any notification; its job waits until the content is opened, or for `seconds`. */
export async function insertSealed(
  on: Queryable,
  rows: readonly NotificationRow[],
  seconds: number,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.notification (key, subscription, change, message_id, received_at, sealed_until)
     SELECT key, subscription, change, message_id, postroom.now(), postroom.now() + make_interval(secs => $5)
       FROM unnest($1::uuid[], $2::int[], $3::smallint[], $4::text[]) AS t(key, subscription, change, message_id)
      ORDER BY key
     ON CONFLICT (key) DO NOTHING`,
    [
      rows.map((row) => row.key),
      rows.map((row) => row.subscription),
      rows.map((row) => row.change),
      rows.map((row) => row.messageId),
      seconds,
    ],
  );
}

/** Lets the jobs of these notifications begin; those without a snapshot will read their message. */
export async function unseal(
  database: Database,
  keys: readonly string[],
  snapshots: ReadonlyMap<string, GraphMessage>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO postroom.snapshot (notification, message, created_at)
       SELECT t.key, t.message, postroom.now()
         FROM unnest($1::uuid[], $2::jsonb[]) AS t(key, message)
         JOIN postroom.notification n ON n.key = t.key AND n.job_at IS NULL
       ON CONFLICT (notification) DO NOTHING`,
      [
        [...snapshots.keys()],
        [...snapshots.values()].map((message) => JSON.stringify(message).replaceAll("\\u0000", "")),
      ],
    );
    await tx.query("UPDATE postroom.notification SET sealed_until = NULL WHERE key = ANY($1)", [
      keys,
    ]);
  });
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

export async function removeSnapshots(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.snapshot WHERE notification = ANY($1::uuid[])", [keys]);
}

/** Left by jobs that ended another way. */
export async function removeSnapshotsBefore(on: Queryable, before: Date): Promise<number> {
  return (await on.query("DELETE FROM postroom.snapshot WHERE created_at < $1", [before])).rowCount;
}

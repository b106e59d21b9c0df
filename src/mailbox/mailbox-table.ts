import type { Queryable } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

/** What the last audit of a mailbox found, in figures. */
export interface AuditCounts {
  readonly inMailbox: number;
  readonly inLog: number;
  readonly findings: number;
}

export interface Mailbox {
  readonly id: number;
  readonly connection: string;
  readonly address: string;
  readonly graphUserId: string | null;
  readonly ownerId: string;
  readonly observes: boolean;
  readonly ingestFolder: string | null;
  readonly ingestSince: Date;
  /** Folders whose mail is filed. */
  readonly filedFolders: readonly string[];
  readonly status: "active" | "paused" | "unreachable";
  readonly statusReason: string | null;
  readonly delivery: "push" | "delta" | "poll";
  readonly deliveryReason: string;
  readonly lastNotificationAt: Date | null;
  readonly lastEventAt: Date | null;
  readonly lastDeltaAt: Date | null;
  readonly lastAuditAt: Date | null;
  readonly lastAudit: AuditCounts | null;
  readonly foldersDeltaLink: string | null;
  readonly subscriptionMinutesMax: number | null;
  readonly createdAt: Date;
}

const COLUMNS = `id, connection, address, graph_user_id AS "graphUserId", owner_id AS "ownerId", observes,
  ingest_folder AS "ingestFolder", ingest_since AS "ingestSince", status, status_reason AS "statusReason",
  ARRAY(SELECT folder FROM postroom.filing_rule WHERE mailbox = postroom.mailbox.id ORDER BY folder) AS "filedFolders",
  delivery, delivery_reason AS "deliveryReason", (SELECT max(last_notification_at) FROM postroom.subscription
    WHERE mailbox = postroom.mailbox.id) AS "lastNotificationAt",
  last_event_at AS "lastEventAt", last_delta_at AS "lastDeltaAt", last_audit_at AS "lastAuditAt", last_audit AS "lastAudit",
  folders_delta_link AS "foldersDeltaLink", subscription_minutes_max AS "subscriptionMinutesMax", created_at AS "createdAt"`;

export async function findMailboxes(on: Queryable): Promise<Mailbox[]> {
  return (await on.query<Mailbox>(`SELECT ${COLUMNS} FROM postroom.mailbox ORDER BY id`)).rows;
}

export async function findMailboxesById(
  on: Queryable,
  ids: readonly number[],
): Promise<Map<number, Mailbox>> {
  const { rows } = await on.query<Mailbox>(
    `SELECT ${COLUMNS} FROM postroom.mailbox WHERE id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map((mailbox) => [mailbox.id, mailbox]));
}

export async function getMailbox(on: Queryable, id: number): Promise<Mailbox | null> {
  return (await findMailboxesById(on, [id])).get(id) ?? null;
}

export async function getMailboxByAddress(on: Queryable, address: string): Promise<Mailbox | null> {
  const { rows } = await on.query<Mailbox>(
    `SELECT ${COLUMNS} FROM postroom.mailbox WHERE lower(address) = lower($1) ORDER BY id LIMIT 1`,
    [address],
  );
  return rows[0] ?? null;
}

export interface NewMailbox {
  readonly address: string;
  readonly graphUserId: string;
  readonly ownerId: string;
  readonly connection?: string;
  readonly observes?: boolean;
  readonly ingestFolder?: string | null;
}

/** Adds a mailbox, or updates a known one. */
export async function upsertMailbox(on: Queryable, mailbox: NewMailbox): Promise<Mailbox> {
  const { rows } = await on.query<Mailbox>(
    `INSERT INTO postroom.mailbox (connection, address, graph_user_id, owner_id, observes, ingest_folder)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (connection, address) DO UPDATE SET
       graph_user_id = EXCLUDED.graph_user_id, owner_id = EXCLUDED.owner_id,
       observes = EXCLUDED.observes,
       ingest_folder = EXCLUDED.ingest_folder, status = 'active', status_reason = NULL
     RETURNING ${COLUMNS}`,
    [
      mailbox.connection ?? "default",
      mailbox.address.toLowerCase(),
      mailbox.graphUserId,
      mailbox.ownerId,
      mailbox.observes ?? true,
      mailbox.ingestFolder ?? null,
    ],
  );
  return rows[0]!;
}

export async function setMailboxStatus(
  on: Queryable,
  id: number,
  status: Mailbox["status"],
  reason: string | null,
): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET status = $2, status_reason = $3 WHERE id = $1", [
    id,
    status,
    reason,
  ]);
}

/** Not while its owner's consent has ended: a token that was given before then still works for a while. */
export async function setMailboxReachable(on: Queryable, id: number): Promise<void> {
  await on.query(
    `UPDATE postroom.mailbox m SET status = 'active', status_reason = NULL
      WHERE id = $1 AND status = 'unreachable' AND NOT EXISTS (
        SELECT FROM postroom.consent c WHERE c.connection = m.connection AND c.state <> 'connected')`,
    [id],
  );
}

/** The mailbox that is read with this connection, unless somebody paused it. */
export async function setConnectionUnreachable(
  on: Queryable,
  connection: string,
  reason: string,
): Promise<void> {
  await on.query(
    `UPDATE postroom.mailbox SET status = 'unreachable', status_reason = $2
      WHERE connection = $1 AND status <> 'paused'`,
    [connection, reason],
  );
}

export async function setMailboxDelivery(
  on: Queryable,
  id: number,
  delivery: Mailbox["delivery"],
  reason: string,
): Promise<void> {
  await on.query(
    `UPDATE postroom.mailbox SET delivery = $2, delivery_reason = $3
      WHERE id = $1 AND (delivery, delivery_reason) IS DISTINCT FROM ($2, $3)`,
    [id, delivery, reason],
  );
}

export async function setFoldersDeltaLink(on: Queryable, id: number, link: string): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET folders_delta_link = $2 WHERE id = $1", [id, link]);
}

/** Writes only if the stored link is the one that was read. */
export async function moveFoldersDeltaLink(
  on: Queryable,
  id: number,
  from: string,
  to: string,
): Promise<void> {
  await on.query(
    "UPDATE postroom.mailbox SET folders_delta_link = $3 WHERE id = $1 AND folders_delta_link = $2",
    [id, from, to],
  );
}

/** Makes the next round request the whole folder tree again. */
export async function forgetFoldersDeltaLink(on: Queryable, id: number): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET folders_delta_link = NULL WHERE id = $1", [id]);
}

/** The longest subscription that Graph has granted for this mailbox. */
export async function setSubscriptionMinutesMax(
  on: Queryable,
  id: number,
  minutes: number,
): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET subscription_minutes_max = $2 WHERE id = $1", [
    id,
    minutes,
  ]);
}

export async function setLastEventAt(on: Queryable, id: number, at: Date): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET last_event_at = $2 WHERE id = $1", [id, at]);
}

export async function markRead(on: Queryable, id: number): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET last_delta_at = postroom.now() WHERE id = $1", [id]);
}

export async function markAudited(on: Queryable, id: number, found: AuditCounts): Promise<void> {
  await on.query(
    "UPDATE postroom.mailbox SET last_audit_at = postroom.now(), last_audit = $2 WHERE id = $1",
    [id, toJson(found)],
  );
}

/** Events older than this are no longer expected in the log of any mailbox. */
export async function setForgottenBefore(on: Queryable, before: Date): Promise<void> {
  await on.query("UPDATE postroom.mailbox SET forgotten_before = $1", [before]);
}

/** Folders, subscriptions and rules of the mailboxes go with them. Returns how many there were. */
export async function removeMailboxes(on: Queryable, ids: readonly number[]): Promise<number> {
  return (await on.query("DELETE FROM postroom.mailbox WHERE id = ANY($1)", [ids])).rowCount;
}

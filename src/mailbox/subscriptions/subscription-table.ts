/**
 * Subscriptions in the shared table, exactly as its other readers expect them, and in our own table beside
 * it.
 */
import type { Database, Queryable, Transaction } from "../../store/database.ts";
import type { SubscriptionInfo } from "./subscription.ts";

export interface SubscriptionRow {
  readonly id: number;
  readonly mailbox: number;
  readonly subscriptionId: string | null;
  readonly resource: string;
  readonly changeType: string;
  readonly status: "pending" | "active" | "expired" | "removed" | "replaced";
  readonly expiresAt: Date | null;
  readonly notificationUrl: string | null;
  readonly lifecycleUrl: string | null;
  /** The key that its notifications are encrypted for; null if they carry no data. */
  readonly certificateId: string | null;
  readonly lastRenewedAt: Date | null;
  readonly lastNotificationAt: Date | null;
  readonly errorCount: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
}

const COLUMNS = `s.id, s.mailbox, s.subscription_id AS "subscriptionId", s.resource, s.change_type AS "changeType",
  s.status, s.expires_at AS "expiresAt", g.notification_url AS "notificationUrl",
  g.lifecycle_url AS "lifecycleUrl", s.certificate_id AS "certificateId", g.last_renewed_at AS "lastRenewedAt",
  s.last_notification_at AS "lastNotificationAt", s.error_count AS "errorCount", s.last_error AS "lastError",
  s.created_at AS "createdAt"`;
const FROM = `postroom.subscription s
  LEFT JOIN padealing.graph_subscription_state g ON g.subscription_id = s.subscription_id`;

export async function findSubscriptions(
  on: Queryable,
  mailbox: number | null = null,
): Promise<SubscriptionRow[]> {
  const { rows } = await on.query<SubscriptionRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE $1::int IS NULL OR s.mailbox = $1 ORDER BY s.id`,
    [mailbox],
  );
  return rows;
}

/** Ids of the active subscriptions in the shared table, whichever program created them. */
export async function findSharedIds(on: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await on.query<{ id: string }>(
    "SELECT subscription_id AS id FROM padealing.graph_subscription_state WHERE status = 'active'",
  );
  return new Set(rows.map((row) => row.id));
}

/** The active subscription for this mailbox and resource, or null. */
export async function getActiveSubscription(
  on: Queryable,
  mailbox: number,
  resource: string,
): Promise<SubscriptionRow | null> {
  const { rows } = await on.query<SubscriptionRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE s.mailbox = $1 AND s.resource = $2 AND s.status = 'active'`,
    [mailbox, resource],
  );
  return rows[0] ?? null;
}

/** Inserted before Graph is called: from now on, a notification with this secret is accepted. */
export async function insertPending(
  on: Queryable,
  pending: {
    mailbox: number;
    resource: string;
    changeType: string;
    secretHash: Buffer;
    certificateId: string | null;
  },
): Promise<number> {
  const { rows } = await on.query<{ id: number }>(
    `INSERT INTO postroom.subscription (mailbox, resource, change_type, secret_hash, certificate_id)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [
      pending.mailbox,
      pending.resource,
      pending.changeType,
      pending.secretHash,
      pending.certificateId,
    ],
  );
  return rows[0]!.id;
}

export async function activate(
  database: Database,
  id: number,
  granted: SubscriptionInfo,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `WITH replaced AS (
         UPDATE postroom.subscription o SET status = 'replaced', updated_at = postroom.now()
           FROM postroom.subscription n
          WHERE n.id = $1 AND o.mailbox = n.mailbox AND o.resource = n.resource AND o.status = 'active' AND o.id <> n.id
         RETURNING o.subscription_id)
       UPDATE padealing.graph_subscription_state g SET status = 'removed', updated_at = postroom.now()
         FROM replaced r WHERE g.subscription_id = r.subscription_id`,
      [id],
    );
    await tx.query(
      `UPDATE postroom.subscription
          SET subscription_id = $2, status = 'active', expires_at = $3, error_count = 0, last_error = NULL,
              updated_at = postroom.now()
        WHERE id = $1`,
      [id, granted.id, granted.expiresAt],
    );
    await upsertSubscription(tx, granted);
  });
}

/** Inserts or updates the shared row by its subscription id. */
export async function upsertSubscription(
  tx: Transaction,
  granted: SubscriptionInfo,
): Promise<void> {
  await tx.query(
    `INSERT INTO padealing.graph_subscription_state
       (subscription_id, resource, notification_url, lifecycle_url, expiration_datetime, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, postroom.now(), postroom.now())
     ON CONFLICT (subscription_id) DO UPDATE SET
       resource = EXCLUDED.resource, notification_url = EXCLUDED.notification_url,
       lifecycle_url = EXCLUDED.lifecycle_url, expiration_datetime = EXCLUDED.expiration_datetime,
       status = 'active', updated_at = postroom.now()`,
    [
      granted.id,
      granted.resource,
      granted.notificationUrl,
      granted.lifecycleUrl,
      granted.expiresAt,
    ],
  );
}

export async function markRenewed(
  database: Database,
  id: number,
  granted: SubscriptionInfo,
  certificateId: string | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `UPDATE postroom.subscription
          SET expires_at = $2, certificate_id = $3, error_count = 0, last_error = NULL, updated_at = postroom.now()
        WHERE id = $1`,
      [id, granted.expiresAt, certificateId],
    );
    await tx.query(
      `UPDATE padealing.graph_subscription_state
          SET expiration_datetime = $2, last_renewed_at = postroom.now(), updated_at = postroom.now(), status = 'active'
        WHERE subscription_id = $1`,
      [granted.id, granted.expiresAt],
    );
  });
}

export const markExpired = (database: Database, id: number) => markEnded(database, id, "expired");
export const markRemoved = (database: Database, id: number) => markEnded(database, id, "removed");

async function markEnded(
  database: Database,
  id: number,
  status: "expired" | "removed",
): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.query<{ subscriptionId: string | null }>(
      `UPDATE postroom.subscription SET status = $2, updated_at = postroom.now() WHERE id = $1
       RETURNING subscription_id AS "subscriptionId"`,
      [id, status],
    );
    await tx.query(
      `UPDATE padealing.graph_subscription_state SET status = $2, updated_at = postroom.now() WHERE subscription_id = $1`,
      [rows[0]?.subscriptionId ?? null, status],
    );
  });
}

export async function recordSubscriptionError(
  on: Queryable,
  id: number,
  error: string,
): Promise<void> {
  await on.query(
    `UPDATE postroom.subscription SET error_count = error_count + 1, last_error = $2, updated_at = postroom.now()
      WHERE id = $1`,
    [id, error],
  );
}

/** Ends a pending row whose request Graph refused. */
export async function removePending(on: Queryable, id: number): Promise<void> {
  await on.query(
    "UPDATE postroom.subscription SET status = 'removed', updated_at = postroom.now() WHERE id = $1 AND status = 'pending'",
    [id],
  );
}

/** What a notification must match to be genuine. */
export interface SubscriptionSecret {
  /** Our own short id, used in notification rows. */
  readonly id: number;
  readonly subscriptionId: string | null;
  readonly mailbox: number;
  readonly resource: string;
  readonly graphUserId: string | null;
  readonly secretHash: Buffer;
}

/** The secrets of all subscriptions that may notify us, including those that ended within the last hours. */
export async function findSubscriptionSecrets(
  on: Queryable,
  endedWithinHours: number,
): Promise<(SubscriptionSecret & { readonly connection: string })[]> {
  const { rows } = await on.query<SubscriptionSecret & { readonly connection: string }>(
    `SELECT s.id, s.subscription_id AS "subscriptionId", s.mailbox, s.resource, s.secret_hash AS "secretHash",
            m.graph_user_id AS "graphUserId", m.connection
       FROM postroom.subscription s JOIN postroom.mailbox m ON m.id = s.mailbox
      WHERE s.status IN ('pending', 'active', 'replaced')
         OR (s.subscription_id IS NOT NULL AND s.updated_at > postroom.now() - make_interval(hours => $1))`,
    [endedWithinHours],
  );
  return rows;
}

/** Records the time of the latest notification of each subscription. */
export async function setLastNotified(
  tx: Transaction,
  latest: ReadonlyMap<number, Date>,
): Promise<void> {
  await tx.query(
    `UPDATE postroom.subscription s SET last_notification_at = greatest(s.last_notification_at, t.at)
       FROM unnest($1::int[], $2::timestamptz[]) AS t(id, at) WHERE s.id = t.id`,
    [[...latest.keys()], [...latest.values()]],
  );
}

/** Erases shared rows whose resource, a user's path in Graph, has one of these names in it. */
export async function eraseSharedSubscriptions(
  tx: Transaction,
  names: readonly string[],
): Promise<void> {
  await tx.query(
    `DELETE FROM padealing.graph_subscription_state g WHERE EXISTS (
       SELECT FROM unnest($1::text[]) AS name WHERE strpos(lower(g.resource), lower(name)) > 0)`,
    [names],
  );
}

/**
 * Leases of our own claims. A failed message keeps its row, which counts the attempts and says when the
 * next one is due; a finished message has none.
 */
import type { Queryable, Transaction } from "../store/database.ts";
import { type LeaseTable, releaseLease, renewLease, takeLease } from "../store/lease.ts";
import type { ClaimHolder, IngestionTable, ReapedClaim } from "./ingestion-table.ts";

const CLAIM_LEASE: LeaseTable = {
  name: "postroom.ingest_lease",
  clock: "postroom.now()",
  takeover: {
    key: "app, message_id",
    set: `attempts = l.attempts + 1, token = nextval('postroom.ingest_token'),
      next_attempt_at = NULL, claimed_at = postroom.now()`,
    isOnlyAfterEnd: false,
  },
  returning: "token, attempts",
};

const toHolder = (table: IngestionTable, { messageId, workerId }: ClaimHolder) => ({
  app: table.naming.appName,
  message_id: messageId,
  owner: workerId,
});

/** For a claim that the shared table has granted: an existing lease passes to this owner. */
export async function takeClaimLease(
  tx: Transaction,
  table: IngestionTable,
  holder: ClaimHolder,
): Promise<{ token: number; attempts: number }> {
  return (await takeLease<{ token: number; attempts: number }>(
    tx,
    CLAIM_LEASE,
    toHolder(table, holder),
    table.leaseMs,
  ))!;
}

/** Returns false if the claim has passed to somebody else; stop working then. */
export function renewClaimLease(
  on: Queryable,
  table: IngestionTable,
  holder: ClaimHolder,
): Promise<boolean> {
  return renewLease(on, CLAIM_LEASE, toHolder(table, holder), table.leaseMs);
}

export function removeClaimLease(
  on: Queryable,
  table: IngestionTable,
  holder: ClaimHolder,
): Promise<void> {
  return releaseLease(on, CLAIM_LEASE, toHolder(table, holder));
}

/** Ends the lease and sets when the next attempt is due; null if only a person can help. */
export async function postponeClaim(
  on: Queryable,
  table: IngestionTable,
  { messageId, workerId }: ClaimHolder,
  retryAfterMs: number | null,
): Promise<void> {
  await on.query(
    `UPDATE postroom.ingest_lease
        SET until = postroom.now(), next_attempt_at = postroom.now() + $4 * interval '1 ms'
      WHERE app = $1 AND message_id = $2 AND owner = $3`,
    [table.naming.appName, messageId, workerId, retryAfterMs],
  );
}

/**
 * Ends the lease without counting the attempt, so that after a shutdown the next worker need not wait for the lease
 * to expire.
 */
export async function uncountClaim(
  on: Queryable,
  table: IngestionTable,
  { messageId, workerId }: ClaimHolder,
): Promise<void> {
  await on.query(
    `UPDATE postroom.ingest_lease SET until = postroom.now(), attempts = attempts - 1
      WHERE app = $1 AND message_id = $2 AND owner = $3`,
    [table.naming.appName, messageId, workerId],
  );
}

/** How long the next attempt has to wait; null if it is due. */
export async function getWaitMs(
  on: Queryable,
  table: IngestionTable,
  messageId: string,
): Promise<number | null> {
  const { rows } = await on.query<{ wait_ms: number }>(
    `SELECT ceil(extract(epoch FROM next_attempt_at - postroom.now()) * 1000)::int AS wait_ms
       FROM postroom.ingest_lease WHERE app = $1 AND message_id = $2 AND next_attempt_at > postroom.now()`,
    [table.naming.appName, messageId],
  );
  return rows[0]?.wait_ms ?? null;
}

/** Makes the next attempt due now, for leases that these owners still hold. */
export async function makeClaimsDue(
  on: Queryable,
  table: IngestionTable,
  holders: readonly ReapedClaim[],
): Promise<void> {
  await on.query(
    `UPDATE postroom.ingest_lease SET next_attempt_at = postroom.now()
      WHERE app = $1 AND (message_id, owner) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    [
      table.naming.appName,
      holders.map(({ messageId }) => messageId),
      holders.map(({ workerId }) => workerId),
    ],
  );
}

export interface OverdueMail {
  readonly messageId: string;
  readonly mailbox: string;
  readonly attempts: number;
}

const ATTEMPTS_MAX = 12;

/**
 * Failed messages whose next attempt is overdue because their own job was lost. Returns each message once per
 * `overdueMs`, not in every round.
 */
export async function findOverdueMails(
  tx: Transaction,
  table: IngestionTable,
  overdueMs = 60_000,
): Promise<OverdueMail[]> {
  const { rows } = await tx.query<OverdueMail>(
    `UPDATE postroom.ingest_lease l SET next_attempt_at = postroom.now()
       FROM ${table.name} s
      WHERE l.app = $1 AND s.app_name = l.app AND s.message_id = l.message_id AND s.status = 'failed'
        AND l.next_attempt_at < postroom.now() - $2 * interval '1 ms' AND l.attempts < $3
      RETURNING l.message_id AS "messageId", s.mailbox_email AS mailbox, l.attempts`,
    [table.naming.appName, overdueMs, ATTEMPTS_MAX],
  );
  return rows;
}

/** Removes expired leases of messages that another program has finished. */
export async function dropSettledLeases(tx: Transaction, table: IngestionTable): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.ingest_lease l USING ${table.name} s
      WHERE l.app = $1 AND s.app_name = l.app AND s.message_id = l.message_id
        AND s.status IN ('success', 'skipped') AND l.until < postroom.now()`,
    [table.naming.appName],
  );
}

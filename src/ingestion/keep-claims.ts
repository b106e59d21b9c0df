/** What keeps claims honest while nobody looks: the heartbeat of a live one, the reaper of dead ones. */
import type { Clock } from "../lib/clock.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import type { Claim } from "./claim-mail.ts";
import type { IngestionTable } from "./ingestion-table.ts";

/** False when the lease is somebody else's by now: stop working. */
export async function renewLease(
  on: Queryable,
  table: IngestionTable,
  claim: Claim,
): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.ingest_lease SET until = postroom.now() + $4 * interval '1 millisecond'
      WHERE app = $1 AND message_id = $2 AND owner = $3`,
    [table.naming.appName, claim.messageId, claim.workerId, table.leaseMs],
  );
  return rowCount > 0;
}

export interface Heartbeat {
  /** Aborted when the claim is lost. */
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

/**
 * Renews at a third of the lease, so that two beats may fail. A beat that fails is not the end of the
 * claim; the owner check at the end decides, never this.
 */
export function startHeartbeat(
  deps: { database: Queryable; clock: Clock },
  table: IngestionTable,
  claim: Claim,
): Heartbeat {
  const lost = new AbortController();
  const ended = new AbortController();
  const beat = async () => {
    while (!ended.signal.aborted) {
      await deps.clock.sleep(table.leaseMs / 3, ended.signal);
      if (ended.signal.aborted) return;
      const isHeld = await renewLease(deps.database, table, claim).catch(() => true);
      if (!isHeld) return lost.abort();
    }
  };
  const beating = beat();
  return {
    signal: lost.signal,
    stop: async () => {
      ended.abort();
      await beating;
    },
  };
}

export interface ReapedClaim {
  readonly messageId: string;
  readonly mailbox: string;
  readonly workerId: string | null;
}

/**
 * Turns dead claims into failed ones, in the columns that the given failure statement uses, so that every
 * program on the table sees them. Safe to run from several processes at once.
 */
export async function reapDeadClaims(
  tx: Transaction,
  table: IngestionTable,
): Promise<ReapedClaim[]> {
  const { rows } = await tx.query<ReapedClaim>(
    `UPDATE ${table.name}
        SET status = 'failed', error_message = 'lease of ' || coalesce(worker_id, '?') || ' expired',
            updated_at = NOW()
      WHERE app_name = $1 AND status = 'processing'
        AND NOT postroom.claim_is_live(app_name, message_id, worker_id, updated_at)
      RETURNING message_id AS "messageId", mailbox_email AS mailbox, worker_id AS "workerId"`,
    [table.naming.appName],
  );
  await tx.query(
    `UPDATE postroom.ingest_lease SET next_attempt_at = postroom.now()
      WHERE app = $1 AND (message_id, owner) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    [table.naming.appName, rows.map((row) => row.messageId), rows.map((row) => row.workerId)],
  );
  await dropSettledLeases(tx, table);
  return rows;
}

export interface OverdueMail {
  readonly messageId: string;
  readonly mailbox: string;
  readonly attempts: number;
}

const ATTEMPTS_MAX = 12;

/**
 * Failed messages whose next try has been due for a while: their own job should have come by now. Answers
 * each once in a while, not in every round.
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
        AND l.next_attempt_at < postroom.now() - $2 * interval '1 millisecond' AND l.attempts < $3
      RETURNING l.message_id AS "messageId", s.mailbox_email AS mailbox, l.attempts`,
    [table.naming.appName, overdueMs, ATTEMPTS_MAX],
  );
  return rows;
}

/** A message that another program finished leaves the lease of our dead worker behind. */
async function dropSettledLeases(tx: Transaction, table: IngestionTable): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.ingest_lease l USING ${table.name} s
      WHERE l.app = $1 AND s.app_name = l.app AND s.message_id = l.message_id
        AND s.status IN ('success', 'skipped') AND l.until < postroom.now()`,
    [table.naming.appName],
  );
}

/** A program that is not ours renews nothing; this says how long its claims live. Longest prefix wins. */
export async function setForeignLease(
  on: Queryable,
  workerPrefix: string,
  leaseMs: number,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.ingest_foreign_lease (worker_prefix, lease)
     VALUES ($1, $2 * interval '1 millisecond')
     ON CONFLICT (worker_prefix) DO UPDATE SET lease = EXCLUDED.lease`,
    [workerPrefix, leaseMs],
  );
}

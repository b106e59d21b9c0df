/** Keeps claims true to life: live ones have a heartbeat, dead ones are found and marked as failed. */
import type { Clock } from "../lib/clock.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import { type Heartbeat, keepLease } from "../store/keep-lease.ts";
import type { Claim } from "./claim-mail.ts";
import type { IngestionTable } from "./ingestion-table.ts";
import { dropSettledLeases, makeClaimsDue, renewClaimLease } from "./lease-table.ts";

/** Renews the claim while its message is being ingested. */
export function startHeartbeat(
  deps: { database: Queryable; clock: Clock },
  table: IngestionTable,
  claim: Claim,
): Heartbeat {
  const renew = () => renewClaimLease(deps.database, table, claim);
  return keepLease(deps.clock, table.leaseMs, renew);
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
  await makeClaimsDue(tx, table, rows);
  await dropSettledLeases(tx, table);
  return rows;
}

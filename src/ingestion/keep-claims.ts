/** The heartbeat of live claims and the reaper of dead ones. */
import type { Clock } from "../lib/clock.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import { type Heartbeat, keepLease } from "../store/keep-lease.ts";
import type { Claim } from "./claim-mail.ts";
import { failDeadClaims, type IngestionTable, type ReapedClaim } from "./ingestion-table.ts";
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

/** Turns dead claims into failed ones that are due for a retry. Several processes may run this at once. */
export async function reapDeadClaims(
  tx: Transaction,
  table: IngestionTable,
): Promise<ReapedClaim[]> {
  const reaped = await failDeadClaims(tx, table);
  await makeClaimsDue(tx, table, reaped);
  await dropSettledLeases(tx, table);
  return reaped;
}

/**
 * Ends a message. The agreed statements do not check who owns it, so we first read and lock its row. Effects,
 * mark and lease are written in one transaction, the caller's.
 */
import type { Transaction } from "../store/database.ts";
import type { Claim } from "./claim-mail.ts";
import {
  holdIfOurs,
  type IngestionTable,
  markFailed,
  markSkipped,
  markSuccess,
  type SuccessMark,
} from "./ingestion-table.ts";
import { postponeClaim, removeClaimLease } from "./lease-table.ts";

export type Conclusion =
  | ({ readonly status: "success" } & SuccessMark)
  /** `retryAfterMs` is null if only a person can help. */
  | { readonly status: "failed"; readonly reason: string; readonly retryAfterMs: number | null }
  /** The message contains nothing for us. Final: a repeated notification does not start it again. */
  | { readonly status: "skipped"; readonly reason: string };

/**
 * Runs `effects` and marks the message with their conclusion. Returns false, without running `effects`, if the
 * message belongs to somebody else by now.
 */
export async function concludeMail(
  tx: Transaction,
  table: IngestionTable,
  claim: Claim,
  effects: () => Promise<Conclusion>,
): Promise<boolean> {
  if (!(await holdIfOurs(tx, table, claim))) return false;
  const conclusion = await effects();
  switch (conclusion.status) {
    case "success":
      await markSuccess(tx, table, claim.messageId, conclusion);
      await removeClaimLease(tx, table, claim);
      return true;
    case "failed":
      await markFailed(tx, table, claim.messageId, conclusion.reason);
      await postponeClaim(tx, table, claim, conclusion.retryAfterMs);
      return true;
    case "skipped":
      await markSkipped(tx, table, claim.messageId, conclusion.reason);
      await removeClaimLease(tx, table, claim);
      return true;
  }
}

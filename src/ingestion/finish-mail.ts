/**
 * Ending a message. The given statements ask nobody whether the caller still owns it, so they run behind
 * a look at the row that also holds it. Effects, mark and lease are one transaction, the caller's.
 */
import type { Queryable, Transaction } from "../store/database.ts";
import { toStorableText } from "../store/database.ts";
import type { Claim } from "./claim-mail.ts";
import type { IngestionTable } from "./ingestion-table.ts";
import { postponeClaim, removeClaimLease, uncountClaim } from "./lease-table.ts";

export type Conclusion =
  | {
      readonly status: "success";
      readonly attachmentsProcessed: number;
      readonly tradesExtracted: number;
      readonly archivePaths: readonly string[];
    }
  /** `retryAfterMs` is null when only a person can help. */
  | { readonly status: "failed"; readonly reason: string; readonly retryAfterMs: number | null }
  /** The message holds nothing for us. Final: a repeated notification does not try it again. */
  | { readonly status: "skipped"; readonly reason: string };

/**
 * Runs `effects` and marks the message as they say. False, with `effects` not run, when somebody else
 * owns the message by now.
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
      await markSuccess(tx, table, claim, conclusion);
      return true;
    case "failed":
      await markFailed(tx, table, claim, conclusion);
      return true;
    case "skipped":
      await markSkipped(tx, table, claim, conclusion.reason);
      return true;
  }
}

async function markSuccess(
  tx: Transaction,
  table: IngestionTable,
  claim: Claim,
  result: Conclusion & { status: "success" },
): Promise<void> {
  // Before the mark, because the guard refuses every change of a finished row.
  await tx.query(
    `UPDATE ${table.name} SET error_message = NULL WHERE app_name = $1 AND message_id = $2`,
    [table.naming.appName, claim.messageId],
  );
  await tx.query(table.sql.markSuccess, [
    result.attachmentsProcessed,
    result.tradesExtracted,
    JSON.stringify(result.archivePaths),
    claim.messageId,
  ]);
  await removeClaimLease(tx, table, claim);
}

/** The lease row stays: it counts the attempts and says when the next one is due. */
async function markFailed(
  tx: Transaction,
  table: IngestionTable,
  claim: Claim,
  failure: Conclusion & { status: "failed" },
): Promise<void> {
  await tx.query(table.sql.markFailed, [toStorableText(failure.reason), claim.messageId]);
  await postponeClaim(tx, table, claim, failure.retryAfterMs);
}

async function markSkipped(
  tx: Transaction,
  table: IngestionTable,
  claim: Claim,
  reason: string,
): Promise<void> {
  await tx.query(
    `UPDATE ${table.name} SET status = 'skipped', error_message = $3, updated_at = NOW()
      WHERE app_name = $1 AND message_id = $2`,
    [table.naming.appName, claim.messageId, toStorableText(reason)],
  );
  await removeClaimLease(tx, table, claim);
}

/** Holds the row for the rest of the transaction when the claim on it is still this one. */
async function holdIfOurs(tx: Transaction, table: IngestionTable, claim: Claim): Promise<boolean> {
  const { rows } = await tx.query(
    `SELECT 1 FROM ${table.name}
      WHERE app_name = $1 AND message_id = $2 AND worker_id = $3 AND status = 'processing' FOR UPDATE`,
    [table.naming.appName, claim.messageId, claim.workerId],
  );
  return rows.length > 0;
}

/** A look without a lock, before work that is dear: true while nobody has taken the message from us. */
export async function isStillOurs(
  on: Queryable,
  table: IngestionTable,
  claim: Claim,
): Promise<boolean> {
  const { rows } = await on.query(
    `SELECT 1 FROM ${table.name}
      WHERE app_name = $1 AND message_id = $2 AND worker_id = $3 AND status = 'processing'`,
    [table.naming.appName, claim.messageId, claim.workerId],
  );
  return rows.length > 0;
}

/**
 * Lets the message go without a verdict and without counting the attempt, so that after a shutdown the
 * next worker need not wait for the lease.
 */
export async function releaseMail(
  on: Queryable,
  table: IngestionTable,
  claim: Claim,
): Promise<void> {
  await uncountClaim(on, table, claim);
}

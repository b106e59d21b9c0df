/**
 * Claims a message. The agreed claim statement lets a second program take a message that a first one is working on.
 * So it runs inside a transaction that looks first, refuses if the claim is alive, and rolls back if it took over
 * another program's row after all:
 *
 *   lock the message among our own workers → read and lock its row → run the agreed claim → if there was no row to
 *   lock, check that we inserted it → take a lease of our own with a rising token
 */
import { killPoint } from "../lib/kill-points.ts";
import type { Database, Transaction } from "../store/database.ts";
import {
  holdMail,
  type IngestionTable,
  isInsertedByUs,
  type MailToClaim,
  runClaim,
  tryLockMail,
} from "./ingestion-table.ts";
import { getWaitMs, takeClaimLease } from "./lease-table.ts";
import { assertMessageId } from "./message-id.ts";

/** A message that is ours until the lease expires. */
export interface Claim {
  readonly messageId: string;
  readonly workerId: string;
  /** Higher than the token of every earlier owner. */
  readonly token: number;
  /** Counts from 1. */
  readonly attempts: number;
}

export type Refusal =
  /** Some program has finished it. */
  | { readonly kind: "done" }
  /** It was skipped, and the reason has not changed. */
  | { readonly kind: "skipped" }
  /** A live worker or program is working on it. */
  | { readonly kind: "live"; readonly heldBy: string | null }
  /** Another of our workers is claiming it right now. */
  | { readonly kind: "busy" }
  /** It failed, and its next attempt is not due yet. */
  | { readonly kind: "not-due"; readonly retryAfterMs: number };

export type ClaimAnswer =
  | { readonly isOurs: true; readonly claim: Claim }
  | { readonly isOurs: false; readonly refusal: Refusal };

export interface ClaimOptions {
  readonly workerId: string;
  /** A person asked for it: take a skipped message again and ignore the wait after a failure. */
  readonly isForced?: boolean;
}

/** PostgreSQL's code if another transaction held the row for longer than the lock timeout. */
const LOCK_NOT_AVAILABLE = "55P03";

class NotOurs extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

export async function claimMail(
  database: Database,
  table: IngestionTable,
  mail: MailToClaim,
  options: ClaimOptions,
): Promise<ClaimAnswer> {
  assertMessageId(mail.messageId);
  try {
    const claim = await database.transaction((tx) => claimInside(tx, table, mail, options));
    return { isOurs: true, claim };
  } catch (error) {
    if (error instanceof NotOurs) return { isOurs: false, refusal: error.refusal };
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) {
      return { isOurs: false, refusal: { kind: "busy" } };
    }
    throw error;
  }
}

async function claimInside(
  tx: Transaction,
  table: IngestionTable,
  mail: MailToClaim,
  options: ClaimOptions,
): Promise<Claim> {
  await tx.query("SET LOCAL lock_timeout = '3s'");
  await killPoint("ingest.claim-open");
  const { messageId } = mail;
  const { workerId, isForced = false } = options;
  if (!(await tryLockMail(tx, table, messageId))) throw new NotOurs({ kind: "busy" });
  const hadRow = await refuseWhatIsNotFree(tx, table, messageId, isForced);
  if (!isForced) await refuseWhatIsNotDue(tx, table, messageId);
  if (!(await runClaim(tx, table, mail, workerId))) throw new NotOurs({ kind: "done" });
  if (!hadRow) await refuseTakeover(tx, table, messageId, workerId);
  const lease = await takeClaimLease(tx, table, { messageId, workerId });
  return { messageId, workerId, ...lease };
}

/** Returns whether there was a row; it stays locked until our commit. */
async function refuseWhatIsNotFree(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  isForced: boolean,
): Promise<boolean> {
  const row = await holdMail(tx, table, messageId);
  if (row === null) return false;
  if (row.status === "success") throw new NotOurs({ kind: "done" });
  if (row.status === "skipped" && !isForced) throw new NotOurs({ kind: "skipped" });
  if (row.status === "processing" && row.isLive) {
    throw new NotOurs({ kind: "live", heldBy: row.workerId });
  }
  return true;
}

async function refuseWhatIsNotDue(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
): Promise<void> {
  const retryAfterMs = await getWaitMs(tx, table, messageId);
  if (retryAfterMs !== null) throw new NotOurs({ kind: "not-due", retryAfterMs });
}

/**
 * There was no row to lock, so another program may have inserted one between our look and our claim, and our
 * claim then took it over. Throwing rolls this back.
 */
async function refuseTakeover(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  workerId: string,
): Promise<void> {
  if (await isInsertedByUs(tx, table, { messageId, workerId })) return;
  throw new NotOurs({ kind: "live", heldBy: null });
}

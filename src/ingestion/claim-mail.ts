/**
 * Taking a message. The given claim lets a second program take what a first one is working on, so it
 * runs inside a transaction that looks first, refuses a live claim, and undoes itself when it finds
 * that it took something after all:
 *
 *   lock the message among ourselves → look at its row and hold it → the given claim → when there was no
 *   row to hold, make sure that we inserted it → a lease of our own with a rising token
 */
import { killPoint } from "../lib/kill-points.ts";
import type { Database, Transaction } from "../store/database.ts";
import { toStorableText } from "../store/database.ts";
import {
  assertMessageId,
  type IngestionTable,
  type MailStatus,
  storable255,
} from "./ingestion-table.ts";
import { getWaitMs, takeClaimLease } from "./lease-table.ts";

export interface MailToClaim {
  readonly messageId: string;
  readonly mailbox: string;
  readonly sender: string | null;
  readonly receivedAt: Date | null;
  readonly subject: string | null;
}

/** A message that is ours until the lease runs out. */
export interface Claim {
  readonly messageId: string;
  readonly workerId: string;
  /** Higher than that of every earlier owner. */
  readonly token: number;
  /** Counts from 1. */
  readonly attempts: number;
}

export type Refusal =
  /** Finished by somebody. */
  | { readonly kind: "done" }
  /** Ended without work, for a reason that has not changed. */
  | { readonly kind: "skipped" }
  /** Somebody alive works on it. */
  | { readonly kind: "live"; readonly heldBy: string | null }
  /** One of our own workers is claiming it at this instant. */
  | { readonly kind: "busy" }
  /** It failed and its next try is not due. */
  | { readonly kind: "not-due"; readonly retryAfterMs: number };

export type ClaimAnswer =
  | { readonly isOurs: true; readonly claim: Claim }
  | { readonly isOurs: false; readonly refusal: Refusal };

export interface ClaimOptions {
  readonly workerId: string;
  /** A person asked: a skipped message is taken again and the wait after a failure is ignored. */
  readonly isForced?: boolean;
}

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
    // The row is held for longer than anybody sane holds it.
    if ((error as { code?: string }).code === "55P03") {
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
  await lockAmongOurselves(tx, table, mail.messageId);
  const hadRow = await refuseWhatIsNotFree(tx, table, mail.messageId, options.isForced ?? false);
  await refuseWhatIsNotDue(tx, table, mail.messageId, options.isForced ?? false);
  const claimed = await tx.query(table.sql.claim, [
    mail.messageId,
    storable255(mail.mailbox),
    storable255(mail.sender),
    mail.receivedAt,
    mail.subject === null ? null : toStorableText(mail.subject),
    options.workerId,
  ]);
  if (claimed.rows.length === 0) throw new NotOurs({ kind: "done" });
  if (!hadRow) await undoATheft(tx, table, mail.messageId, options.workerId);
  const holder = { messageId: mail.messageId, workerId: options.workerId };
  return { ...holder, ...(await takeClaimLease(tx, table, holder)) };
}

/** A cheap first sieve. It ends with the transaction, so a pooler between us and the database is no danger. */
async function lockAmongOurselves(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
): Promise<void> {
  const { rows } = await tx.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0)) AS locked",
    [table.naming.appName, messageId],
  );
  if (!rows[0]!.locked) throw new NotOurs({ kind: "busy" });
}

/** Holds the row until our commit, so that what we see stays true. Answers whether there was one. */
async function refuseWhatIsNotFree(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  isForced: boolean,
): Promise<boolean> {
  const { rows } = await tx.query<{ status: MailStatus; worker_id: string | null; live: boolean }>(
    `SELECT s.status, s.worker_id,
            postroom.claim_is_live(s.app_name, s.message_id, s.worker_id, s.updated_at) AS live
       FROM ${table.name} s
      WHERE app_name = $1 AND message_id = $2 FOR UPDATE`,
    [table.naming.appName, messageId],
  );
  const row = rows[0];
  if (row === undefined) return false;
  if (row.status === "success") throw new NotOurs({ kind: "done" });
  if (row.status === "skipped" && !isForced) throw new NotOurs({ kind: "skipped" });
  if (row.status === "processing" && row.live) {
    throw new NotOurs({ kind: "live", heldBy: row.worker_id });
  }
  return true;
}

async function refuseWhatIsNotDue(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  isForced: boolean,
): Promise<void> {
  if (isForced) return;
  const retryAfterMs = await getWaitMs(tx, table, messageId);
  if (retryAfterMs !== null) throw new NotOurs({ kind: "not-due", retryAfterMs });
}

/**
 * There was no row to hold, so another program may have inserted one between our look and our claim, and
 * the claim has then taken it over. Leaving the transaction gives it back.
 */
async function undoATheft(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  workerId: string,
): Promise<void> {
  const { rows } = await tx.query<{ inserted: boolean }>(
    `SELECT created_at = updated_at AND updated_at = NOW() AND worker_id = $3 AS inserted
       FROM ${table.name} WHERE app_name = $1 AND message_id = $2`,
    [table.naming.appName, messageId, workerId],
  );
  if (!rows[0]!.inserted) throw new NotOurs({ kind: "live", heldBy: null });
}

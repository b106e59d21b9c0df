/**
 * The shared table. Claims and marks run the statements that every program on it agreed on; everything else
 * here reads and locks rows around them.
 */
import { type Queryable, type Transaction, toStorableText } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import {
  CHECK_SUCCESS,
  CLAIM,
  CREATE_TABLE,
  DEFAULT_NAMING,
  inNames,
  MARK_FAILED,
  MARK_SUCCESS,
  type Naming,
  toNumbered,
} from "./shared-table.ts";

/**
 * The shared table with the names that this installation uses, and with the agreed statements ready to run.
 */
export interface IngestionTable {
  readonly naming: Naming;
  /** Schema and name. */
  readonly name: string;
  readonly sql: {
    readonly checkSuccess: string;
    readonly claim: string;
    readonly markSuccess: string;
    readonly markFailed: string;
  };
  /** How long one of our claims lives without a heartbeat. */
  readonly leaseMs: number;
}

export type MailStatus = "processing" | "success" | "failed" | "skipped";

export interface MailToClaim {
  readonly messageId: string;
  readonly mailbox: string;
  readonly sender: string | null;
  readonly receivedAt: Date | null;
  readonly subject: string | null;
}

/** Who holds the claim on a message: each attempt has a worker id of its own. */
export interface ClaimHolder {
  readonly messageId: string;
  readonly workerId: string;
}

export function ingestionTable(
  options: { naming?: Partial<Naming>; leaseMs?: number } = {},
): IngestionTable {
  const naming = { ...DEFAULT_NAMING, ...options.naming };
  const ready = (statement: string) => toNumbered(inNames(statement, naming));
  return {
    naming,
    name: `${naming.schema}.email_ingestion_state`,
    sql: {
      checkSuccess: ready(CHECK_SUCCESS),
      claim: ready(CLAIM),
      markSuccess: ready(MARK_SUCCESS),
      markFailed: ready(MARK_FAILED),
    },
    leaseMs: options.leaseMs ?? 60_000,
  };
}

/**
 * Creates the table if this installation keeps it outside the migrations' schema. Leaves an existing table
 * unchanged.
 */
export async function ensureIngestionTable(on: Queryable, table: IngestionTable): Promise<void> {
  await on.query(`CREATE SCHEMA IF NOT EXISTS ${table.naming.schema}`);
  const create = inNames(CREATE_TABLE, table.naming);
  await on.query(create.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
}

/** Stage 1: whether any program has finished this message. */
export async function isDone(
  on: Queryable,
  table: IngestionTable,
  messageId: string,
): Promise<boolean> {
  const { rows } = await on.query(table.sql.checkSuccess, [messageId]);
  return rows.length > 0;
}

/**
 * Tries to lock a message against our own workers. The lock ends with the transaction, so it works through a
 * connection pooler.
 */
export async function tryLockMail(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0)) AS locked",
    [table.naming.appName, messageId],
  );
  return rows[0]!.locked;
}

export interface HeldMail {
  readonly status: MailStatus;
  readonly workerId: string | null;
  readonly isLive: boolean;
}

/** Locks the row until our commit, so that what we read stays true. Returns null if there is no row. */
export async function holdMail(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
): Promise<HeldMail | null> {
  const { rows } = await tx.query<HeldMail>(
    `SELECT s.status, s.worker_id AS "workerId",
            postroom.claim_is_live(s.app_name, s.message_id, s.worker_id, s.updated_at) AS "isLive"
       FROM ${table.name} s
      WHERE app_name = $1 AND message_id = $2 FOR UPDATE`,
    [table.naming.appName, messageId],
  );
  return rows[0] ?? null;
}

/** Runs the agreed claim. Returns false if the message is finished. */
export async function runClaim(
  tx: Transaction,
  table: IngestionTable,
  mail: MailToClaim,
  workerId: string,
): Promise<boolean> {
  const { rows } = await tx.query(table.sql.claim, [
    mail.messageId,
    storable255(mail.mailbox),
    storable255(mail.sender),
    mail.receivedAt,
    mail.subject === null ? null : toStorableText(mail.subject),
    workerId,
  ]);
  return rows.length > 0;
}

/** Whether this transaction inserted the row, rather than taking over another program's. */
export async function isInsertedByUs(
  tx: Transaction,
  table: IngestionTable,
  { messageId, workerId }: ClaimHolder,
): Promise<boolean> {
  const { rows } = await tx.query<{ inserted: boolean }>(
    `SELECT created_at = updated_at AND updated_at = NOW() AND worker_id = $3 AS inserted
       FROM ${table.name} WHERE app_name = $1 AND message_id = $2`,
    [table.naming.appName, messageId, workerId],
  );
  return rows[0]!.inserted;
}

/** Locks the row for the rest of the transaction if the claim is still ours. */
export async function holdIfOurs(
  tx: Transaction,
  table: IngestionTable,
  holder: ClaimHolder,
): Promise<boolean> {
  const { rows } = await tx.query(
    `SELECT 1 FROM ${table.name}
      WHERE app_name = $1 AND message_id = $2 AND worker_id = $3 AND status = 'processing' FOR UPDATE`,
    [table.naming.appName, holder.messageId, holder.workerId],
  );
  return rows.length > 0;
}

/** Checks without a lock, before expensive work, that nobody has taken the message from us. */
export async function isStillOurs(
  on: Queryable,
  table: IngestionTable,
  holder: ClaimHolder,
): Promise<boolean> {
  const { rows } = await on.query(
    `SELECT 1 FROM ${table.name}
      WHERE app_name = $1 AND message_id = $2 AND worker_id = $3 AND status = 'processing'`,
    [table.naming.appName, holder.messageId, holder.workerId],
  );
  return rows.length > 0;
}

export interface SuccessMark {
  readonly attachmentsProcessed: number;
  readonly tradesExtracted: number;
  readonly archivePaths: readonly string[];
}

export async function markSuccess(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  mark: SuccessMark,
): Promise<void> {
  // Before the mark, because the guard refuses every change of a finished row.
  await tx.query(
    `UPDATE ${table.name} SET error_message = NULL WHERE app_name = $1 AND message_id = $2`,
    [table.naming.appName, messageId],
  );
  await tx.query(table.sql.markSuccess, [
    mark.attachmentsProcessed,
    mark.tradesExtracted,
    toJson(mark.archivePaths),
    messageId,
  ]);
}

export async function markFailed(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  reason: string,
): Promise<void> {
  await tx.query(table.sql.markFailed, [toStorableText(reason), messageId]);
}

export async function markSkipped(
  tx: Transaction,
  table: IngestionTable,
  messageId: string,
  reason: string,
): Promise<void> {
  await tx.query(
    `UPDATE ${table.name} SET status = 'skipped', error_message = $3, updated_at = NOW()
      WHERE app_name = $1 AND message_id = $2`,
    [table.naming.appName, messageId, toStorableText(reason)],
  );
}

export interface ReapedClaim {
  readonly messageId: string;
  readonly mailbox: string;
  readonly workerId: string | null;
}

/** Marks dead claims as failed in the columns that the agreed failure statement uses, so every program sees them. */
export async function failDeadClaims(
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
  return rows;
}

/** Replaces the archive path of a finished message whose document got another path than promised. */
export async function replaceArchivePath(
  tx: Transaction,
  table: IngestionTable,
  change: { readonly messageId: string; readonly from: string; readonly to: string },
): Promise<void> {
  const column = table.naming.archivePathsColumn;
  await withoutGuard(tx, () =>
    tx.query(
      `UPDATE ${table.name}
          SET ${column} = (SELECT jsonb_agg(CASE WHEN path = $3 THEN $4 ELSE path END ORDER BY n)
                             FROM jsonb_array_elements_text(${column}::jsonb) WITH ORDINALITY AS p (path, n)),
              updated_at = NOW()
        WHERE app_name = $1 AND message_id = $2 AND ${column}::jsonb ? $3`,
      [table.naming.appName, change.messageId, change.from, change.to],
    ),
  );
}

/** A row of the same table in another database. */
export interface ForeignRow {
  readonly messageId: string;
  readonly mailbox: string;
  readonly sender: string | null;
  readonly receivedAt: Date | null;
  readonly subject: string | null;
  readonly status: Exclude<MailStatus, "processing">;
  readonly error: string | null;
  readonly attachments: number;
  readonly trades: number;
  readonly paths: readonly string[] | null;
  readonly workerId: string | null;
}

/**
 * Adds rows, and finishes ours that failed if theirs succeeded; every other row of ours stays. Returns what it
 * wrote.
 */
export async function insertForeignRows(
  tx: Transaction,
  table: IngestionTable,
  rows: readonly ForeignRow[],
): Promise<{ messageId: string; isNew: boolean }[]> {
  const { appName, attachmentsColumn, archivePathsColumn } = table.naming;
  const { rows: written } = await tx.query<{ messageId: string; isNew: boolean }>(
    `INSERT INTO ${table.name} AS s (app_name, message_id, mailbox_email, sender_email, received_at, subject, status,
       error_message, ${attachmentsColumn}, trades_extracted, ${archivePathsColumn}, worker_id)
     SELECT DISTINCT ON ("messageId") $1, "messageId", mailbox, sender, "receivedAt", subject, status, error,
            attachments, trades, paths, "workerId"
       FROM jsonb_to_recordset($2::jsonb) AS t("messageId" text, mailbox text, sender text,
              "receivedAt" timestamptz, subject text, status text, error text, attachments integer,
              trades integer, paths jsonb, "workerId" text)
      ORDER BY "messageId", status = 'success' DESC
     ON CONFLICT (app_name, message_id) DO UPDATE SET status = 'success', error_message = NULL,
       ${attachmentsColumn} = EXCLUDED.${attachmentsColumn}, trades_extracted = EXCLUDED.trades_extracted,
       ${archivePathsColumn} = EXCLUDED.${archivePathsColumn}, worker_id = EXCLUDED.worker_id, updated_at = NOW()
     WHERE s.status = 'failed' AND EXCLUDED.status = 'success'
     RETURNING message_id AS "messageId", xmax = 0 AS "isNew"`,
    [appName, toJson(rows)],
  );
  return written;
}

/** Messages that a person sent, or that are in their mailbox. */
export async function findMailOf(
  on: Queryable,
  table: IngestionTable,
  address: string,
): Promise<string[]> {
  const { rows } = await on.query<{ messageId: string }>(
    `SELECT DISTINCT message_id AS "messageId" FROM ${table.name}
      WHERE $1 IN (lower(sender_email), lower(mailbox_email))`,
    [address],
  );
  return rows.map(({ messageId }) => messageId);
}

/**
 * Blanks what names a person. The row keeps the message's ID, so that the message is not ingested again from the mailbox
 * that it is in. Paths in the archive name the sender and the file; they stay with a document that stays. Returns how
 * many rows were blanked.
 */
export async function redactMail(
  tx: Transaction,
  table: IngestionTable,
  { address, heldMessages }: { readonly address: string; readonly heldMessages: readonly string[] },
): Promise<number> {
  const isTheirs = "$1 IN (lower(sender_email), lower(mailbox_email)) AND message_id <> ALL($2)";
  return withoutGuard(tx, async () => {
    await tx.query(
      `UPDATE ${table.name} s SET ${table.naming.archivePathsColumn} = DEFAULT WHERE ${isTheirs}
          AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.message_id = s.message_id)`,
      [address, heldMessages],
    );
    const { rowCount } = await tx.query(
      `UPDATE ${table.name} SET sender_email = NULL, subject = NULL, error_message = NULL,
              mailbox_email = CASE WHEN lower(mailbox_email) = $1 THEN 'erased' ELSE mailbox_email END
        WHERE ${isTheirs}`,
      [address, heldMessages],
    );
    return rowCount;
  });
}

/** The guard protects finished rows, so it is switched off for these statements. */
async function withoutGuard<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query("SELECT set_config('postroom.ingest_override', 'on', true)");
  const result = await work();
  await tx.query("SELECT set_config('postroom.ingest_override', 'off', true)");
  return result;
}

/** Fits a text into a column of 255 characters. */
function storable255(text: string | null): string | null {
  return text === null ? null : toStorableText(text, 255);
}

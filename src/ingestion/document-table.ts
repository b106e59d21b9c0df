import { uuidFor } from "../lib/hash.ts";
import { type Queryable, type Transaction, toStorableText } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { IngestionTable } from "./ingestion-table.ts";
import type { SenderEvidence } from "./sender-evidence.ts";
import { OWN_PREFIX } from "./worker-id.ts";

export type DocumentSource = "graph_webhook" | "manual_upload" | "poller";

/**
 * `unreadable` waits for a person; `rejected` means that a person marked it as not a contract note; `elsewhere`, that
 * another program finished its message.
 */
export type DocumentStatus = "received" | "parsed" | "unreadable" | "rejected" | "elsewhere";

/** A file that may contain trades, as it arrived. */
export interface NewDocument {
  readonly emailKey: string;
  readonly sha256: string;
  readonly source: DocumentSource;
  readonly mailbox: string | null;
  readonly messageId: string | null;
  readonly senderEmail: string;
  /** Null if nothing vouches for the sender. */
  readonly senderEvidence: SenderEvidence | null;
  readonly receivedAt: Date;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly foundIn: string;
}

export interface TradeDocument extends NewDocument {
  readonly id: string;
  readonly status: DocumentStatus;
  readonly documentType: string | null;
  readonly reason: string | null;
  /** How often a process started to read it. */
  readonly reads: number;
  readonly textSha256: string | null;
  readonly archivePath: string | null;
  readonly createdAt: Date;
  readonly processedAt: Date | null;
}

export const DOCUMENT_COLUMNS = `d.id, d.email_key AS "emailKey", d.sha256, d.source, d.mailbox,
  d.message_id AS "messageId", d.sender_email AS "senderEmail",
  d.sender_evidence AS "senderEvidence", d.received_at AS "receivedAt", d.filename,
  d.size_bytes AS "sizeBytes", d.found_in AS "foundIn", d.status, d.document_type AS "documentType",
  d.reason, d.reads, d.text_sha256 AS "textSha256", d.archive_path AS "archivePath",
  d.created_at AS "createdAt", d.processed_at AS "processedAt"`;

/** Records a file that is in the spool, before it is opened. Returns a known document unchanged. */
export async function recordDocument(on: Queryable, document: NewDocument): Promise<TradeDocument> {
  await on.query(
    `INSERT INTO postroom.trade_document (id, email_key, sha256, source, mailbox, message_id, sender_email,
            received_at, filename, size_bytes, found_in, sender_evidence)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (email_key, sha256) DO UPDATE SET spool_removed_at = NULL
           WHERE trade_document.spool_removed_at IS NOT NULL`,
    [
      uuidFor("trade-document", `${document.emailKey}|${document.sha256}`),
      document.emailKey,
      document.sha256,
      document.source,
      document.mailbox,
      document.messageId,
      toStorableText(document.senderEmail, 320),
      document.receivedAt,
      toStorableText(document.filename, 500),
      document.sizeBytes,
      document.foundIn,
      document.senderEvidence === null ? null : toJson(document.senderEvidence),
    ],
  );
  const { rows } = await on.query<TradeDocument>(
    `SELECT ${DOCUMENT_COLUMNS} FROM postroom.trade_document d WHERE email_key = $1 AND sha256 = $2`,
    [document.emailKey, document.sha256],
  );
  return rows[0]!;
}

export async function getDocument(on: Queryable, id: string): Promise<TradeDocument | null> {
  const { rows } = await on.query<TradeDocument>(
    `SELECT ${DOCUMENT_COLUMNS} FROM postroom.trade_document d WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

export async function findDocumentsOfMail(
  on: Queryable,
  messageId: string,
): Promise<TradeDocument[]> {
  const { rows } = await on.query<TradeDocument>(
    `SELECT ${DOCUMENT_COLUMNS} FROM postroom.trade_document d WHERE message_id = $1 ORDER BY created_at, id`,
    [messageId],
  );
  return rows;
}

/** Counts a read before it starts, so that the count reveals a file that kills its reader. */
export async function countRead(on: Queryable, id: string): Promise<number> {
  const { rows } = await on.query<{ reads: number }>(
    "UPDATE postroom.trade_document SET reads = reads + 1 WHERE id = $1 RETURNING reads",
    [id],
  );
  return rows[0]!.reads;
}

/** Takes back a read that failed for a reason other than the file. */
export async function uncountRead(on: Queryable, id: string): Promise<void> {
  await on.query("UPDATE postroom.trade_document SET reads = reads - 1 WHERE id = $1", [id]);
}

export interface DocumentEnd {
  readonly status: DocumentStatus;
  readonly documentType?: string | null;
  readonly reason?: string | null;
  readonly textSha256?: string | null;
  readonly archivePath?: string | null;
}

export async function endDocument(on: Queryable, id: string, end: DocumentEnd): Promise<void> {
  await on.query(
    `UPDATE postroom.trade_document
        SET status = $2, document_type = coalesce($3, document_type), reason = $4,
            text_sha256 = coalesce($5, text_sha256), archive_path = coalesce($6, archive_path),
            processed_at = postroom.now()
      WHERE id = $1`,
    [
      id,
      end.status,
      end.documentType ?? null,
      end.reason === undefined || end.reason === null ? null : toStorableText(end.reason),
      end.textSha256 ?? null,
      end.archivePath ?? null,
    ],
  );
}

/** Ends documents whose message another program has finished, under any of its ids. Returns how many. */
export async function endDocumentsElsewhere(
  on: Queryable,
  table: IngestionTable,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `WITH done AS (
       SELECT d.id, min(s.worker_id) AS worker FROM postroom.trade_document d
        CROSS JOIN LATERAL (SELECT d.message_id AS id UNION ALL
              SELECT a.value FROM postroom.mail_alias a
               WHERE a.mailbox = lower(d.mailbox) AND a.message_id = d.message_id AND a.kind = 'default') known
         JOIN ${table.name} s ON s.app_name = $1 AND s.message_id = known.id AND s.status = 'success'
          AND NOT starts_with(coalesce(s.worker_id, ''), $2)
        WHERE d.status = 'received'
        GROUP BY d.id LIMIT $3)
     UPDATE postroom.trade_document d
        SET status = 'elsewhere', reason = coalesce(done.worker, 'another program') || ' finished its message',
            processed_at = postroom.now()
       FROM done WHERE d.id = done.id`,
    [table.naming.appName, OWN_PREFIX, limit],
  );
  return rowCount;
}

export async function setArchivePath(on: Queryable, id: string, path: string): Promise<void> {
  await on.query("UPDATE postroom.trade_document SET archive_path = $2 WHERE id = $1", [id, path]);
}

/** Nothing reads the bytes of this document again: we archived them, or another program answers for them. */
const IS_DISPENSABLE =
  "d.status = 'elsewhere' OR (d.status = 'parsed' AND d.archive_path IS NOT NULL)";

/**
 * Hashes of documents that were archived before the given time and whose bytes are no longer needed: no
 * unfinished mail has the same file, and none waits for the archive.
 */
export async function findSpoolLeftOvers(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.query<{ sha256: string }>(
    `SELECT DISTINCT d.sha256 FROM postroom.trade_document d
      WHERE d.spool_removed_at IS NULL AND d.status IN ('parsed', 'elsewhere') AND d.processed_at < $1
        AND NOT EXISTS (SELECT FROM postroom.trade_document o WHERE o.sha256 = d.sha256
              AND (o.processed_at >= $1 OR NOT (${IS_DISPENSABLE.replaceAll("d.", "o.")})))
        AND NOT EXISTS (SELECT FROM postroom.archive_pending p WHERE p.sha256 = d.sha256)
      LIMIT $2`,
    [before, limit],
  );
  return rows.map((row) => row.sha256);
}

/** Those of the given files that are archived for every document, so that no stage needs them any more. */
export async function findArchivedFiles(
  on: Queryable,
  sha256s: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ sha256: string }>(
    `SELECT d.sha256 FROM postroom.trade_document d WHERE d.sha256 = ANY($1)
        AND NOT EXISTS (SELECT FROM postroom.archive_pending p WHERE p.sha256 = d.sha256)
      GROUP BY d.sha256 HAVING bool_and(${IS_DISPENSABLE})`,
    [sha256s],
  );
  return rows.map((row) => row.sha256);
}

/** Returns the files that no document with a spooled copy, no unfinished message and no pending archive entry refers to. */
export async function findUnknownFiles(
  on: Queryable,
  sha256s: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ sha256: string }>(
    `WITH unrecorded AS MATERIALIZED (
       SELECT f.sha256 FROM unnest($1::text[]) AS f (sha256)
        WHERE NOT EXISTS (SELECT FROM postroom.trade_document d
                WHERE d.sha256 = f.sha256 AND d.spool_removed_at IS NULL)
          AND NOT EXISTS (SELECT FROM postroom.archive_pending p WHERE p.sha256 = f.sha256))
     SELECT u.sha256 FROM unrecorded u
      WHERE NOT EXISTS (SELECT FROM postroom.ingest_stage s, jsonb_array_elements(s.result -> 'files') file
              WHERE s.stage = 'fetch' AND file ->> 'sha256' = u.sha256)`,
    [sha256s],
  );
  return rows.map((row) => row.sha256);
}

export async function recordSpoolRemoved(on: Queryable, sha256: string): Promise<void> {
  await on.query(
    `UPDATE postroom.trade_document SET spool_removed_at = postroom.now()
      WHERE sha256 = $1 AND spool_removed_at IS NULL`,
    [sha256],
  );
}

/** Returns how many were erased. */
export async function eraseDocuments(tx: Transaction, ids: readonly string[]): Promise<number> {
  const sql = "DELETE FROM postroom.trade_document WHERE id = ANY($1::uuid[])";
  return (await tx.query(sql, [ids])).rowCount;
}

/** What of the given things no document names, so that nothing is left that would need it. */
export async function findUndocumented(
  on: Queryable,
  things: "sha256" | "archive_path" | "message_id",
  values: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ value: string }>(
    `SELECT DISTINCT v.value FROM unnest($1::text[]) AS v (value)
      WHERE NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.${things} = v.value)`,
    [values],
  );
  return rows.map(({ value }) => value);
}

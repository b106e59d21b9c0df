/** The only SQL for documents in the index. */
import type { Queryable, Transaction } from "../store/database.ts";
import type { DocumentFacts, IndexedDocument } from "./indexed-document.ts";

const COLUMNS = `document_id AS "documentId", tenant_id AS "tenantId", version, sha256, generation, name, kind,
  parent_type AS "parentType", parent_id AS "parentId", parent_name AS "parentName", sender, mailbox,
  dated_at AS "datedAt", web_url AS "webUrl", drive_id AS "driveId", item_id AS "itemId", language,
  chunk_count AS "chunkCount", reason, created_at AS "createdAt", indexed_at AS "indexedAt"`;

/** Until the transaction ends, nobody else writes the index of this document. */
export async function lockDocument(tx: Transaction, documentId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`index:${documentId}`]);
}

export async function getIndexed(
  on: Queryable,
  documentId: string,
): Promise<IndexedDocument | null> {
  const { rows } = await on.query<IndexedDocument>(
    `SELECT ${COLUMNS} FROM postroom.indexed_document WHERE document_id = $1`,
    [documentId],
  );
  return rows[0] ?? null;
}

export async function findIndexed(
  on: Queryable,
  documentIds: readonly string[],
): Promise<IndexedDocument[]> {
  const { rows } = await on.query<IndexedDocument>(
    `SELECT ${COLUMNS} FROM postroom.indexed_document WHERE document_id = ANY($1::uuid[])`,
    [documentIds],
  );
  return rows;
}

/** As many as are asked for at Dataverse in one request. */
const NAMED_MAX = 200;

/** Documents whose name, or whose parent's name, contains the text; those that begin with it come first. */
export async function findNamed(
  on: Queryable,
  tenantId: string,
  text: string,
): Promise<Pick<IndexedDocument, "documentId" | "name" | "parentId" | "parentName">[]> {
  const { rows } = await on.query<IndexedDocument>(
    `SELECT document_id AS "documentId", name, parent_id AS "parentId", parent_name AS "parentName"
       FROM postroom.indexed_document
      WHERE tenant_id = $1 AND (position(lower($2) IN lower(name)) > 0 OR position(lower($2) IN lower(parent_name)) > 0)
      ORDER BY NOT starts_with(lower(name), lower($2)), name, document_id LIMIT ${NAMED_MAX}`,
    [tenantId, text],
  );
  return rows;
}

export type NewIndexed = DocumentFacts &
  Pick<IndexedDocument, "version" | "sha256" | "generation" | "language" | "chunkCount" | "reason">;

export async function upsertIndexed(on: Queryable, document: NewIndexed): Promise<void> {
  await on.query(
    `INSERT INTO postroom.indexed_document
       (document_id, tenant_id, version, sha256, generation, name, kind, parent_type, parent_id, parent_name,
        sender, mailbox, dated_at, web_url, drive_id, item_id, language, chunk_count, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     ON CONFLICT (document_id) DO UPDATE SET
       tenant_id = excluded.tenant_id, version = excluded.version, sha256 = excluded.sha256,
       generation = excluded.generation, name = excluded.name, kind = excluded.kind,
       parent_type = excluded.parent_type, parent_id = excluded.parent_id, parent_name = excluded.parent_name,
       sender = excluded.sender, mailbox = excluded.mailbox, dated_at = excluded.dated_at,
       web_url = excluded.web_url, drive_id = excluded.drive_id, item_id = excluded.item_id,
       language = excluded.language, chunk_count = excluded.chunk_count, reason = excluded.reason,
       copied_generation = NULL,
       indexed_at = postroom.now()`,
    [
      document.documentId,
      document.tenantId,
      document.version,
      document.sha256,
      document.generation,
      document.name,
      document.kind,
      document.parentType,
      document.parentId,
      document.parentName,
      document.sender,
      document.mailbox,
      document.datedAt,
      document.webUrl,
      document.driveId,
      document.itemId,
      document.language,
      document.chunkCount,
      document.reason,
    ],
  );
}

type FileOfDocument = Pick<DocumentFacts, "documentId" | "driveId" | "itemId">;

/** Until the transaction ends, no other document takes this file. */
export async function lockFile(
  tx: Transaction,
  { driveId, itemId }: FileOfDocument,
): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `index-file:${driveId}:${itemId}`,
  ]);
}

/** Whether the index holds this file for another document, and not for this one too. */
export async function isHeldByAnother(
  on: Queryable,
  { documentId, driveId, itemId }: FileOfDocument,
): Promise<boolean> {
  const { rows } = await on.query<{ isHeld: boolean }>(
    `SELECT bool_or(true) AND NOT bool_or(document_id = $1) AS "isHeld" FROM postroom.indexed_document
      WHERE drive_id = $2 AND item_id = $3 AND sha256 <> ''`,
    [documentId, driveId, itemId],
  );
  return rows[0]!.isHeld ?? false;
}

/** Our own mark on the record changes its version and nothing else. */
export async function storeVersion(
  on: Queryable,
  documentId: string,
  version: string,
): Promise<void> {
  await on.query("UPDATE postroom.indexed_document SET version = $2 WHERE document_id = $1", [
    documentId,
    version,
  ]);
}

/** The same, unless the index holds another version than the one that we marked. */
export async function moveVersion(
  on: Queryable,
  documentId: string,
  from: string,
  to: string,
): Promise<void> {
  await on.query(
    "UPDATE postroom.indexed_document SET version = $3 WHERE document_id = $1 AND version = $2",
    [documentId, from, to],
  );
}

/** A document with the generation that a search service outside the database holds; null if it is not in the index. */
export async function getCopied(
  on: Queryable,
  documentId: string,
): Promise<(IndexedDocument & { readonly copiedGeneration: number | null }) | null> {
  const { rows } = await on.query<IndexedDocument & { copiedGeneration: number | null }>(
    `SELECT ${COLUMNS}, copied_generation AS "copiedGeneration"
       FROM postroom.indexed_document WHERE document_id = $1`,
    [documentId],
  );
  return rows[0] ?? null;
}

/** Documents whose chunks no search service outside the database holds, the longest indexed first. */
export async function findUncopied(on: Queryable, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT document_id AS id FROM postroom.indexed_document
      WHERE copied_generation IS DISTINCT FROM generation ORDER BY indexed_at LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** For a search service that holds nothing yet. */
export async function forgetCopies(on: Queryable): Promise<void> {
  await on.query(
    "UPDATE postroom.indexed_document SET copied_generation = NULL WHERE copied_generation IS NOT NULL",
  );
}

/** For documents whose chunks have other vectors now. */
export async function forgetCopiesOf(
  tx: Transaction,
  documentIds: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE postroom.indexed_document SET copied_generation = NULL
      WHERE document_id = ANY($1) AND copied_generation IS NOT NULL`,
    [documentIds],
  );
}

/** Does nothing if the document has changed meanwhile: then the copy is not that of the index. */
export async function storeCopied(
  on: Queryable,
  documentId: string,
  { generation, indexedAt }: Pick<IndexedDocument, "generation" | "indexedAt">,
): Promise<void> {
  await on.query(
    `UPDATE postroom.indexed_document SET copied_generation = $2
      WHERE document_id = $1 AND generation = $2 AND indexed_at = $3`,
    [documentId, generation, indexedAt],
  );
}

export async function countOneLess(on: Queryable, documentId: string): Promise<void> {
  await on.query(
    "UPDATE postroom.indexed_document SET chunk_count = chunk_count - 1 WHERE document_id = $1",
    [documentId],
  );
}

export async function deleteIndexed(on: Queryable, documentId: string): Promise<boolean> {
  const { rowCount } = await on.query(
    "DELETE FROM postroom.indexed_document WHERE document_id = $1",
    [documentId],
  );
  return rowCount === 1;
}

/** Documents that a person sent or has in their mailbox, unless one of the held people has to do with them too. */
export async function findIndexedOf(
  on: Queryable,
  { address, heldPeople }: { readonly address: string; readonly heldPeople: readonly string[] },
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT document_id AS id FROM postroom.indexed_document WHERE $1 IN (lower(sender), lower(mailbox))
        AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS held WHERE held IN (lower(sender), lower(mailbox)))`,
    [address, heldPeople],
  );
  return rows.map(({ id }) => id);
}

/** The search index, analyses, filings and saves of a person, and the files that only these refer to. */
import type { Transaction } from "../../store/database.ts";
import type { ErasedRow, Scope } from "./scope.ts";
import { erased, findOutside, run } from "./statements.ts";

/** Returns the documents that the caller has to remove from the index and its copy. */
export async function findIndexed(tx: Transaction, { address }: Scope): Promise<ErasedRow[]> {
  await tx.query(
    `CREATE TEMP TABLE erased_document ON COMMIT DROP AS
     SELECT document_id FROM postroom.indexed_document WHERE $1 IN (lower(sender), lower(mailbox))
        AND NOT EXISTS (SELECT FROM held_person h WHERE h.address IN (lower(sender), lower(mailbox)))`,
    [address],
  );
  return findOutside(
    tx,
    "index",
    "SELECT 'search' AS place, document_id::text AS item FROM erased_document",
  );
}

export async function eraseDocuments(tx: Transaction, scope: Scope): Promise<ErasedRow[]> {
  const { address, ids } = scope;
  const analyses = await erased(
    tx,
    "analyses",
    `DELETE FROM postroom.analysis WHERE person_id = ANY($1)
        OR document_id IN (SELECT document_id FROM erased_document)`,
    [ids],
  );
  await tx.query(
    `CREATE TEMP TABLE erased_filing ON COMMIT DROP AS
     SELECT id, sha256 FROM postroom.filing f WHERE strpos(lower(f.columns::text), $1) > 0
        AND NOT EXISTS (SELECT FROM held_person h WHERE strpos(lower(f.columns::text), h.address) > 0)`,
    [address],
  );
  const filings = await erased(
    tx,
    "rows about filed mail",
    "DELETE FROM postroom.filing WHERE id IN (SELECT id FROM erased_filing)",
  );
  await run(
    tx,
    "DELETE FROM postroom.office_save WHERE owner_id = ANY($2) OR strpos(lower(facts::text), $1) > 0",
    [address, ids],
  );
  await run(tx, "DELETE FROM postroom.office_call WHERE person = ANY($1)", [ids]);
  await run(tx, "DELETE FROM postroom.model_usage WHERE person_id = ANY($1)", [ids]);
  return [analyses, filings, ...(await findFilesOfFilings(tx))];
}

/** Their bytes are in the spool until the file is on its drive. */
async function findFilesOfFilings(tx: Transaction): Promise<ErasedRow[]> {
  const isUnused = `e.sha256 IS NOT NULL
    AND NOT EXISTS (SELECT FROM postroom.filing f WHERE f.sha256 = e.sha256)
    AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.sha256 = e.sha256)`;
  const files = await findOutside(
    tx,
    "file",
    `SELECT DISTINCT 'spool' AS place, e.sha256 AS item FROM erased_filing e WHERE ${isUnused}`,
  );
  await run(
    tx,
    `DELETE FROM postroom.spool_file f USING erased_filing e WHERE f.sha256 = e.sha256 AND ${isUnused}`,
  );
  return files;
}

/** Replaces a document in the index in one transaction, so that a search sees the old text or the new one. */
import type { Database, Transaction } from "../store/database.ts";
import { deleteChunk, deleteChunks, type Embedded, insertChunks } from "./chunk-table.ts";
import type { Chunk } from "./cut-chunks.ts";
import type { DocumentFacts } from "./indexed-document.ts";
import {
  countOneLess,
  deleteIndexed,
  getIndexed,
  isHeldByAnother,
  lockDocument,
  lockFile,
  type NewIndexed,
  upsertIndexed,
} from "./indexed-document-table.ts";

export interface ReadDocument {
  readonly facts: DocumentFacts;
  readonly version: string;
  readonly sha256: string;
  readonly language: string;
  readonly chunks: readonly Chunk[];
  /** Why there is no text, if there is none. */
  readonly reason: string | null;
  readonly embedded: Embedded | null;
}

export type WriteOutcome = "written" | "facts-only" | "outdated";

/** Of a record that names the file of another document. */
export const FILE_OF_ANOTHER = "another document has this file";

const withoutText = ({ facts, version }: ReadDocument): ReadDocument => ({
  facts: { ...facts, kind: null },
  version,
  sha256: "",
  language: "simple",
  chunks: [],
  reason: FILE_OF_ANOTHER,
  embedded: null,
});

/** `outdated` if a newer version is in the index already. */
export function writeIndex(database: Database, read: ReadDocument): Promise<WriteOutcome> {
  return database.transaction(async (tx) => {
    await lockDocument(tx, read.facts.documentId);
    const document = (await isTaken(tx, read)) ? withoutText(read) : read;
    const { facts, version, sha256, language, chunks, reason } = document;
    const known = await getIndexed(tx, facts.documentId);
    if (known !== null && isNewer(known.version, version)) return "outdated";
    const isSame = known !== null && known.sha256 === sha256 && known.name === facts.name;
    const row: NewIndexed = {
      ...facts,
      version,
      sha256,
      language,
      reason,
      generation: isSame ? known.generation : (known?.generation ?? 0) + 1,
      chunkCount: isSame ? known.chunkCount : chunks.length,
    };
    if (isSame) {
      await upsertIndexed(tx, row);
      return "facts-only";
    }
    if (known !== null) await deleteChunks(tx, facts.documentId);
    await upsertIndexed(tx, row);
    await insertChunks(tx, row, chunks, document.embedded);
    return "written";
  });
}

async function isTaken(tx: Transaction, { facts }: ReadDocument): Promise<boolean> {
  if (facts.itemId === null) return false;
  await lockFile(tx, facts);
  return isHeldByAnother(tx, facts);
}

/** Row versions of Dataverse are numbers that rise. */
function isNewer(known: string, offered: string): boolean {
  return BigInt(known) > BigInt(offered);
}

/** Returns the number of chunks that are gone; null if the document was not in the index. */
export function removeFromIndex(database: Database, documentId: string): Promise<number | null> {
  return database.transaction(async (tx) => {
    await lockDocument(tx, documentId);
    const count = await deleteChunks(tx, documentId);
    return (await deleteIndexed(tx, documentId)) ? count : null;
  });
}

/** Removes one chunk until its document changes; false if there is no such chunk of this tenant. */
export function removeChunk(database: Database, tenantId: string, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const documentId = await deleteChunk(tx, tenantId, id);
    if (documentId !== null) await countOneLess(tx, documentId);
    return documentId !== null;
  });
}

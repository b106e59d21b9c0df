/** Keeps the copy of the chunks in Azure AI Search up to date with our own index. */
import { fromBytes } from "../../models/embedder.ts";
import type { Database } from "../../store/database.ts";
import { findChunksOf } from "../chunk-table.ts";
import type { IndexedDocument } from "../indexed-document.ts";
import { findUncopied, getCopied, storeCopied } from "../indexed-document-table.ts";
import { type AzureSearch, type IndexAction, quoted } from "./azure-search.ts";
import { type IndexSchema, vectorField } from "./index-schema.ts";

export interface IndexCopy {
  /** Copies the chunks of the generation that is in our index, unless that was done before. */
  write(documentId: string): Promise<void>;
  remove(documentId: string): Promise<void>;
  removeChunk(id: string): Promise<void>;
  /** Copies some documents that were indexed before the service was set, or while it was down. */
  catchUp(onProgress: () => void): Promise<void>;
}

const TOGETHER = 500;
/** Documents; more are copied in the next round. */
const CAUGHT_UP_TOGETHER = 200;
const FOUND_MAX = 400;
/** A deleted chunk may still be found for a moment, so the rounds are limited. */
const ROUNDS_MAX = 20;

export function createIndexCopy(needs: {
  readonly azure: AzureSearch;
  readonly schema: IndexSchema;
  readonly database: Database;
}): IndexCopy {
  const { azure, schema, database } = needs;
  const removeWhere = async (filter: string): Promise<void> => {
    if ((await schema.vectorLengths()) === null) return;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const ids = await azure.find({ search: "*", filter, top: FOUND_MAX });
      if (ids.length === 0) return;
      await azure.write(ids.map(toDeletion));
    }
  };
  const write = async (documentId: string): Promise<void> => {
    const document = await getCopied(database, documentId);
    if (document === null || document.copiedGeneration === document.generation) return;
    const chunks = await findChunksOf(database, documentId);
    const embedded = chunks.find(({ vector }) => vector !== null);
    await schema.prepare(embedded === undefined ? null : meanVector(embedded)!.length);
    for (let from = 0; from < chunks.length; from += TOGETHER)
      await azure.write(
        chunks.slice(from, from + TOGETHER).map((chunk) => toAction(document, chunk)),
      );
    const { generation } = document;
    await removeWhere(`documentId eq ${quoted(documentId)} and generation lt ${generation}`);
    await storeCopied(database, documentId, document);
  };
  return {
    write,
    remove: (documentId) => removeWhere(`documentId eq ${quoted(documentId)}`),
    async removeChunk(id) {
      if ((await schema.vectorLengths()) !== null) await azure.write([toDeletion(id)]);
    },
    async catchUp(onProgress) {
      await schema.check();
      for (const documentId of await findUncopied(database, CAUGHT_UP_TOGETHER)) {
        await write(documentId);
        onProgress();
      }
    },
  };
}

type StoredChunk = Awaited<ReturnType<typeof findChunksOf>>[number];

const toDeletion = (id: string): IndexAction => ({ "@search.action": "delete", id });

function toAction(document: IndexedDocument, chunk: StoredChunk): IndexAction {
  const { documentId, tenantId, generation, name, kind, parentType, parentId, parentName } =
    document;
  const vector = meanVector(chunk);
  return {
    "@search.action": "mergeOrUpload",
    id: chunk.id,
    tenantId,
    documentId,
    generation,
    content: chunk.content,
    fileName: name,
    fileType: kind,
    chunkIndex: chunk.index,
    chunkCount: document.chunkCount,
    speFileId: document.itemId,
    parentEntityType: parentType,
    parentEntityId: parentId,
    parentEntityName: parentName,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.indexedAt.toISOString(),
    ...(vector === null ? {} : { [vectorField(vector.length)]: vector }),
  };
}

/** The service holds one vector for each chunk: the mean of those of its pieces. */
function meanVector({ vector, pieces }: Pick<StoredChunk, "vector" | "pieces">): number[] | null {
  if (vector === null) return null;
  const all = fromBytes(vector, pieces);
  return Array.from(
    all[0]!,
    (_, at) => all.reduce((sum, each) => sum + each[at]!, 0) / 127 / pieces,
  );
}

import type { Sender } from "../../filing/actors.ts";
import { findChunks } from "../../search/chunk-table.ts";
import { findIndexed } from "../../search/indexed-document-table.ts";
import type { FoundChunk, Searches } from "../specs/search.ts";
import { findReadableCandidates, type SearchNeeds, WITHOUT_VECTORS } from "./search-documents.ts";

/** The best chunks of documents that the caller may read, with their whole text. */
export async function searchChunks(
  needs: SearchNeeds,
  caller: Sender,
  request: Parameters<Searches["searchChunks"]>[1],
  signal?: AbortSignal,
): ReturnType<Searches["searchChunks"]> {
  const { candidates, documents } = await findReadableCandidates(needs, caller, request, signal);
  const hits = documents
    .flatMap(({ chunks }) => chunks)
    .filter(({ score }) => score >= request.minScore)
    .sort((a, b) => b.strength - a.strength || a.no - b.no)
    .slice(0, request.limit);
  const [chunks, facts] = await Promise.all([
    findChunks(
      needs.database,
      hits.map(({ no }) => no),
    ),
    findIndexed(needs.database, [...new Set(hits.map(({ documentId }) => documentId))]),
  ]);
  const results = hits.flatMap(({ no, score }): FoundChunk[] => {
    const chunk = chunks.find((each) => each.no === no);
    const document = facts.find((each) => each.documentId === chunk?.documentId);
    if (chunk === undefined || document === undefined) return []; // gone meanwhile
    return [
      {
        id: chunk.id,
        documentId: chunk.documentId,
        content: chunk.content,
        fileName: document.name,
        fileType: document.kind,
        chunkIndex: chunk.index,
        chunkCount: document.chunkCount,
        score: Math.round(score * 1_000) / 1_000,
        parentEntityType: document.parentType,
        parentEntityId: document.parentId,
        parentEntityName: document.parentName,
      },
    ];
  });
  return { results, degraded: candidates.isWithoutVectors ? WITHOUT_VECTORS : null };
}

/**
 * Ranks are given only after documents that the caller may not read have left the lists: a score or a rank that counts
 * them would tell how many there are.
 */
import { type Fused, fuse, type RankedList } from "./fuse.ts";

/** Which of these documents the caller may read. */
export type MayRead = (documentIds: readonly string[]) => Promise<ReadonlySet<string>>;

export interface CandidateDocument {
  readonly documentId: string;
  readonly score: number;
  /** Its matching chunks, best first. */
  readonly chunks: readonly Fused[];
}

/** Documents whose rights are asked for at once. */
export const DOCUMENTS_MAX = 200;

/** The readable documents among the best ones of the lists, best first, and whether the lists have more than the best. */
export async function rankReadable(
  lists: readonly RankedList[],
  mayRead: MayRead,
): Promise<{ readonly documents: readonly CandidateDocument[]; readonly isCut: boolean }> {
  const all = byDocument(fuse(lists)).map(({ documentId }) => documentId);
  const readable = await mayRead(all.slice(0, DOCUMENTS_MAX));
  const kept = lists.map(({ hits, weight }) => ({
    hits: hits.filter(({ documentId }) => readable.has(documentId)),
    weight,
  }));
  return { documents: byDocument(fuse(kept)), isCut: all.length > DOCUMENTS_MAX };
}

function byDocument(chunks: readonly Fused[]): CandidateDocument[] {
  const documents = new Map<string, Fused[]>();
  for (const chunk of chunks) {
    const known = documents.get(chunk.documentId);
    if (known === undefined) documents.set(chunk.documentId, [chunk]);
    else known.push(chunk);
  }
  return [...documents].map(([documentId, own]) => ({
    documentId,
    score: Math.max(...own.map(({ score }) => score)),
    chunks: own,
  }));
}

/** Asks about each document once. The first question is asked even about none: its time and failures look the same. */
export function askOnce(mayRead: MayRead): MayRead {
  const asked = new Set<string>();
  const readable = new Set<string>();
  let isFirst = true;
  return async (documentIds) => {
    const missing = documentIds.filter((id) => !asked.has(id));
    if (missing.length > 0 || isFirst) {
      isFirst = false;
      for (const id of await mayRead(missing)) readable.add(id);
      for (const id of missing) asked.add(id);
    }
    return new Set(documentIds.filter((id) => readable.has(id)));
  };
}

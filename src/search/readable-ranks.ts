/**
 * Ranks are given only after documents that the caller may not read have left the lists: a score or a rank that counts
 * them would tell how many there are.
 */
import { type Fused, fuse, type RankedList } from "./fuse.ts";

/** Which of these documents the caller may read. */
export type MayRead = (documentIds: readonly string[]) => Promise<ReadonlySet<string>>;

export interface CandidateDocument {
  readonly documentId: string;
  readonly parentId: string | null;
  readonly score: number;
  /** Its matching chunks, best first. */
  readonly chunks: readonly Fused[];
}

/** Documents whose rights are asked for: at once, or in two halves if there are more candidates. */
export const DOCUMENTS_MAX = 200;
const HALF = DOCUMENTS_MAX / 2;

/** The readable documents among the best ones of the lists, best first, and whether the lists have more than these. */
export async function rankReadable(
  lists: readonly RankedList[],
  mayRead: MayRead,
): Promise<{ readonly documents: readonly CandidateDocument[]; readonly isCut: boolean }> {
  const all = byDocument(fuse(lists));
  const readable = await askForBest(all, mayRead);
  const kept = lists.map(({ hits, weight }) => ({
    hits: hits.filter(({ documentId }) => readable.has(documentId)),
    weight,
  }));
  return { documents: byDocument(fuse(kept)), isCut: all.length > DOCUMENTS_MAX };
}

/**
 * Rights mostly go by the row that documents belong to. Of too many candidates the second half is therefore taken from
 * rows where the first half met no refusal, so that the documents of others do not hide those of the caller.
 */
async function askForBest(
  all: readonly CandidateDocument[],
  mayRead: MayRead,
): Promise<ReadonlySet<string>> {
  const idsOf = (some: readonly CandidateDocument[]) => some.map(({ documentId }) => documentId);
  if (all.length <= DOCUMENTS_MAX) return mayRead(idsOf(all));
  const [first, rest] = [all.slice(0, HALF), all.slice(HALF)];
  const readable = await mayRead(idsOf(first));
  const isReadable = ({ documentId }: CandidateDocument) => readable.has(documentId);
  const parentsOf = (some: readonly CandidateDocument[]) =>
    new Set(some.map(({ parentId }) => parentId));
  const granted = parentsOf(first.filter(isReadable));
  const refused = parentsOf(first.filter((document) => !isReadable(document)));
  const isHopeful = ({ parentId }: CandidateDocument) =>
    parentId === null || granted.has(parentId) || !refused.has(parentId);
  const second = [...rest.filter(isHopeful), ...rest.filter((each) => !isHopeful(each))];
  const more = await mayRead(idsOf(second.slice(0, HALF)));
  return new Set([...readable, ...more]);
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
    parentId: own[0]!.parentId,
    score: Math.max(...own.map(({ score }) => score)),
    chunks: own,
  }));
}

/** Asks about each document once, and every time even about none: time and failures look the same. */
export function askOnce(mayRead: MayRead): MayRead {
  const asked = new Set<string>();
  const readable = new Set<string>();
  return async (documentIds) => {
    const missing = documentIds.filter((id) => !asked.has(id));
    for (const id of await mayRead(missing)) readable.add(id);
    for (const id of missing) asked.add(id);
    return new Set(documentIds.filter((id) => readable.has(id)));
  };
}

/**
 * Search, trimmed to what the caller may read. The index gives at most 200 candidate documents, Dataverse says as the
 * caller which of them may be read now, and everything that follows (results, counts, facets, passages) is made only from
 * those. Without an answer from Dataverse there is no result.
 */
import { type Actors, actorFor, type Sender } from "../../filing/actors.ts";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import { findReadable } from "../../rights/find-readable.ts";
import { findChunks, type SearchFilter, type StoredChunk } from "../../search/chunk-table.ts";
import { pageAt } from "../../search/cut-chunks.ts";
import type { IndexedDocument } from "../../search/indexed-document.ts";
import { findIndexed } from "../../search/indexed-document-table.ts";
import type { CandidateDocument } from "../../search/readable-ranks.ts";
import type { Candidates, SearchIndex } from "../../search/search-index.ts";
import type { Database } from "../../store/database.ts";
import type { FoundDocument, FoundPassage, SearchAnswer, SearchRequest } from "../specs/search.ts";

export interface SearchNeeds {
  readonly database: Database;
  readonly index: SearchIndex;
  readonly actors: Actors;
  readonly tenantId: string;
  readonly log: Log;
}

/** Chunks shown of one document. */
const PASSAGES_MAX = 3;
/** Control characters never occur in stored text. */
const MARKS = { start: "\u0002", end: "\u0003" };

/** Candidates that the caller may read. */
export interface Readable {
  readonly candidates: Candidates;
  readonly documents: readonly CandidateDocument[];
  /** Whether there may be more than these. */
  readonly isMore: boolean;
}

export async function findReadableCandidates(
  needs: SearchNeeds,
  caller: Sender,
  request: Omit<SearchRequest, "limit" | "offset">,
  signal?: AbortSignal,
): Promise<Readable> {
  const candidates = await needs.index.find(
    request.query,
    toFilter(needs.tenantId, request),
    (ids) => askRights(needs, caller, ids, signal),
    { mode: request.mode, signal, personId: caller.id },
  );
  const { documents, isCut } = candidates;
  // Somebody who may read none of them must not learn how many there are.
  return { candidates, documents, isMore: isCut && documents.length > 0 };
}

export async function askRights(
  { actors, log }: SearchNeeds,
  caller: Sender,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    return await findReadable(actorFor(actors, caller).dataverse, ids, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Fault && error.code === "identity.interaction") throw error;
    log.warn({ userId: caller.id, err: error }, "[AI-AUTH] denied: rights cannot be checked");
    throw new Fault("rights.unknown", "your rights cannot be checked now; try again later", {
      cause: error,
    });
  }
}

function toFilter(
  tenantId: string,
  request: Omit<SearchRequest, "query" | "limit" | "offset">,
): SearchFilter {
  const { kinds, parentId, parentType, sender, mailbox, from, to, documentIds } = request;
  return { tenantId, kinds, parentId, parentType, sender, mailbox, from, to, documentIds };
}

export async function searchDocuments(
  needs: SearchNeeds,
  caller: Sender,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const { candidates, documents, isMore } = await findReadableCandidates(
    needs,
    caller,
    request,
    signal,
  );
  const { offset, limit } = request;
  const page = documents.slice(offset, offset + limit);
  const facts = await loadFacts(needs, documents);
  const results = await describe(needs, candidates, page, facts);
  const last = offset + page.length;
  return {
    query: request.query,
    results,
    count: { documents: documents.length, isMore },
    facets: facetsOf([...facts.values()]),
    next: last < documents.length ? last : null,
    missing: candidates.missing,
    degraded: candidates.isWithoutVectors ? WITHOUT_VECTORS : null,
  };
}

export const WITHOUT_VECTORS = "only words were searched: meanings cannot be compared now";

async function loadFacts(
  { database }: SearchNeeds,
  documents: readonly CandidateDocument[],
): Promise<ReadonlyMap<string, IndexedDocument>> {
  const ids = documents.map(({ documentId }) => documentId);
  const found = await findIndexed(database, ids);
  return new Map(found.map((each) => [each.documentId, each]));
}

/** Documents with their passages. One that has left the index since is left out. */
export async function describe(
  needs: SearchNeeds,
  candidates: Candidates,
  documents: readonly CandidateDocument[],
  facts: ReadonlyMap<string, IndexedDocument>,
  passagesMax = PASSAGES_MAX,
): Promise<FoundDocument[]> {
  const chosen = documents.map(({ chunks }) => chunks.slice(0, passagesMax));
  const nos = chosen.flat().map(({ no }) => no);
  const [chunks, passages] = await Promise.all([
    findChunks(needs.database, nos),
    needs.index.passages(nos, candidates.query, MARKS),
  ]);
  const chunkOf = new Map(chunks.map((chunk) => [chunk.no, chunk]));
  const textOf = new Map(passages.map(({ no, text }) => [no, text]));
  return documents.flatMap(({ documentId, score }, index) => {
    const document = facts.get(documentId);
    if (document === undefined) return [];
    const shown = chosen[index]!.flatMap((hit) => {
      const chunk = chunkOf.get(hit.no);
      if (chunk === undefined) return [];
      return [toPassage(document, chunk, textOf.get(hit.no) ?? "", hit.score)];
    });
    return [toDocument(document, score, shown)];
  });
}

function toDocument(
  document: IndexedDocument,
  score: number,
  passages: FoundPassage[],
): FoundDocument {
  const { documentId, name, kind, parentType, parentId, parentName, sender, language } = document;
  const parent =
    parentType === null || parentId === null
      ? null
      : { type: parentType, id: parentId, name: parentName };
  return {
    documentId,
    name,
    kind,
    parent,
    sender,
    language,
    score: rounded(score),
    passages,
    date: document.datedAt?.toISOString() ?? null,
    link: document.webUrl,
  };
}

const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

function toPassage(
  document: IndexedDocument,
  chunk: StoredChunk,
  marked: string,
  score: number,
): FoundPassage {
  const { text, highlights } = unmark(marked);
  const [first] = highlights;
  const at = Math.max(0, chunk.content.indexOf(text)) + (first?.[0] ?? 0);
  const page = pageAt(chunk.pages, at);
  return {
    chunkId: chunk.id,
    text,
    highlights,
    score: rounded(score),
    page: page?.number ?? null,
    label: page?.label ?? null,
    box: page?.box ?? null,
    link: pageLink(document, page?.number ?? null),
  };
}

/** Browsers open a PDF at a page; other kinds open at their start. */
export function pageLink(document: IndexedDocument, page: number | null): string | null {
  if (document.webUrl === null || document.kind !== "pdf" || page === null) return document.webUrl;
  return `${document.webUrl}#page=${page}`;
}

/** The text without marks, and the positions where they were. */
export function unmark(marked: string): {
  text: string;
  highlights: [number, number][];
} {
  const highlights: [number, number][] = [];
  let text = "";
  let start = 0;
  for (const part of marked.split(/([\u0002\u0003])/)) {
    if (part === MARKS.start) start = text.length;
    else if (part === MARKS.end) highlights.push([start, text.length]);
    else text += part;
  }
  return { text, highlights };
}

function facetsOf(documents: readonly IndexedDocument[]): SearchAnswer["facets"] {
  const kind: Record<string, number> = {};
  const parents = new Map<string, SearchAnswer["facets"]["parent"][number]>();
  for (const document of documents) {
    if (document.kind !== null) kind[document.kind] = (kind[document.kind] ?? 0) + 1;
    const { parentType: type, parentId: id, parentName: name } = document;
    if (id === null) continue;
    parents.set(id, { type, id, name, documents: (parents.get(id)?.documents ?? 0) + 1 });
  }
  return { kind, parent: [...parents.values()].sort((a, b) => b.documents - a.documents) };
}

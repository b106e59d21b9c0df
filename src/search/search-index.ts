/**
 * Candidates for a question: chunks by full text and by meaning, joined, and grouped by document. What the caller may
 * see of them is decided elsewhere; nothing from here is shown before that.
 */
import type { Clock } from "../lib/clock.ts";
import type { Database } from "../store/database.ts";
import { choosePassage } from "./choose-passage.ts";
import {
  countChunks,
  markWords,
  type Passage,
  rankChunks,
  type SearchFilter,
  trigramHome,
} from "./chunk-table.ts";
import { type Fused, fuse } from "./fuse.ts";
import { type UnderstoodQuery, understandQuery } from "./understand-query.ts";
import type { VectorIndex } from "./vector-index.ts";

export type SearchMode = "hybrid" | "text" | "vector";

export interface CandidateDocument {
  readonly documentId: string;
  readonly score: number;
  /** Its matching chunks, best first. */
  readonly chunks: readonly Fused[];
}

export interface Candidates {
  readonly documents: readonly CandidateDocument[];
  /** Whether more documents match than are listed. */
  readonly isCut: boolean;
  readonly query: UnderstoodQuery;
  /** Set if the part that compares meanings failed, so that only words were searched. */
  readonly isWithoutVectors: boolean;
}

/** Where chunks are kept and found. */
export interface SearchIndex {
  find(
    query: string,
    filter: SearchFilter,
    options?: { mode?: SearchMode; signal?: AbortSignal },
  ): Promise<Candidates>;
  /** The words of a query, as the index knows them. */
  understand(query: string): Promise<UnderstoodQuery>;
  /** Passages of these chunks, with the words of the query between the marks. */
  passages(nos: readonly number[], query: UnderstoodQuery, marks: Marks): Promise<Passage[]>;
  close(): Promise<void>;
}

export interface Marks {
  readonly start: string;
  readonly end: string;
}

const LIST_MAX = 400;
export const DOCUMENTS_MAX = 200;
const COUNT_KEPT_MS = 60_000;

export function createSearchIndex(needs: {
  database: Database;
  clock: Clock;
  /** Null if nothing computes vectors. */
  vectors: VectorIndex | null;
  onVectorFailure?: (error: unknown) => void;
}): SearchIndex {
  const { database, clock, vectors } = needs;
  let facts: { chunkCount: number; trigramHome: string | null; readMs: number } | null = null;
  /** These figures only weigh words, so they may be a minute old. */
  const loadFacts = async () => {
    if (facts !== null && clock.now() - facts.readMs < COUNT_KEPT_MS) return facts;
    const [chunkCount, home] = await Promise.all([countChunks(database), trigramHome(database)]);
    facts = { chunkCount, trigramHome: home, readMs: clock.now() };
    return facts;
  };

  const byText = async (query: UnderstoodQuery, filter: SearchFilter) =>
    query.candidates === null
      ? []
      : rankChunks(database, filter, query.candidates, query.terms, LIST_MAX);

  return {
    async find(text, filter, { mode = "hybrid", signal } = {}) {
      const query = await understandQuery(database, text, await loadFacts());
      let isWithoutVectors = false;
      const byMeaning = async () => {
        if (mode === "text" || vectors === null) return [];
        return vectors.search(filter, text, LIST_MAX / 2, signal).catch((error: unknown) => {
          signal?.throwIfAborted();
          needs.onVectorFailure?.(error);
          isWithoutVectors = true;
          return [];
        });
      };
      const [words, meanings] = await Promise.all([
        mode === "vector" ? [] : byText(query, filter),
        byMeaning(),
      ]);
      const weight = mode === "hybrid" ? (vectors?.weight ?? 1) : 1;
      const all = byDocument(
        fuse([
          { hits: words, weight: 1 },
          { hits: meanings, weight },
        ]),
      );
      return {
        documents: all.slice(0, DOCUMENTS_MAX),
        isCut: all.length > DOCUMENTS_MAX || words.length === LIST_MAX,
        query,
        isWithoutVectors,
      };
    },
    understand: async (text) => understandQuery(database, text, await loadFacts()),
    async passages(nos, query, marks) {
      const marked = await markWords(database, nos, query.marks ?? "", marks);
      return marked.map(({ no, text }) => ({ no, text: choosePassage(text, marks, query.terms) }));
    },
    close: async () => vectors?.close(),
  };
}

export function byDocument(chunks: readonly Fused[]): CandidateDocument[] {
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

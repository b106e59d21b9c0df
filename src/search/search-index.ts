/**
 * Candidates for a question: chunks by full text and by meaning, joined, and grouped by document; only those of
 * documents that the caller may read.
 */
import type { Clock } from "../lib/clock.ts";
import type { EmbedOptions } from "../models/embedder.ts";
import type { Database } from "../store/database.ts";
import { choosePassage } from "./choose-passage.ts";
import {
  countChunks,
  type Hit,
  markWords,
  type Passage,
  rankChunks,
  type SearchFilter,
  trigramHome,
} from "./chunk-table.ts";
import { findMissingWords } from "./missing-words.ts";
import { askOnce, type CandidateDocument, type MayRead, rankReadable } from "./readable-ranks.ts";
import { type UnderstoodQuery, understandQuery } from "./understand-query.ts";
import type { VectorIndex } from "./vector-index.ts";

export type SearchMode = "hybrid" | "text" | "vector";

export interface Candidates {
  readonly documents: readonly CandidateDocument[];
  /** Whether more documents match than those whose rights were asked for. */
  readonly isCut: boolean;
  readonly query: UnderstoodQuery;
  /** Words that none of the documents contains as typed; a short word is never among them. */
  readonly missing: readonly string[];
  /** Set if the part that compares meanings failed, so that only words were searched. */
  readonly isWithoutVectors: boolean;
}

/** Where chunks are kept and found. */
export interface SearchIndex {
  find(
    query: string,
    filter: SearchFilter,
    mayRead: MayRead,
    options?: { readonly mode?: SearchMode | undefined } & EmbedOptions,
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

/** Chunks found by words: several times as many as there are documents to ask about, because many may be of one. */
const WORDS_MAX = 1_000;
const MEANINGS_MAX = 200;
/** How many of the chunks found by words are also compared by meaning, even if they are not among the nearest. */
const COMPARED_MAX = 200;
const FACTS_KEPT_MS = 60_000;
/** How much the cosine counts beside the score by words, of which the best is 1; fitted on the even half of the questions. */
const MEANING_SHARE = 0.5;
const NO_WORDS: ReadonlySet<string> = new Set();

/**
 * Words often cannot tell which of the chunks with a rare name is meant: then their meaning decides. `meanings` may lack
 * some of the hits.
 */
function byBoth(words: readonly Hit[], meanings: readonly Hit[]): readonly Hit[] {
  if (meanings.length === 0) return words;
  const cosines = new Map(meanings.map(({ no, score }) => [no, score]));
  const most = Math.max(...words.map(({ score }) => score));
  const worthOf = ({ no, score }: Hit) => score / most + MEANING_SHARE * (cosines.get(no) ?? 0);
  return words.toSorted((a, b) => worthOf(b) - worthOf(a) || a.no - b.no);
}

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
    if (facts !== null && clock.now() - facts.readMs < FACTS_KEPT_MS) return facts;
    const [chunkCount, home] = await Promise.all([countChunks(database), trigramHome(database)]);
    facts = { chunkCount, trigramHome: home, readMs: clock.now() };
    return facts;
  };
  const understand = async (text: string, misspelt = NO_WORDS) =>
    understandQuery(database, text, await loadFacts(), misspelt);
  const byText = async (query: UnderstoodQuery, filter: SearchFilter) =>
    query.candidates === null
      ? []
      : rankChunks(database, filter, query.candidates, query.terms, WORDS_MAX);

  return {
    async find(text, filter, mayRead, { mode = "hybrid", ...asked } = {}) {
      let isWithoutVectors = false;
      const orNothing = (error: unknown): null => {
        asked.signal?.throwIfAborted();
        needs.onVectorFailure?.(error);
        isWithoutVectors = true;
        return null;
      };
      const open = async () =>
        mode === "text" || vectors === null
          ? null
          : vectors.open(filter, text, asked).catch(orNothing);
      const mayReadOnce = askOnce(mayRead);
      const weight = mode === "hybrid" ? (vectors?.weight ?? 1) : 1;
      const rank = async (query: UnderstoodQuery, words: readonly Hit[]) => {
        const nos = words.slice(0, COMPARED_MAX).map(({ no }) => no);
        const meanings = (await meaning?.rank(nos, MEANINGS_MAX).catch(orNothing)) ?? [];
        const lists = [
          { hits: byBoth(words, meanings), weight: 1 },
          { hits: meanings, weight },
        ];
        const { documents, isCut } = await rankReadable(lists, mayReadOnce);
        const isLong = words.length === WORDS_MAX;
        return { documents, isCut: isCut || isLong, query, missing: [], isWithoutVectors };
      };
      const query = await understand(text);
      const [words, meaning] = await Promise.all([
        mode === "vector" ? [] : byText(query, filter),
        open(),
      ]);
      const exact = await rank(query, words);
      if (mode === "vector") return exact;
      // What others have does not decide whether typing errors are forgiven.
      const missing = await findMissingWords(database, exact);
      if (missing.length === 0) return exact;
      // Nor how often rights are asked for: it would show in the time whether others have similar words.
      const corrected = await understand(text, new Set(missing));
      return { ...(await rank(corrected, await byText(corrected, filter))), missing };
    },
    understand,
    async passages(nos, query, marks) {
      const marked = await markWords(database, nos, query.marks ?? "", marks);
      return marked.map(({ no, text }) => ({ no, text: choosePassage(text, marks, query.terms) }));
    },
    close: async () => vectors?.close(),
  };
}

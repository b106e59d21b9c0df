/** Turns the words of a question into stems with weights: rare words count more, and misspelt words match similar ones too. */
import type { Queryable } from "../store/database.ts";
import {
  findSimilarStems,
  findStems,
  type QueryStem,
  type SimilarStem,
  toTsquery,
  type WeightedTerm,
} from "./chunk-table.ts";
import { errorsAllowed, errorsBetween } from "./misspelling.ts";

export interface UnderstoodQuery {
  readonly terms: readonly WeightedTerm[];
  /** Finds the candidates; the terms rank them. Null if no word of the question occurs anywhere. */
  readonly candidates: string | null;
  /** All stems, to mark them in a passage. */
  readonly marks: string | null;
  /** Words long enough to be misspelt ones, with the stems that they have as typed; null if no chunk has any. */
  readonly typed: readonly { readonly word: string; readonly stems: string | null }[];
}

/** Languages whose stems are tried, because the index contains documents in all of them. */
const LANGUAGES = [
  "simple",
  "english",
  "german",
  "french",
  "spanish",
  "italian",
  "dutch",
  "portuguese",
  "swedish",
] as const;

/** Words that only ask; the lists of stop words that come with PostgreSQL lack them. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  `quel quelle quels quelles lequel laquelle combien comment quand pourquoi
  wann warum wer wem wen wessen wo woher wohin wieso wieviel wieviele welcher welches
  cuál cuáles cual cuales cuánto cuánta cuántos cuántas cuándo cómo dónde quién quiénes
  quale quali quanto quanta quanti quante quando perché qual quais quantos quantas onde quem
  welke hoeveel wanneer waarom vilken vilket vilka varför`.split(/\s+/),
);
const WORDS_MAX = 32;
const WORD_LENGTH_MAX = 60;
/** How many candidates are ranked; a word in more chunks than this finds none by itself. */
const CANDIDATES_MAX = 3_000;
/** Below this, a stem is another word and not a misspelling. */
const SIMILARITY_MIN = 0.38;
/** A shorter word is near to words of every language that mean something else. */
const FUZZY_LENGTH_MIN = 5;
/** From this length on, letters in common count even if there are more than typing errors between them. */
const SIMILAR_LENGTH_MIN = 7;
/** A misspelling counts less than the word itself, and a word that is only similar still less. */
const MISSPELT_TRUST = 0.95;
const SIMILAR_TRUST = 0.7;
/** Stems that one misspelt word may stand for. */
const SIMILAR_MAX = 4;

interface Found {
  readonly stem: string;
  readonly chunks: number;
  /** 1 for the word itself, less for one that is only similar. */
  readonly trust: number;
}

/**
 * `misspelt` are words that the asker finds nowhere as typed. Whether the index holds them does not matter: it may hold
 * them only in documents of others.
 */
export async function understandQuery(
  on: Queryable,
  query: string,
  index: { readonly chunkCount: number; readonly trigramHome: string | null },
  misspelt: ReadonlySet<string>,
): Promise<UnderstoodQuery> {
  const words = wordsOf(query);
  const nothing = { terms: [], candidates: null, marks: null };
  if (words.length === 0) return { ...nothing, typed: [] };
  const stems = await findStems(on, words, LANGUAGES);
  const wanted = withoutStopWords(words, stems);
  const found = new Map(wanted.map((word) => [word, exactStems(word, stems)]));
  const typed = wanted
    .filter((word) => word.length >= FUZZY_LENGTH_MIN)
    .map((word) => ({ word, stems: anyOf(found.get(word)!) || null }));
  await addSimilar(on, index.trigramHome, stems, found, misspelt);
  const groups = [...found.values()].filter((variants) => variants.length > 0);
  if (groups.length === 0) return { ...nothing, typed };
  return {
    typed,
    terms: groups.map((variants) => ({
      stems: variants.map(({ stem, chunks, trust }) => ({
        stem,
        weight: trust * rarity(chunks, index.chunkCount),
      })),
    })),
    candidates: candidatesOf(groups),
    marks: anyOf(groups.flat()),
  };
}

/** Letters and digits; a number keeps its points and commas. */
export function wordsOf(query: string): string[] {
  const found = query
    .normalize("NFC")
    .toLowerCase()
    .match(/\p{N}[\p{N}.,]*\p{N}|[\p{L}\p{N}]+/gu);
  const short = (found ?? []).filter((word) => word.length <= WORD_LENGTH_MAX);
  return [...new Set(short)].slice(0, WORDS_MAX);
}

/** The language with most stop words in the question is its language; these words are dropped. */
function withoutStopWords(words: readonly string[], stems: readonly QueryStem[]): string[] {
  const stops = new Map<string, Set<string>>();
  for (const { word, language, stem } of stems)
    if (stem === null) stops.set(language, (stops.get(language) ?? new Set()).add(word));
  const most = [...stops.values()].sort((a, b) => b.size - a.size)[0] ?? new Set();
  const left = words.filter((word) => !most.has(word) && !QUESTION_WORDS.has(word));
  return left.length > 0 ? left : [...words];
}

function exactStems(word: string, stems: readonly QueryStem[]): Found[] {
  const exact = new Map<string, Found>();
  for (const each of stems)
    if (each.word === word && each.stem !== null && each.chunks > 0)
      exact.set(each.stem, { stem: each.stem, chunks: each.chunks, trust: 1 });
  return [...exact.values()];
}

/** Stems of a misspelt word are compared too, because the index contains only stems. */
async function addSimilar(
  on: Queryable,
  home: string | null,
  stems: readonly QueryStem[],
  found: Map<string, Found[]>,
  misspelt: ReadonlySet<string>,
): Promise<void> {
  const unknown = new Set([...found.keys()].filter((word) => misspelt.has(word)));
  if (home === null || unknown.size === 0) return;
  /** The word of the question that each spelling stands for. */
  const wordOf = new Map<string, string>();
  for (const { word, stem } of stems)
    if (unknown.has(word) && stem !== null && stem.length >= FUZZY_LENGTH_MIN)
      wordOf.set(stem, word);
  for (const word of unknown) wordOf.set(word, word);
  const best = new Map<string, Found>();
  for (const each of await findSimilarStems(on, home, [...wordOf.keys()])) {
    const trust = trustIn(each);
    const word = wordOf.get(each.word)!;
    const key = `${word} ${each.stem}`;
    if (trust > (best.get(key)?.trust ?? 0)) {
      best.set(key, { stem: each.stem, chunks: each.chunks, trust });
    }
  }
  for (const word of unknown) {
    const known = found.get(word)!;
    const similar = [...best].filter(([key]) => key.startsWith(`${word} `)).map(([, each]) => each);
    const others = similar.filter(({ stem }) => known.every((exact) => exact.stem !== stem));
    others.sort((a, b) => b.trust - a.trust || b.chunks - a.chunks);
    known.push(...others.slice(0, SIMILAR_MAX));
  }
}

/** From 0 to 1: few typing errors count for more than many letters in common. */
function trustIn({ word, stem, similarity }: SimilarStem): number {
  const errors = errorsBetween(word, stem);
  if (errors <= errorsAllowed(word, stem)) return MISSPELT_TRUST - errors / word.length;
  const isSimilar = word.length >= SIMILAR_LENGTH_MIN && similarity >= SIMILARITY_MIN;
  return isSimilar ? similarity * SIMILAR_TRUST : 0;
}

/** The inverse document frequency of BM25. */
function rarity(chunks: number, all: number): number {
  return Math.log(1 + (Math.max(all, chunks) - chunks + 0.5) / (chunks + 0.5));
}

const anyOf = (variants: readonly Found[]): string =>
  [...new Set(variants.map(({ stem }) => toTsquery(stem)))].join(" | ");

/** The rarest words together, as long as they do not match too much; two common words only together. */
function candidatesOf(groups: readonly Found[][]): string {
  const sizeOf = (variants: readonly Found[]) =>
    variants.reduce((sum, { chunks }) => sum + chunks, 0);
  const rarest = [...groups].sort((a, b) => sizeOf(a) - sizeOf(b));
  const [first, second] = rarest;
  if (sizeOf(first!) > CANDIDATES_MAX)
    return second === undefined ? anyOf(first!) : `(${anyOf(first!)}) & (${anyOf(second)})`;
  let size = 0;
  const chosen = rarest.filter((variants) => {
    size += sizeOf(variants);
    return size <= CANDIDATES_MAX;
  });
  return anyOf(chosen.flat());
}

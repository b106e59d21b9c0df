/**
 * Finds the lexicon's phrases in a folded line. A phrase is a list of words separated by spaces; a star at
 * the start or end of a word stands for any letters, so that compounds are recognised by one part. The
 * longest phrase at a position wins, and a phrase of whole words beats one with a star.
 */
import { fold } from "./fold.ts";

export interface WordSpan {
  text: string;
  start: number;
  end: number;
}

export interface PhraseEntry<T> {
  phrase: string;
  value: T;
}

export interface PhraseMatch<T> {
  value: T;
  phrase: string;
  start: number;
  end: number;
  /** Index of the first and last word of the match in the line. */
  first: number;
  last: number;
}

interface Compiled<T> {
  words: string[];
  phrase: string;
  value: T;
  /** Number of letters without stars: the more, the more specific. */
  weight: number;
}

export interface Matcher<T> {
  exact: Map<string, Compiled<T>[]>;
  byTail: Map<string, Compiled<T>[]>;
  byHead: Map<string, Compiled<T>[]>;
  /** The phrases that begin with a word, remembered because documents repeat their words. */
  known: Map<string, readonly Compiled<T>[]>;
}

const KEY = 3;
/** Hostile input may hold any number of different words. */
const KNOWN_MAX = 20_000;

export function compile<T>(entries: readonly PhraseEntry<T>[]): Matcher<T> {
  const matcher: Matcher<T> = {
    exact: new Map(),
    byTail: new Map(),
    byHead: new Map(),
    known: new Map(),
  };
  for (const entry of entries) {
    const words = fold(entry.phrase)
      .split(/[^a-z0-9*]/)
      .filter((word) => word !== "");
    const first = words[0];
    if (first === undefined) continue;
    const weight =
      words.join("").replaceAll("*", "").length - (entry.phrase.includes("*") ? 0.5 : 0);
    const compiled = { words, phrase: entry.phrase, value: entry.value, weight };
    if (first.startsWith("*")) push(matcher.byTail, tailKey(first), compiled);
    else if (first.endsWith("*")) push(matcher.byHead, first.slice(0, KEY), compiled);
    else push(matcher.exact, first, compiled);
  }
  return matcher;
}

// A pattern with stars on both sides is keyed by its first letters and searched inside the word.
function tailKey(pattern: string): string {
  return pattern.endsWith("*") ? "*" : pattern.slice(-KEY);
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/** Splits a folded line into words: runs of letters and digits. */
export function splitWords(folded: string): WordSpan[] {
  const out: WordSpan[] = [];
  let start = -1;
  for (let i = 0; i <= folded.length; i++) {
    const code = i < folded.length ? folded.charCodeAt(i) : 32;
    const inside = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 191;
    if (inside && start < 0) start = i;
    if (!inside && start >= 0) {
      out.push({ text: folded.slice(start, i), start, end: i });
      start = -1;
    }
  }
  return out;
}

const WORD_LENGTH_MAX = 60;
const GAP_MAX = 4;

export function matchPhrases<T>(
  matcher: Matcher<T>,
  folded: string,
  words: readonly WordSpan[],
): PhraseMatch<T>[] {
  const out: PhraseMatch<T>[] = [];
  let i = 0;
  while (i < words.length) {
    const best = bestAt(matcher, folded, words, i);
    if (!best) {
      i += 1;
      continue;
    }
    const last = i + best.words.length - 1;
    out.push({
      value: best.value,
      phrase: best.phrase,
      start: words[i]!.start,
      end: words[last]!.end,
      first: i,
      last,
    });
    i = last + 1;
  }
  return out;
}

function bestAt<T>(
  matcher: Matcher<T>,
  folded: string,
  words: readonly WordSpan[],
  at: number,
): Compiled<T> | null {
  let best: Compiled<T> | null = null;
  for (const candidate of phrasesAt(matcher, words[at]!.text)) {
    if (best && candidate.weight <= best.weight) continue;
    if (fits(candidate.words, folded, words, at)) best = candidate;
  }
  return best;
}

/** The phrases whose first word is this one. */
function phrasesAt<T>(matcher: Matcher<T>, word: string): readonly Compiled<T>[] {
  const known = matcher.known.get(word);
  if (known) return known;
  const { exact, byHead, byTail } = matcher;
  const found =
    word.length > WORD_LENGTH_MAX
      ? []
      : [
          ...(exact.get(word) ?? []),
          ...(byHead.get(word.slice(0, KEY)) ?? []),
          ...(byTail.get(word.slice(-KEY)) ?? []),
          ...(byTail.get("*") ?? []),
        ].filter(({ words }) => wordFits(words[0]!, word));
  if (matcher.known.size >= KNOWN_MAX) matcher.known.clear();
  matcher.known.set(word, found);
  return found;
}

function fits(pattern: string[], folded: string, words: readonly WordSpan[], at: number): boolean {
  if (at + pattern.length > words.length) return false;
  // The first word fits already.
  for (let k = 1; k < pattern.length; k++) {
    const word = words[at + k]!;
    if (!wordFits(pattern[k]!, word.text)) return false;
    if (word.start - words[at + k - 1]!.end > GAP_MAX) return false;
    if (hasBreak(folded, words[at + k - 1]!.end, word.start)) return false;
  }
  return true;
}

// Three spaces mark the edge of a column.
function hasBreak(folded: string, start: number, end: number): boolean {
  return end - start >= 3 && folded.slice(start, end).trim() === "";
}

function wordFits(pattern: string, word: string): boolean {
  const head = pattern.startsWith("*");
  const tail = pattern.endsWith("*");
  if (head && tail) return word.includes(pattern.slice(1, -1));
  if (head) return word.endsWith(pattern.slice(1));
  if (tail) return word.startsWith(pattern.slice(0, -1));
  return word === pattern;
}

/** Finds every phrase that matches anywhere on the line, even if a longer one wins there. */
export function phrasesOn<T>(
  matcher: Matcher<T>,
  folded: string,
  words: readonly WordSpan[],
): Set<string> {
  const out = new Set<string>();
  for (let at = 0; at < words.length; at++)
    for (const candidate of phrasesAt(matcher, words[at]!.text))
      if (fits(candidate.words, folded, words, at)) out.add(candidate.phrase);
  return out;
}

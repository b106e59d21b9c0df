/** Chooses what is shown of a chunk: the part with most of what was searched for, cut at sentences. */
import type { WeightedTerm } from "./chunk-table.ts";

const LENGTH_MAX = 280;
/** How much longer it may become, to begin and end with a sentence. */
const SLACK = 120;
/** Where a passage may begin; a chunk that has more of the question's words was written to keep us busy. */
const BEGINNINGS_MAX = 300;

interface Marked {
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

/** `marked` is the whole chunk with its matching words between the marks; so is the answer, only shorter. */
export function choosePassage(
  marked: string,
  marks: { readonly start: string; readonly end: string },
  terms: readonly WeightedTerm[],
): string {
  const { text, words } = unmark(marked, marks);
  const [from, to] = bestPart(text, words, terms);
  let passage = "";
  let at = from;
  for (const word of words) {
    if (word.from < from || word.to > to) continue;
    passage += text.slice(at, word.from) + marks.start + text.slice(word.from, word.to) + marks.end;
    at = word.to;
  }
  return passage + text.slice(at, to);
}

function unmark(marked: string, { start, end }: { start: string; end: string }) {
  const words: Marked[] = [];
  let text = "";
  for (const [index, piece] of marked.split(start).entries()) {
    const close = index === 0 ? -1 : piece.indexOf(end);
    if (close >= 0) {
      const word = piece.slice(0, close);
      words.push({ from: text.length, to: text.length + word.length, word: word.toLowerCase() });
      text += word;
    }
    text += piece.slice(close + (close < 0 ? 1 : end.length));
  }
  return { text, words };
}

/** Each word counts once in a part, and a word that few documents contain counts more. */
function bestPart(
  text: string,
  words: readonly Marked[],
  terms: readonly WeightedTerm[],
): [from: number, to: number] {
  const worths = new Map<string, [number, number][]>();
  for (const { word } of words) if (!worths.has(word)) worths.set(word, worthOf(word, terms));
  let best = { from: 0, to: 0, worth: -1 };
  for (const [first, { from }] of words.slice(0, BEGINNINGS_MAX).entries()) {
    const found = new Map<number, number>();
    let to = from;
    for (let at = first; at < words.length; at++) {
      const each = words[at]!;
      if (each.to > from + LENGTH_MAX) break;
      to = each.to;
      for (const [term, weight] of worths.get(each.word)!)
        found.set(term, Math.max(weight, found.get(term) ?? 0));
    }
    const worth = [...found.values()].reduce((sum, each) => sum + each, 0);
    if (worth > best.worth + 1e-9) best = { from, to, worth };
  }
  const start = sentenceStart(text, best.from);
  return [start, sentenceEnd(text, Math.max(best.to, Math.min(text.length, start + LENGTH_MAX)))];
}

/** The terms of the question that a word of the text stands for, by number, with their weights. */
function worthOf(word: string, terms: readonly WeightedTerm[]): [number, number][] {
  return terms.flatMap(({ stems }, term): [number, number][] => {
    const matching = stems.filter(({ stem }) =>
      word.startsWith(stem.slice(0, Math.max(3, stem.length - 1))),
    );
    return matching.length === 0 ? [] : [[term, Math.max(...matching.map(({ weight }) => weight))]];
  });
}

/** Whether a passage speaks of what the question is about: its rarest word. */
export function hasRarest(words: readonly string[], terms: readonly WeightedTerm[]): boolean {
  const weights = terms.map(({ stems }) => Math.max(...stems.map(({ weight }) => weight)));
  const rarest = weights.indexOf(Math.max(...weights));
  return words.some((word) => worthOf(word.toLowerCase(), terms).some(([term]) => term === rarest));
}

const SENTENCE_END = /[.!?…]["'”’»)\]]*\s+|\n+/g;

/** Where the sentence begins that contains this place; a word before it if that is far away. */
function sentenceStart(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - SLACK), at);
  let start = -1;
  for (const match of before.matchAll(SENTENCE_END)) start = match.index + match[0].length;
  if (start >= 0) return at - before.length + start;
  if (before.length < SLACK) return 0;
  return at - before.length + before.indexOf(" ") + 1;
}

function sentenceEnd(text: string, at: number): number {
  const after = text.slice(at, at + SLACK);
  const end = after.search(/[.!?…]["'”’»)\]]*(?:\s|$)/);
  if (end >= 0) return at + end + 1;
  if (after.length < SLACK) return text.length;
  const blank = after.search(/\s/);
  return at + (blank < 0 ? 0 : blank);
}

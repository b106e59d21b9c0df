/** Determines the kind of a document from its headings and words, before any amount is interpreted. */

import { type KindWord, lexicon } from "../lexicon/index.ts";
import { matchPhrases } from "../lexicon/matcher.ts";
import { weightAmong } from "./line-weight.ts";
import type { TextLine } from "./text-line.ts";

/** Weight of a word by how little else is on its line: headings name a document, sentences mention things. */
const WORD = {
  alone: 3,
  heading: 2.2,
  opening: 1.6,
  row: 1.2,
  sentence: 0.5,
  paragraph: 0.15,
  mostOfLine: 0.5,
} as const;
const MOST_OF_LINE = 0.6;
/** Each further mention adds a quarter; together they add at most half a heading. */
const REPEATED = 0.25;
const REPEATED_MOST = 1.5;
/**
 * Beside a code the word is part of a security's name, beside numbers it is in a row, and far down it is
 * small print.
 */
const BESIDE_CODE = 0.4;
const BESIDE_NUMBERS = 0.5;
const FOOT = 0.6;
const SMALL_PRINT = 0.5;

export interface KindVote {
  score: number;
  phrase: string;
  line: number;
}

export type KindVotes = Record<KindWord, KindVote>;

export const KINDS: readonly KindWord[] = [
  "trade",
  "information",
  "dividend",
  "interest",
  "tax",
  "corporate-action",
  "transfer",
  "cash",
  "holding",
  "account-statement",
];

export function voteKinds(lines: readonly TextLine[]): KindVotes {
  const votes = Object.fromEntries(
    KINDS.map((kind) => [kind, { score: 0, phrase: "", line: -1 }]),
  ) as KindVotes;
  const best = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<KindWord, number>;
  for (const [at, line] of lines.entries()) {
    for (const match of matchPhrases(lexicon.kinds, line.folded, line.words)) {
      if (isDenied(line, match.first)) continue;
      const weight = weightOf(line, match, at / Math.max(40, lines.length));
      const vote = votes[match.value];
      vote.score += weight * REPEATED;
      if (weight > best[match.value]) {
        best[match.value] = weight;
        vote.phrase = line.text.slice(match.start, match.end);
        vote.line = line.index;
      }
    }
  }
  for (const kind of KINDS)
    votes[kind].score = best[kind] + Math.min(REPEATED_MOST, votes[kind].score);
  return votes;
}

/** Headings weigh most; sentences, small print and names of securities hardly count. */
function weightOf(
  line: TextLine,
  match: { start: number; end: number; first: number },
  place: number,
): number {
  const letters = match.end - match.start;
  const words = line.words.length;
  const share = letters / Math.max(1, line.folded.trim().length);
  let weight = weightAmong(words, WORD);
  if (share > MOST_OF_LINE) weight += WORD.mostOfLine;
  // A heading may share its line with the next column.
  if (match.first === 0 && words <= 14 && !line.numbers.some((token) => token.hasDecimals)) {
    weight = Math.max(weight, WORD.opening);
  }
  if (line.codes.length > 0) weight *= BESIDE_CODE;
  if (line.numbers.length > 2) weight *= BESIDE_NUMBERS;
  if (place > FOOT) weight *= SMALL_PRINT;
  return weight;
}

const DENIALS = new Set(
  "keine kein keinen nicht no not non pas sans geen niet nessuna nessun ningun ninguna sem nao ingen inte ikke ei bez nie".split(
    " ",
  ),
);

/** "No tax certificate" is printed on documents that are not tax certificates. */
function isDenied(line: TextLine, first: number): boolean {
  return first > 0 && DENIALS.has(line.words[first - 1]!.text);
}

/** Score from which words name a document rather than being mentioned in passing. */
export const TITLE = 2;

/**
 * True if the title names the kind and no word for a trade outweighs it; the trades that the page lists are
 * then only references.
 */
export function isAbout(votes: KindVotes, kind: KindWord): boolean {
  return votes[kind].score >= TITLE && votes[kind].score > votes.trade.score;
}

/**
 * A line of the document with everything recognised on it. All positions are character positions in the
 * printed line.
 */
import type { Word } from "../../reading/reading.ts";
import type { ConceptHit, DirectionWord } from "../lexicon/index.ts";
import type { PhraseMatch, WordSpan } from "../lexicon/matcher.ts";
import type { DateToken, TimeToken } from "../text/dates.ts";
import type { NumberToken } from "../text/numbers.ts";

export interface Span {
  start: number;
  end: number;
}

export interface CurrencyToken extends Span {
  /** Empty for a sign that several currencies share. */
  code: string;
}

export interface CodeToken extends Span {
  text: string;
  kind: "isin" | "isin-unchecked" | "cusip";
}

export interface TextLine {
  /** Index among all lines of the document. */
  index: number;
  page: number;
  /** Index among the lines of its page. */
  lineOfPage: number;
  text: string;
  folded: string;
  /** True if it was printed with spaces between the letters, as headings are; they are joined here. */
  isSpaced: boolean;
  words: WordSpan[];
  numbers: NumberToken[];
  dates: DateToken[];
  times: TimeToken[];
  currencies: CurrencyToken[];
  codes: CodeToken[];
  labels: PhraseMatch<ConceptHit[]>[];
  directions: PhraseMatch<DirectionWord>[];
  /** Words with their boxes; absent for plain text. */
  boxes: Word[] | null;
}

/** True if the line says bought or sold. */
export function hasDirection({ directions }: TextLine): boolean {
  return directions.some((match) => match.value !== "CANCEL");
}

/** For each line, counts the lines before it that say bought or sold. */
export function directedBefore(lines: readonly TextLine[]): number[] {
  const out = [0];
  for (const line of lines) out.push(out.at(-1)! + (hasDirection(line) ? 1 : 0));
  return out;
}

/** Counts the words on the line before the given span, ignoring dates, numbers and references that hold digits. */
export function wordsBefore(line: TextLine, span: Span): number {
  return line.words.filter(
    (word) => word.end <= span.start && !/[0-9]/.test(word.text) && !overlaps(word, line.dates),
  ).length;
}

export function overlaps(span: Span, others: readonly Span[]): boolean {
  return others.some((other) => span.start < other.end && other.start < span.end);
}

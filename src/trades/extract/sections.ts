/**
 * Statements put holdings, dividends and trades under headings of their own. A heading speaks for the
 * rows below it until the next one.
 */
import { type KindWord, kindMatcher } from "./lexicon/index.ts";
import { matchPhrases, type WordSpan } from "./lexicon/matcher.ts";
import type { DocLine } from "./lines.ts";

const WORDS_MAX = 5;

/** For each line the kind that its heading names, or null above the first heading. */
export function sectionsOf(lines: readonly DocLine[]): (KindWord | null)[] {
  let kind: KindWord | null = null;
  return lines.map((line) => {
    kind = headingKind(line) ?? kind;
    return kind;
  });
}

function headingKind(line: DocLine): KindWord | null {
  if (line.words.length > 2 * WORDS_MAX || line.codes.length > 0) return null;
  if (line.numbers.some((token) => token.hasDecimals)) return null;
  const words = line.words.filter((word) => isSpoken(line, word)).length;
  if (words > WORDS_MAX) return null;
  const matches = matchPhrases(kindMatcher, line.folded, line.words);
  if (matches.length === 0) return words <= 3 && line.directions.length > 0 ? "trade" : null;
  // A heading is little more than its kind; a day may follow.
  const covered = matches.reduce((sum, match) => sum + match.last - match.first + 1, 0);
  return covered * 2 >= words ? matches[0]!.value : null;
}

function isSpoken(line: DocLine, word: WordSpan): boolean {
  if (word.text.charCodeAt(0) <= 57) return false;
  return !line.dates.some((date) => word.start >= date.start && word.end <= date.end);
}

/**
 * Statements put holdings, dividends and trades under headings of their own. A heading applies to the rows
 * below it until the next heading.
 */

import { type KindWord, lexicon } from "../lexicon/index.ts";
import { matchPhrases, type WordSpan } from "../lexicon/matcher.ts";
import { hasDirection, type TextLine } from "./text-line.ts";

const WORDS_MAX = 5;

/** For each line, the kind that its heading names; null above the first heading. */
export function sectionsOf(lines: readonly TextLine[]): (KindWord | null)[] {
  let kind: KindWord | null = null;
  return lines.map((line) => {
    kind = headingKind(line) ?? kind;
    return kind;
  });
}

function headingKind(line: TextLine): KindWord | null {
  if (line.words.length > 2 * WORDS_MAX || line.codes.length > 0) return null;
  // "New balance: 1.250" is not a heading.
  if (line.numbers.some((token) => token.hasDecimals || token.raw.length > token.digits))
    return null;
  const spoken = line.words.filter((word) => isSpoken(line, word));
  const words = spoken.length;
  if (words > WORDS_MAX) return null;
  const headed = lexicon.heads.get(spoken.map((word) => word.text).join(" "));
  if (headed) return headed;
  const matches = matchPhrases(lexicon.kinds, line.folded, line.words);
  const isDirected = hasDirection(line);
  if (matches.length === 0) return words <= 3 && isDirected ? "trade" : null;
  // A heading consists of little more than the kind; a date may follow.
  const covered = matches.reduce((sum, match) => sum + match.last - match.first + 1, 0);
  if (covered * 2 < words) return null;
  return isDirected ? "trade" : matches[0]!.value;
}

function isSpoken(line: TextLine, word: WordSpan): boolean {
  if (word.text.charCodeAt(0) <= 57) return false;
  return !line.dates.some((date) => word.start >= date.start && word.end <= date.end);
}

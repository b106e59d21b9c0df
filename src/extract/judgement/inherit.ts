/**
 * What a block or a table row does not say itself is taken from its surroundings: the direction from the
 * heading above, the security from the line above the rows or from the lines below each row.
 */

import type { Segment } from "../blocks/segments.ts";
import type { TextLine } from "../layout/text-line.ts";
import { type DirectionVote, voteByWords } from "../values/direction.ts";
import { findSecurity } from "../values/security.ts";
import type { SecurityFound } from "../values/security-code.ts";
import { listedFor } from "./named-security.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Score of a ticker that a label, an exchange or brackets mark as one. */
const TICKER_NAMED = 0.5;

/** Weight of a word in a heading of several words. */
const HEADED = 1.3;

/**
 * Uses the words of the rows; failing that, those of the block above them; failing that, the heading above
 * the rows.
 */
export function wordsOf(document: ParsedText, { from, to, fact }: Segment): DirectionVote {
  const { lines, sections } = document;
  // Only rows are under a shared heading; longer blocks have their own.
  const isUnder = fact.first === fact.last && sections[fact.first] === "trade";
  const heading = isUnder
    ? lines.findLast((line) => line.index < fact.first && isHeading(line))
    : undefined;
  const places = [
    lines.slice(fact.first, fact.last + 1),
    lines.slice(from, fact.last + 1),
    heading ? [heading] : [],
  ];
  for (const place of places) {
    const vote = voteByWords(place);
    if (vote.buy + vote.sell > 0) return vote;
  }
  const own = voteByWords(lines.slice(from, to));
  if (own.buy + own.sell > 0 || lines[fact.first]!.dates.length === 0) return own;
  // For dated rows of a document whose title names one side only, such as a savings plan.
  const { words } = document;
  const isAbove = words.line !== null && words.line < fact.first && words.top >= HEADED;
  return isAbove && Math.min(words.buy, words.sell) === 0 ? words : own;
}

/** True for "Purchases" and little else. */
function isHeading(line: TextLine): boolean {
  if (line.words.length > 4 || line.numbers.some((token) => token.hasDecimals)) return false;
  const sides = line.directions.filter((match) => match.value !== "CANCEL");
  return sides.length > 0 && sides.every((match) => match.value === sides[0]!.value);
}

export function securityOf(lines: readonly TextLine[], segment: Segment): SecurityFound {
  const { from, to, fact, hasCodeBelow } = segment;
  const rows = lines.slice(fact.first, fact.last + 1);
  const block = lines.slice(from, to);
  const down = lines.slice(nearestCode(lines, from, fact.first), fact.last + 1);
  const found = [rows, down, hasCodeBelow ? block : []].map((place) => findSecurity(place, rows));
  if (hasCode(found[0]!)) return found[0]!;
  const listed = listedFor(lines, lines[fact.quantity.line]!);
  if (listed) return findSecurity([listed], []);
  const coded = found.find(hasCode);
  if (coded) return coded;
  const named = found.find(({ ticker }) => ticker !== null && ticker.score >= TICKER_NAMED);
  if (named) return named;
  const above = lines.findLast((line) => line.index < from && line.codes.length > 0);
  if (above) return findSecurity([above], []);
  const guessed = found.find(({ ticker }) => ticker !== null);
  if (guessed) return guessed;
  const title = findSecurity(lines.slice(Math.max(0, from - 2), from), []);
  return title.ticker ? title : findSecurity(block, rows);
}

/** If a block names several securities, the last one before the numbers is the one they refer to. */
function nearestCode(lines: readonly TextLine[], from: number, to: number): number {
  const own = lines.slice(from, to + 1).filter((line) => line.codes.length > 0);
  const texts = new Set(own.flatMap((line) => line.codes.map((code) => code.text)));
  return texts.size > 1 ? own.at(-1)!.index : from;
}

function hasCode({ isin, wkn, valor, cusip, sedol }: SecurityFound): boolean {
  return [isin, wkn, valor, cusip, sedol].some((found) => found !== null);
}

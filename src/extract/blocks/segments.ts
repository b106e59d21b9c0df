/**
 * Cuts a document into one block for each trade. The facts say how many trades there may be; the
 * line that comes round once before each of them says where a block begins.
 */

import type { TextLine } from "../layout/text-line.ts";
import { isDateLabel, isNumberLabel } from "../layout/value-labels.ts";
import { CURRENCY_CODES } from "../lexicon/currencies.ts";
import { type KindWord, lexicon } from "../lexicon/index.ts";
import { matchPhrases } from "../lexicon/matcher.ts";
import { PLAIN } from "../values/clue-strength.ts";
import { HUNDREDTH } from "../values/rounding.ts";
import type { Fact } from "./fact.ts";

export interface Segment {
  /** Lines from (with) and to (without). */
  from: number;
  to: number;
  fact: Fact;
  /** The security stands below each row and not above a group of them. */
  hasCodeBelow: boolean;
}

/** Lines that may follow the one row of a trade. */
const LONE_LINES = 6;

type Sections = readonly (KindWord | null)[];

export function segmentsOf(
  lines: readonly TextLine[],
  sections: Sections,
  facts: readonly Fact[],
): Segment[] {
  const anchors = withoutParts(
    underTrades(
      lines,
      sections,
      withoutHoldings(facts).filter(
        (fact) => !isPayout(lines, fact) && !isCurrencyPair(lines[fact.quantity.line]!),
      ),
    ),
  );
  if (anchors.length === 1 && isWhole(lines, anchors[0]!))
    return [loneRow(lines, sections, anchors[0]!)];
  if (anchors.length < 2) return [];
  const marker = anchors.every((fact) => isWhole(lines, fact)) ? null : bestMarker(lines, anchors);
  const starts = marker ?? anchors.map((fact) => fact.first);
  const lengths: number[] = [];
  for (let i = 0; i + 1 < starts.length; i++) lengths.push(starts[i + 1]! - starts[i]!);
  // Rows stand close together: what follows the last of them is no part of it.
  const sorted = [...lengths].sort((a, b) => a - b);
  const longest = marker ? sorted.at(-1)! : sorted[sorted.length >> 1]!;
  const segments = anchors.map((fact, i) => {
    const from = starts[i]!;
    const limit = Math.max(from + longest, fact.last + 1);
    const to = Math.max(Math.min(starts[i + 1] ?? lines.length, limit), fact.last + 1);
    return { from, to: endOf(lines, sections, fact, to), fact, hasCodeBelow: false };
  });
  if (!areSeparate(lines, segments)) return [];
  const hasCodeBelow = segments.every(({ fact, to }) =>
    lines.slice(fact.last + 1, to).some((line) => line.codes.length > 0),
  );
  return segments.map((segment) => ({ ...segment, hasCodeBelow }));
}

/** Rows under a heading of holdings or income that say neither bought nor sold, nor by a sign, are no trades. */
function underTrades(lines: readonly TextLine[], sections: Sections, facts: Fact[]): Fact[] {
  const kept = facts.filter((fact) => {
    const kind = sections[fact.first] ?? null;
    if (kind === null || kind === "trade" || kind === "account-statement") return true;
    const { isNegative, isPositive } = fact.quantity.token;
    if (isNegative || isPositive) return true;
    return lines.slice(fact.first, fact.last + 1).some(isToldOn);
  });
  return kept.length > 0 ? kept : facts;
}

/** The one trade among other accountRows: its row, and the lines down to the next day. */
function loneRow(lines: readonly TextLine[], sections: Sections, fact: Fact): Segment {
  const next = lines.findIndex((line) => line.index > fact.last && headOf(line) === "#date");
  const limit = Math.min(next < 0 ? lines.length : next, fact.last + LONE_LINES);
  const to = endOf(lines, sections, fact, limit);
  const hasCodeBelow = lines.slice(fact.last + 1, to).some((line) => line.codes.length > 0);
  return { from: fact.first, to, fact, hasCodeBelow };
}

/** A row that says when and which way begins with itself. */
function isWhole(lines: readonly TextLine[], fact: Fact): boolean {
  const line = lines[fact.first]!;
  return fact.first === fact.last && line.dates.length > 0 && isToldOn(line);
}

function isToldOn(line: TextLine): boolean {
  return line.directions.some((match) => match.value !== "CANCEL");
}

/** A row of a table ends where the next heading stands, or the heads of the columns once more. */
function endOf(lines: readonly TextLine[], sections: Sections, fact: Fact, to: number): number {
  if (fact.first !== fact.last) return to;
  const head = lines.findLast((line) => line.index < fact.first && isHead(line));
  for (let i = fact.last + 1; i < to; i++) {
    const isAgain = isHead(lines[i]!) && lines[i]!.folded === head?.folded;
    if (isAgain || sections[i] !== sections[fact.last]) return i;
  }
  return to;
}

function isHead(line: TextLine): boolean {
  const heads = line.labels.filter((label) => isNumberLabel(label) || isDateLabel(label));
  return heads.length >= 3 && !line.numbers.some((token) => token.hasDecimals);
}

/** "USD.SGD -1,000 1.34": an exchange of money, not of securities. */
function isCurrencyPair(line: TextLine): boolean {
  if (line.codes.length > 0) return false;
  return line.words.some((word, i) => {
    const next = line.words[i + 1];
    if (!next || next.start - word.end !== 1 || !"./".includes(line.folded[word.end]!))
      return false;
    return CURRENCY_CODES.has(word.text) && CURRENCY_CODES.has(next.text);
  });
}

/** Shares times dividend per share is a fact too; the word stands on its line. New shares have a sign. */
function isPayout(lines: readonly TextLine[], fact: Fact): boolean {
  const line = lines[fact.gross.line]!;
  if (fact.quantity.token.isPositive && fact.quantity.decimals >= 3) return false;
  if (line.directions.some((match) => match.value !== "CANCEL")) return false;
  return matchPhrases(lexicon.kinds, line.folded, line.words).some(
    (match) => match.value === "dividend" || match.value === "interest",
  );
}

function withoutHoldings(facts: readonly Fact[]): Fact[] {
  return facts.filter(
    (fact) => Math.max(fact.quantity.clues.noise ?? 0, fact.gross.clues.noise ?? 0) < PLAIN,
  );
}

/** Executions of one order add up to a total that is a fact too, or to nothing printed. */
function withoutParts(facts: readonly Fact[]): Fact[] {
  if (facts.length < 3) return facts.slice();
  for (const whole of facts) {
    let quantity = 0;
    let gross = 0;
    for (const part of facts) {
      if (part === whole) continue;
      quantity += part.quantity.value;
      gross += part.gross.value;
    }
    if (
      Math.abs(quantity - whole.quantity.value) < 1e-6 * quantity &&
      Math.abs(gross - whole.gross.value) < 2 * HUNDREDTH * facts.length
    )
      return [whole];
  }
  return facts.slice();
}

/** Executions of one order share its security, its day and its direction; trades bring their own. */
function areSeparate(lines: readonly TextLine[], segments: readonly Segment[]): boolean {
  const days = new Set<string>();
  let directions = 0;
  const codes = new Set<string>();
  let withCode = 0;
  for (const { from, to, fact } of segments) {
    for (let i = fact.first; i <= fact.last; i++)
      for (const date of lines[i]!.dates) days.add(date.iso);
    const own = lines.slice(from, to);
    if (own.some((line) => line.directions.some((match) => match.value !== "CANCEL")))
      directions += 1;
    const code = own.flatMap((line) => line.codes)[0];
    if (code) {
      codes.add(code.text);
      withCode += 1;
    }
  }
  return directions >= 2 || codes.size >= 2 || withCode >= 2 || days.size >= 2;
}

/** The first word of a line, or what it holds where it begins with a value. */
function headOf(line: TextLine): string {
  const word = line.words[0];
  if (!word) return "";
  const isValue = word.text.charCodeAt(0) <= 57;
  if (!isValue)
    return word.text.length > 1 ? word.text : `${word.text} ${line.words[1]?.text ?? ""}`;
  return line.dates[0]?.start === word.start ? "#date" : "#number";
}

/**
 * A marker stands exactly once before each anchor and after the one before it. Of several the one
 * that leaves the widest blocks is taken: what precedes it belongs to no trade.
 */
function bestMarker(lines: readonly TextLine[], anchors: readonly Fact[]): number[] | null {
  const places = new Map<string, number[]>();
  for (const line of lines) {
    for (const key of keysOf(line, lines[line.index - 1])) {
      const list = places.get(key);
      if (list) list.push(line.index);
      else places.set(key, [line.index]);
    }
  }
  // The head of the page holds dates and codes too: those are passed over only where no word serves.
  const words = widest(
    [...places.values()].map((list) => interleave(list, anchors, false)),
    anchors,
  );
  if (words) return words;
  const values = [...places].filter(([key]) => key.startsWith("#"));
  return widest(
    values.map(([, list]) => interleave(list, anchors, true)),
    anchors,
  );
}

function widest(found: readonly (number[] | null)[], anchors: readonly Fact[]): number[] | null {
  let best: number[] | null = null;
  let bestSum = Number.POSITIVE_INFINITY;
  for (const chosen of found) {
    if (!chosen) continue;
    const sum = chosen.reduce((total, place, i) => total + (place - anchors[i]!.first), 0);
    if (-sum > anchors.length * 25 || sum >= bestSum) continue;
    best = chosen;
    bestSum = sum;
  }
  return best;
}

function keysOf(line: TextLine, previous: TextLine | undefined): string[] {
  const head = headOf(line);
  // The day of trade and that of payment stand on lines of their own; the first of them begins a block.
  const keys = previous && isDay(previous) && head === "#date" ? [] : [head];
  if (line.codes.some((code) => code.kind !== "cusip")) keys.push("#isin");
  if (line.directions.some((match) => match.value !== "CANCEL")) keys.push("#direction");
  if (line.times.length > 0) keys.push("#time");
  return keys.filter((key) => key !== "" && key !== "#number");
}

function isDay(line: TextLine): boolean {
  return line.dates.length === 1 && line.numbers.length === 0 && isCovered(line, line.dates[0]!);
}

function isCovered(line: TextLine, span: { start: number; end: number }): boolean {
  return line.folded.trim().length <= span.end - span.start;
}

/** With `isLoose` the first block begins at the last of several places before it. */
function interleave(
  places: readonly number[],
  anchors: readonly Fact[],
  isLoose: boolean,
): number[] | null {
  if (places.length < anchors.length) return null;
  const chosen: number[] = [];
  let at = 0;
  let previousEnd = -1;
  for (const anchor of anchors) {
    let found = -1;
    while (at < places.length && places[at]! <= anchor.first) {
      const isFree = found < 0 || (isLoose && previousEnd < 0);
      if (places[at]! > previousEnd && isFree) found = places[at]!;
      else if (places[at]! > previousEnd) return null;
      at += 1;
    }
    if (found < 0) return null;
    chosen.push(found);
    previousEnd = anchor.last;
  }
  return chosen;
}

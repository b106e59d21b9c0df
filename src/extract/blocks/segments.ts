/**
 * Cuts a document into one block per trade. The facts say how many trades there may be; a line that recurs
 * once before each of them says where a block begins.
 */

import { directedBefore, hasDirection, type TextLine } from "../layout/text-line.ts";
import { isDateLabel, isNumberLabel } from "../layout/value-labels.ts";
import { CURRENCY_CODES } from "../lexicon/currencies.ts";
import { type KindWord, lexicon } from "../lexicon/index.ts";
import type { Concept } from "../lexicon/labels.ts";
import { matchPhrases } from "../lexicon/matcher.ts";
import { PLAIN } from "../values/clue-strength.ts";
import { HUNDREDTH } from "../values/rounding.ts";
import type { Fact } from "./fact.ts";

export interface Segment {
  /** Lines, from inclusive to exclusive. */
  from: number;
  to: number;
  fact: Fact;
  /** The security is printed below each row rather than above a group of rows. */
  hasCodeBelow: boolean;
  /** Another block of the document reports income, so the document as a whole is not this trade. */
  isBesideIncome: boolean;
}

/** Number of lines that may follow the single row of a trade. */
const LONE_LINES = 6;

type Sections = readonly (KindWord | null)[];

export function segmentsOf(
  lines: readonly TextLine[],
  sections: Sections,
  facts: readonly Fact[],
): Segment[] {
  const payouts = new Map(facts.map((fact) => [fact, payoutHeadOf(lines, fact)]));
  const heads = [...payouts.values()].filter((head) => head !== null);
  const isBesideIncome = heads.length > 0;
  const anchors = withoutParts(
    lines,
    underTrades(
      lines,
      sections,
      withoutHoldings(facts).filter(
        (fact) =>
          !isPayout(lines, fact) &&
          payouts.get(fact) === null &&
          !isCurrencyPair(lines[fact.quantity.line]!),
      ),
    ),
  );
  if (anchors.length === 1) {
    const [fact] = anchors as [Fact];
    const from = isWhole(lines, fact) ? fact.first : datedHeadOf(lines, fact);
    return from < 0 ? [] : [{ ...loneBlock(lines, sections, fact, from), isBesideIncome }];
  }
  if (anchors.length < 2) return [];
  const marker = anchors.every((fact) => isWhole(lines, fact)) ? null : bestMarker(lines, anchors);
  const starts = (marker ?? anchors.map((fact) => fact.first)).map((start, i) => {
    const payout = heads.findLast((head) => head >= start && head < anchors[i]!.first);
    return payout === undefined ? start : Math.max(start, datedHeadOf(lines, anchors[i]!, payout));
  });
  const lengths: number[] = [];
  for (let i = 0; i + 1 < starts.length; i++) lengths.push(starts[i + 1]! - starts[i]!);
  // Rows are close together, so what follows the last one is not part of it.
  const sorted = [...lengths].sort((a, b) => a - b);
  const longest = marker ? sorted.at(-1)! : sorted[sorted.length >> 1]!;
  const segments = anchors.map((fact, i) => {
    const from = starts[i]!;
    const limit = Math.max(from + longest, fact.last + 1);
    const payout = heads.find((head) => head > fact.last) ?? lines.length;
    const next = Math.min(starts[i + 1] ?? lines.length, payout);
    const to = endOf(lines, sections, fact, Math.max(Math.min(next, limit), fact.last + 1));
    return { from, to, fact, hasCodeBelow: false, isBesideIncome };
  });
  if (!areSeparate(lines, segments)) return [];
  const hasCodeBelow = segments.every(({ fact, to }) =>
    lines.slice(fact.last + 1, to).some((line) => line.codes.length > 0),
  );
  return segments.map((segment) => ({ ...segment, hasCodeBelow }));
}

/**
 * Drops rows under a heading of holdings or income that show no direction, neither by a word nor by a sign.
 */
function underTrades(lines: readonly TextLine[], sections: Sections, facts: Fact[]): Fact[] {
  const kept = facts.filter((fact) => {
    const kind = sections[fact.first] ?? null;
    if (kind === null || kind === "trade" || kind === "account-statement") return true;
    const { isNegative, isPositive } = fact.quantity.token;
    if (isNegative || isPositive) return true;
    return lines.slice(fact.first, fact.last + 1).some(hasDirection);
  });
  return kept.length > 0 ? kept : facts;
}

/** Lines between the heading of a block and its numbers. */
const HEADED_LINES = 8;

/** The last line above the numbers that begins with bought or sold and prints a day, or -1. */
function datedHeadOf(lines: readonly TextLine[], fact: Fact, from = 0): number {
  const above = lines.slice(Math.max(from, fact.first - HEADED_LINES), fact.first);
  return above.findLast(beginsDatedBlock)?.index ?? -1;
}

/** The only trade among other bookings: its row or block, and the lines down to the next date. */
function loneBlock(
  lines: readonly TextLine[],
  sections: Sections,
  fact: Fact,
  from: number,
): Omit<Segment, "isBesideIncome"> {
  const next = lines.findIndex((line) => line.index > fact.last && headOf(line) === "#date");
  const limit = Math.min(next < 0 ? lines.length : next, fact.last + LONE_LINES);
  const to = endOf(lines, sections, fact, limit);
  const hasCodeBelow = lines.slice(fact.last + 1, to).some((line) => line.codes.length > 0);
  return { from, to, fact, hasCodeBelow };
}

/** True if a row names its own date and direction, so that its block begins with it. */
function isWhole(lines: readonly TextLine[], fact: Fact): boolean {
  const line = lines[fact.first]!;
  const isRow = fact.first === fact.last || fact.isRow === true;
  return isRow && line.dates.length > 0 && hasDirection(line);
}

/**
 * A block ends where a list of holdings begins; a table row also at the next heading, or where the column headers are
 * repeated.
 */
function endOf(lines: readonly TextLine[], sections: Sections, fact: Fact, most: number): number {
  const next = nextRow(lines, fact, most);
  const holdings = lines.slice(fact.last + 1, next).findIndex(isHeadOfHoldings);
  const to = holdings < 0 ? next : fact.last + 1 + holdings;
  if (fact.first !== fact.last) return to;
  const head = lines.findLast((line) => line.index < fact.first && isHead(line));
  for (let i = fact.last + 1; i < to; i++) {
    const isAgain = isHead(lines[i]!) && lines[i]!.folded === head?.folded;
    if (isAgain || sections[i] !== sections[fact.last]) return i;
  }
  return to;
}

/** In a list of dated rows, a trade ends where the next row begins, even if that is not a trade. */
function nextRow(lines: readonly TextLine[], fact: Fact, to: number): number {
  if (headOf(lines[fact.first]!) !== "#date") return to;
  const isRow = (line: TextLine) =>
    headOf(line) === "#date" && line.numbers.some((token) => token.hasDecimals);
  for (let i = fact.last + 1; i < to; i++) if (isRow(lines[i]!)) return i;
  return to;
}

function isHead(line: TextLine): boolean {
  const heads = line.labels.filter((label) => isNumberLabel(label) || isDateLabel(label));
  return heads.length >= 3 && !line.numbers.some((token) => token.hasDecimals);
}

/** The columns are those of a list of units, and one of them is the balance. */
function isHeadOfHoldings(line: TextLine): boolean {
  const names = (concept: Concept) =>
    line.labels.some(({ value }) => value.some((hit) => hit.concept === concept));
  return isHead(line) && names("quantity") && names("noise");
}

/** "USD.SGD -1,000 1.34": a currency exchange, not a trade in securities. */
function isCurrencyPair(line: TextLine): boolean {
  if (line.codes.length > 0) return false;
  return line.words.some((word, i) => {
    const next = line.words[i + 1];
    if (!next || next.start - word.end !== 1 || !"./".includes(line.folded[word.end]!))
      return false;
    return CURRENCY_CODES.has(word.text) && CURRENCY_CODES.has(next.text);
  });
}

/** Shares times dividend per share is a fact too; the word is on the same line. A sign marks new shares. */
function isPayout(lines: readonly TextLine[], fact: Fact): boolean {
  const line = lines[fact.gross.line]!;
  if (fact.quantity.token.isPositive && fact.quantity.decimals >= 3) return false;
  if (hasDirection(line)) return false;
  return matchPhrases(lexicon.kinds, line.folded, line.words).some(
    (match) => match.value === "dividend" || match.value === "interest",
  );
}

/**
 * "Distribution of 4 May 2024" opens a block of its own: its units were held, and its price was paid for each of them.
 * The line that opens it, or null.
 */
function payoutHeadOf(lines: readonly TextLine[], fact: Fact): number | null {
  const above = lines.slice(Math.max(0, fact.first - HEADED_LINES), fact.first + 1);
  const head = above.findLast((line) => beginsDatedBlock(line) || beginsDatedPayout(line));
  if (!head || head.index >= fact.first || beginsDatedBlock(head)) return null;
  const { isNegative, isPositive } = fact.quantity.token;
  const own = lines.slice(head.index + 1, fact.last + 1);
  // A row with a day, a direction or a sign of its own is not part of that block.
  const isOwn = own.some(hasDirection) || lines[fact.first]!.dates.length > 0;
  return isOwn || isNegative || isPositive ? null : head.index;
}

function beginsDatedPayout(line: TextLine): boolean {
  if (line.dates.length === 0 || hasDirection(line)) return false;
  return matchPhrases(lexicon.kinds, line.folded, line.words).some(
    ({ value, first }) => first <= 1 && (value === "dividend" || value === "interest"),
  );
}

function withoutHoldings(facts: readonly Fact[]): Fact[] {
  return facts.filter(
    (fact) => Math.max(fact.quantity.clues.noise ?? 0, fact.gross.clues.noise ?? 0) < PLAIN,
  );
}

/**
 * Some facts may add up to another: executions to their order, which is one trade, or trades of several days
 * to the total of a list, which is not a trade.
 */
function withoutParts(lines: readonly TextLine[], facts: readonly Fact[]): Fact[] {
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
      return isDatedApart(lines, facts, whole) ? facts.filter((fact) => fact !== whole) : [whole];
  }
  return facts.slice();
}

/** True if the rows of the parts print dates of their own that differ from row to row. */
function isDatedApart(lines: readonly TextLine[], facts: readonly Fact[], whole: Fact): boolean {
  const days = new Set<string>();
  for (const fact of facts) {
    if (fact === whole) continue;
    const own = lines.slice(fact.first, fact.last + 1).flatMap((line) => line.dates)[0];
    if (own) days.add(own.iso);
  }
  return days.size >= 2;
}

/** Executions of one order share its security, date and direction; separate trades have their own. */
function areSeparate(lines: readonly TextLine[], segments: readonly Segment[]): boolean {
  const days = new Set<string>();
  let directions = 0;
  const codes = new Set<string>();
  let withCode = 0;
  for (const { from, to, fact } of segments) {
    for (let i = fact.first; i <= fact.last; i++)
      for (const date of lines[i]!.dates) days.add(date.iso);
    const own = lines.slice(from, to);
    if (own.some(hasDirection)) directions += 1;
    const code = own.flatMap((line) => line.codes)[0];
    if (code) {
      codes.add(code.text);
      withCode += 1;
    }
  }
  return directions >= 2 || codes.size >= 2 || withCode >= 2 || days.size >= 2;
}

/** The first word of a line or, if it begins with a value, the type of that value. */
function headOf(line: TextLine): string {
  const word = line.words[0];
  if (!word) return "";
  const isValue = word.text.charCodeAt(0) <= 57;
  if (!isValue)
    return word.text.length > 1 ? word.text : `${word.text} ${line.words[1]?.text ?? ""}`;
  return line.dates[0]?.start === word.start ? "#date" : "#number";
}

/**
 * A marker appears exactly once between two anchors and once before the first. If several qualify, the one
 * that leaves the widest blocks wins, because what precedes it belongs to no trade.
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
  // Page headers contain dates and codes too, so these serve as markers only if no word does.
  const words = widest(
    [
      ...[...places.values()].map((list) => interleave(list, anchors, false)),
      directionStarts(lines, anchors),
      datedHeads(lines, anchors),
    ],
    lines,
    anchors,
  );
  if (words) return words;
  const values = [...places].filter(([key]) => key.startsWith("#"));
  return widest(
    values.map(([, list]) => interleave(list, anchors, true)),
    lines,
    anchors,
  );
}

/**
 * Blocks of other kinds may stand between the trades, so that no line recurs exactly once: then the last line that
 * begins with bought or sold, before each trade and after the one before it.
 */
function directionStarts(lines: readonly TextLine[], anchors: readonly Fact[]): number[] | null {
  const out: number[] = [];
  let end = -1;
  for (const { first, last } of anchors) {
    let at = first;
    while (at > end && !beginsWithDirection(lines[at]!)) at -= 1;
    if (at <= end) return null;
    out.push(at);
    end = last;
  }
  return out;
}

function beginsWithDirection({ directions }: TextLine): boolean {
  return directions[0]?.first === 0 && directions[0].value !== "CANCEL";
}

/** "Purchase of 50.00 EUR, priced on 4 May 2024": the heading of a block, and not a mention of another one. */
function beginsDatedBlock(line: TextLine): boolean {
  return beginsWithDirection(line) && line.dates.length > 0;
}

/** The dated heading of each block. What has none is a holding or of another kind; most must have one. */
function datedHeads(lines: readonly TextLine[], anchors: readonly Fact[]): number[] | null {
  let headed = 0;
  const out = anchors.map((fact, i) => {
    const head = datedHeadOf(lines, fact, i === 0 ? 0 : anchors[i - 1]!.last + 1);
    if (head >= 0) headed += 1;
    return head < 0 ? fact.first : head;
  });
  return headed * 2 > anchors.length ? out : null;
}

/** Of the places that leave most blocks a word for bought or sold, those that leave the widest blocks. */
function widest(
  found: readonly (number[] | null)[],
  lines: readonly TextLine[],
  anchors: readonly Fact[],
): number[] | null {
  const directed = directedBefore(lines);
  let best: number[] | null = null;
  let bestSum = Number.POSITIVE_INFINITY;
  let bestSaid = 0;
  for (const chosen of found) {
    if (!chosen) continue;
    const sum = chosen.reduce((total, place, i) => total + (place - anchors[i]!.first), 0);
    if (-sum > anchors.length * 25) continue;
    const said = chosen.filter(
      (place, i) => directed[anchors[i]!.last + 1]! > directed[place]!,
    ).length;
    if (best && (said < bestSaid || (said === bestSaid && sum >= bestSum))) continue;
    best = chosen;
    bestSum = sum;
    bestSaid = said;
  }
  return best;
}

function keysOf(line: TextLine, previous: TextLine | undefined): string[] {
  const head = headOf(line);
  // Trade date and payment date may be on lines of their own; the first of them begins a block.
  const keys = previous && isDay(previous) && head === "#date" ? [] : [head];
  if (line.codes.some((code) => code.kind !== "cusip")) keys.push("#isin");
  if (hasDirection(line)) keys.push("#direction");
  if (line.times.length > 0) keys.push("#time");
  return keys.filter((key) => key !== "" && key !== "#number");
}

function isDay(line: TextLine): boolean {
  return line.dates.length === 1 && line.numbers.length === 0 && isCovered(line, line.dates[0]!);
}

function isCovered(line: TextLine, span: { start: number; end: number }): boolean {
  return line.folded.trim().length <= span.end - span.start;
}

/** With `isLoose`, the first block begins at the last of several places before its anchor. */
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

/**
 * Cuts a document into one block for each trade. The facts say how many trades there may be; the
 * line that comes round once before each of them says where a block begins.
 */
import type { Fact } from "./facts.ts";
import { CURRENCY_CODES } from "./lexicon/currencies.ts";
import { kindMatcher } from "./lexicon/index.ts";
import { matchPhrases } from "./lexicon/matcher.ts";
import type { DocLine } from "./lines.ts";

export interface Segment {
  /** Lines from (with) and to (without). */
  from: number;
  to: number;
  fact: Fact;
  /** Begins with a line that comes round before each trade; else it begins with the fact itself. */
  hasMarker: boolean;
}

export function segmentsOf(lines: readonly DocLine[], facts: readonly Fact[]): Segment[] {
  const anchors = withoutParts(
    withoutHoldings(facts).filter(
      (fact) => !isPayout(lines, fact) && !isCurrencyPair(lines[fact.quantity.line]!),
    ),
  );
  if (anchors.length < 2) return [];
  const marker = bestMarker(lines, anchors);
  const starts = marker ?? anchors.map((fact) => fact.first);
  const lengths: number[] = [];
  for (let i = 0; i + 1 < starts.length; i++) lengths.push(starts[i + 1]! - starts[i]!);
  // Rows stand close together: what follows the last of them is no part of it.
  const sorted = [...lengths].sort((a, b) => a - b);
  const longest = marker ? sorted.at(-1)! : sorted[sorted.length >> 1]!;
  const segments = anchors.map((fact, i) => {
    const from = starts[i]!;
    const limit = Math.max(from + longest, fact.last + 1);
    const to = Math.min(starts[i + 1] ?? lines.length, limit);
    return { from, to: Math.max(to, fact.last + 1), fact, hasMarker: marker !== null };
  });
  return areSeparate(lines, segments) ? segments : [];
}

/** "USD.SGD -1,000 1.34": an exchange of money, not of securities. */
function isCurrencyPair(line: DocLine): boolean {
  if (line.codes.length > 0) return false;
  return line.words.some((word, i) => {
    const next = line.words[i + 1];
    if (!next || next.start - word.end !== 1 || !"./".includes(line.folded[word.end]!))
      return false;
    return CURRENCY_CODES.has(word.text) && CURRENCY_CODES.has(next.text);
  });
}

/** Shares times dividend per share is a fact too; the word stands on its line. */
function isPayout(lines: readonly DocLine[], fact: Fact): boolean {
  const line = lines[fact.gross.line]!;
  if (line.directions.some((match) => match.value !== "CANCEL")) return false;
  return matchPhrases(kindMatcher, line.folded, line.words).some(
    (match) => match.value === "dividend" || match.value === "interest",
  );
}

function withoutHoldings(facts: readonly Fact[]): Fact[] {
  return facts.filter(
    (fact) => Math.max(fact.quantity.evidence.noise ?? 0, fact.gross.evidence.noise ?? 0) < 0.6,
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
      Math.abs(gross - whole.gross.value) < 0.02 * facts.length
    )
      return [whole];
  }
  return facts.slice();
}

/** Executions of one order share its security, its day and its direction; trades bring their own. */
function areSeparate(lines: readonly DocLine[], segments: readonly Segment[]): boolean {
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
function headOf(line: DocLine): string {
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
function bestMarker(lines: readonly DocLine[], anchors: readonly Fact[]): number[] | null {
  const places = new Map<string, number[]>();
  for (const line of lines) {
    for (const key of keysOf(line)) {
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

function keysOf(line: DocLine): string[] {
  const keys = [headOf(line)];
  if (line.codes.some((code) => code.kind !== "cusip")) keys.push("#isin");
  if (line.directions.some((match) => match.value !== "CANCEL")) keys.push("#direction");
  if (line.times.length > 0) keys.push("#time");
  return keys.filter((key) => key !== "" && key !== "#number");
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

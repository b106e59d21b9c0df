/**
 * PDF readers that follow columns print all labels first and all values after them, or each value before its
 * label. Types reveal this: every label must find a value of its kind.
 */

import type { TextLine } from "../layout/text-line.ts";
import { isDateLabel, isNumberLabel } from "../layout/value-labels.ts";
import type { ConceptHit } from "../lexicon/index.ts";
import type { PhraseMatch } from "../lexicon/matcher.ts";
import { type Amount, type Day, gather } from "./amount.ts";

type Label = PhraseMatch<ConceptHit[]>;

/** A stack is shorter than a page; with fewer pairs than this, the match may be chance. */
const STACK_MAX = 40;
const PAIRS_MIN = 3;
const SURE = 0.75;
const STACKED = 0.8;
const TURNED = 0.85;

export function addStackClues(
  lines: readonly TextLine[],
  amounts: readonly Amount[],
  days: readonly Day[],
): void {
  const pairs = [...stackedPairs(lines), ...turnedPairs(lines)];
  if (pairs.length === 0) return;
  const byLine = new Map(pairs.map((pair) => [pair.line.index, pair]));
  for (const amount of amounts) {
    const pair = byLine.get(amount.line);
    if (pair && isNumberLabel(pair.label)) gather(amount.clues, pair.label.value, pair.weight);
  }
  for (const day of days) {
    const pair = byLine.get(day.line);
    if (pair && isDateLabel(pair.label)) gather(day.clues, pair.label.value, pair.weight);
  }
}

interface Pair {
  label: Label;
  line: TextLine;
  weight: number;
}

/** Lines with labels, followed by as many lines with values. */
function stackedPairs(lines: readonly TextLine[]): Pair[] {
  const out: Pair[] = [];
  for (let at = 1; at < lines.length; at++) {
    if (!isValueLine(lines[at]!) || !isLabelLine(lines[at - 1]!)) continue;
    let first = at;
    while (first > 0 && at - first < STACK_MAX && isLabelLine(lines[first - 1]!)) first -= 1;
    let end = at;
    while (end < lines.length && end - at < STACK_MAX && !hasLabel(lines[end]!)) end += 1;
    out.push(...bestStack(lines.slice(first, at), lines.slice(at, end)));
    at = end;
  }
  return out;
}

/** The last labels of the stack belong to the first values; the types decide how many. */
function bestStack(labels: readonly TextLine[], values: readonly TextLine[]): Pair[] {
  let best: Pair[] = [];
  for (let count = Math.min(labels.length, values.length); count >= PAIRS_MIN; count--) {
    const pairs: Pair[] = [];
    const isWhole = values.slice(0, count).every((line, i) => {
      const label = sureLabel(labels[labels.length - count + i]!);
      if (!label) return true;
      pairs.push({ label, line, weight: STACKED });
      return isDateLabel(label) ? line.dates.length > 0 : isNumberLine(line);
    });
    if (isWhole && pairs.length > best.length) best = pairs;
  }
  return best.length >= PAIRS_MIN ? best : [];
}

function isLabelLine(line: TextLine): boolean {
  return !isValueLine(line) && line.words.length <= 6;
}

function isValueLine(line: TextLine): boolean {
  return line.numbers.length > 0 || line.dates.length > 0 || line.codes.length > 0;
}

function isNumberLine(line: TextLine): boolean {
  return line.numbers.length > 0 && line.dates.length === 0 && line.codes.length === 0;
}

function hasLabel(line: TextLine): boolean {
  return sureLabel(line) !== null;
}

/** The label of a value that the line names clearly. */
function sureLabel(line: TextLine): Label | null {
  return (
    line.labels.find(
      (label) =>
        (isDateLabel(label) || isNumberLabel(label)) &&
        label.value.some((hit) => hit.strength >= SURE),
    ) ?? null
  );
}

/** Lines that begin with a value and end with its label, if the document has hardly any others. */
function turnedPairs(lines: readonly TextLine[]): Pair[] {
  const out: Pair[] = [];
  let usual = 0;
  for (const line of lines) {
    const label = sureLabel(line);
    if (!label || !isValueLine(line)) continue;
    const places = [...line.dates, ...line.numbers].map((value) => value.start);
    if (places.length === 0) continue;
    if (Math.max(...places) < label.start) out.push({ label, line, weight: TURNED });
    else usual += 1;
  }
  return out.length >= PAIRS_MIN && out.length > 2 * usual ? out : [];
}

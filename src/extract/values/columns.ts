/**
 * Columns: a line of labels without values is the header of the lines below it. If the reading has boxes,
 * columns are matched by position on the page, otherwise by order and type.
 */

import type { Span, TextLine } from "../layout/text-line.ts";
import { isDateLabel, isNumberLabel } from "../layout/value-labels.ts";
import type { ConceptHit } from "../lexicon/index.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { PhraseMatch } from "../lexicon/matcher.ts";
import { type Amount, type Day, gather } from "./amount.ts";

/** How much of a header's strength reaches its column. */
const WEIGHT = {
  /** Matched by position on the page; by the order of the columns; counted from one end only. */
  byPlace: 0.95,
  byOrder: 0.85,
  fromOneEnd: 0.6,
  /** More than a few lines away; a single label that may not be a header; a label alone above its amount. */
  far: 0.7,
  single: 0.7,
  carried: 0.55,
} as const;
/** A line with a single label is a header if the label is two fifths of it. */
const LABEL_SHARE = 2.5;
/** More decimals than these are fractions of shares. */
const RATE_DECIMALS_MAX = 6;
/** How far a value may be from its column, in points; beyond this it belongs to another column. */
const GAP_MAX = 40;
const BESIDE_COLUMN = 0.7;

type Label = PhraseMatch<ConceptHit[]>;

interface Header {
  line: TextLine;
  numbers: Label[];
  dates: Label[];
}

const REACH = 40;
const HEAD_WORDS_MAX = 24;
/** A line with this many labels is the header of a table. */
const TABLE = 3;
const NEAR = 4;

/** Returns null if the line is not a header. */
function headerOf(line: TextLine): Header | null {
  const numbers = line.labels.filter(isNumberLabel);
  const dates = line.labels.filter(isDateLabel);
  const own = line.numbers.filter((token) => token.hasDecimals).length + line.dates.length;
  if (own > 0 || line.numbers.length > 1) return null;
  const count = new Set([...numbers, ...dates]).size;
  if (count === 0) return null;
  const letters = line.labels.reduce((sum, label) => sum + label.end - label.start, 0);
  // A sentence mentions a label in passing; a header consists mostly of labels.
  if (count < 2 && letters * LABEL_SHARE < line.folded.trim().length) return null;
  if (line.words.length > HEAD_WORDS_MAX && letters * 2 < line.folded.trim().length) return null;
  return { line, numbers, dates };
}

const CARRIED: ReadonlySet<Concept> = new Set(["net", "debit", "credit", "gross", "subtotal"]);

/** A label on a line without an amount applies to the line below. */
function carryDown(previous: TextLine, line: TextLine, amounts: readonly Amount[]): void {
  if (previous.numbers.some((token) => token.hasDecimals) || line.labels.some(isNumberLabel))
    return;
  // A table header names each column; no single label applies to all of them.
  if (previous.labels.filter(isNumberLabel).length >= TABLE) return;
  for (const label of previous.labels) {
    const hits = label.value.filter((hit) => CARRIED.has(hit.concept) && hit.strength === 1);
    if (hits.length === 0) continue;
    for (const amount of amounts)
      if (amount.token.hasDecimals) gather(amount.clues, hits, WEIGHT.carried);
  }
}

/** Adds column clues to the values; `amounts` and `days` must be in page order. */
export function addColumnClues(
  lines: readonly TextLine[],
  amounts: readonly Amount[],
  days: readonly Day[],
): void {
  const byLine = groupByLine(amounts);
  const daysByLine = groupByLine(days);
  const active: Header[] = [];
  for (const line of lines) {
    const header = headerOf(line);
    if (header) {
      const isSingle = header.numbers.length + header.dates.length === 1;
      while (active.length > 0 && (active.length >= 3 || line.index - active[0]!.line.index > NEAR))
        active.shift();
      if (!isSingle || active.length === 0 || line.index - active.at(-1)!.line.index <= 2)
        active.push(header);
      else active.push(header);
      continue;
    }
    const own = byLine.get(line.index);
    const ownDays = daysByLine.get(line.index);
    if (!own && !ownDays) continue;
    const previous = lines[line.index - 1];
    if (own && previous) carryDown(previous, line, own);
    for (const head of active) {
      const distance = line.index - head.line.index;
      if (distance > REACH) continue;
      const isSingle = head.numbers.length + head.dates.length === 1;
      if (isSingle && distance > 2) continue;
      const weight = distance <= NEAR ? 1 : WEIGHT.far;
      align(head, line, own ?? [], ownDays ?? [], isSingle ? weight * WEIGHT.single : weight);
    }
  }
}

function groupByLine<T extends { line: number }>(items: readonly T[]): Map<number, T[]> {
  const map = new Map<number, T[]>();
  for (const item of items) {
    const list = map.get(item.line);
    if (list) list.push(item);
    else map.set(item.line, [item]);
  }
  return map;
}

function align(head: Header, line: TextLine, amounts: Amount[], days: Day[], weight: number): void {
  if (head.line.boxes && line.boxes) {
    alignByPlace(head, line, amounts, days, weight);
    return;
  }
  alignByOrder(head.dates, days, weight * WEIGHT.byOrder);
  alignRate(head, amounts, weight * WEIGHT.byOrder);
  const plain = amounts.filter((amount) => !amount.token.isJoined && isColumnValue(amount));
  const joined = amounts.filter(
    (amount) => isColumnValue(amount) && !isPartOfJoined(amount, amounts),
  );
  alignByOrder(head.numbers, withEmpty(line, plain, head.numbers.length), weight * WEIGHT.byOrder);
  // Headers for money apply to amounts with decimals; whole numbers beside them are counts or codes.
  const money = joined.filter((amount) => amount.token.hasDecimals || amount.currency);
  const moneyHeads = head.numbers.filter(
    (label) => !label.value.some((hit) => hit.concept === "quantity"),
  );
  if (money.length !== joined.length && tokensOf(money).length === moneyHeads.length) {
    alignByOrder(moneyHeads, tokensOf(money), weight * WEIGHT.byOrder);
  }
  if (joined.some((amount) => amount.token.isJoined))
    alignByOrder(head.numbers, tokensOf(joined), weight * WEIGHT.byOrder);
}

/** The column of exchange rates is the one whose numbers have many decimals. */
function alignRate(head: Header, amounts: readonly Amount[], weight: number): void {
  const label = head.numbers.find((candidate) =>
    candidate.value.some((hit) => hit.concept === "fx"),
  );
  if (!label) return;
  const rates = amounts.filter(
    ({ decimals, currency }) => decimals >= 4 && decimals <= RATE_DECIMALS_MAX && !currency,
  );
  if (rates.length === 1) gather(rates[0]!.clues, label.value, weight);
}

function isColumnValue(amount: Amount): boolean {
  return amount.token.digits <= 9 || amount.token.hasDecimals;
}

function isPartOfJoined(amount: Amount, all: readonly Amount[]): boolean {
  if (amount.token.isJoined) return false;
  return all.some(
    (other) =>
      other.token.isJoined &&
      other.token.start <= amount.token.start &&
      other.token.end >= amount.token.end,
  );
}

interface Cell {
  clues: Amount["clues"][];
}

/** All readings of one printed token share its cell. */
function tokensOf(amounts: readonly Amount[]): Cell[] {
  const cells: Cell[] = [];
  let at = -1;
  for (const amount of amounts) {
    if (amount.token.start === at) cells.at(-1)!.clues.push(amount.clues);
    else cells.push({ clues: [amount.clues] });
    at = amount.token.start;
  }
  return cells;
}

/** A dash stands for an empty cell. It is counted if the row then has as many cells as the header. */
function withEmpty(line: TextLine, amounts: readonly Amount[], wanted: number): Cell[] {
  const cells = tokensOf(amounts);
  if (cells.length >= wanted || cells.length === 0) return cells;
  const starts = [...new Set(amounts.map(({ token }) => token.start))];
  const dashes = [...line.folded.matchAll(/(?<= )[-\u2013\u2014](?= |$)/g)].map(
    ({ index }) => index,
  );
  if (dashes.length === 0 || cells.length + dashes.length > wanted) return cells;
  const filled = [
    ...cells.map((cell, i) => ({ at: starts[i]!, cell })),
    ...dashes.map((at) => ({ at, cell: { clues: [] } })),
  ];
  return filled.sort((a, b) => a.at - b.at).map(({ cell }) => cell);
}

function alignByOrder(
  labels: readonly Label[],
  cells: readonly (Cell | Day)[],
  weight: number,
): void {
  if (labels.length === 0 || cells.length === 0) return;
  const spare = cells.length - labels.length;
  labels.forEach((label, i) => {
    if (spare === 0) give(cells[i]!, label, weight);
    else {
      // If a column is empty or a stray number is present, count from both ends.
      const fromLeft = cells[i];
      const fromRight = cells[i + spare];
      if (fromLeft) give(fromLeft, label, weight * WEIGHT.fromOneEnd);
      if (fromRight) give(fromRight, label, weight * WEIGHT.fromOneEnd);
    }
  });
}

function give(cell: Cell | Day, label: Label, weight: number): void {
  if (Array.isArray((cell as Cell).clues)) {
    for (const clues of (cell as Cell).clues) gather(clues, label.value, weight);
  } else gather((cell as Day).clues, label.value, weight);
}

function alignByPlace(
  head: Header,
  line: TextLine,
  amounts: Amount[],
  days: Day[],
  weight: number,
): void {
  for (const label of head.numbers) {
    const place = placeOf(head.line, label);
    for (const amount of amounts) {
      const fit = overlapOf(place, placeOf(line, amount.token));
      if (fit > 0) gather(amount.clues, label.value, weight * WEIGHT.byPlace * fit);
    }
  }
  for (const label of head.dates) {
    const place = placeOf(head.line, label);
    for (const day of days) {
      const fit = overlapOf(place, placeOf(line, day));
      if (fit > 0) gather(day.clues, label.value, weight * WEIGHT.byPlace * fit);
    }
  }
}

interface Place {
  left: number;
  right: number;
}

/** The position of a span on the page. The text of the line is its words joined by single spaces. */
export function placeOf(line: TextLine, span: Span): Place {
  let at = 0;
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (const word of line.boxes ?? []) {
    const end = at + word.text.length;
    if (at < span.end && end > span.start) {
      left = Math.min(left, word.x);
      right = Math.max(right, word.x + word.width);
    }
    at = end + 1;
  }
  return { left, right };
}

/** 1 if the spans overlap horizontally, less with a gap between them, 0 if far apart. */
function overlapOf(a: Place, b: Place): number {
  const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  if (gap <= 0) return 1;
  return gap > GAP_MAX ? 0 : BESIDE_COLUMN - gap / (2 * GAP_MAX);
}

/**
 * What the page says about each value: the label to its left, the unit to its right, the header of its
 * column. A clue is a number between 0 and about 1 for each concept; it is not yet a decision.
 */
import type { Span, TextLine } from "../layout/text-line.ts";
import { isCompatible } from "../lexicon/currencies.ts";
import { COINS } from "../lexicon/exchanges.ts";
import type { ConceptHit } from "../lexicon/index.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { PhraseMatch } from "../lexicon/matcher.ts";
import type { NumberToken } from "../text/numbers.ts";

export type Clues = Partial<Record<Concept, number>>;

export interface Amount {
  line: number;
  token: NumberToken;
  value: number;
  decimals: number;
  /** 0 for the likeliest reading of the printed digits. */
  reading: number;
  currency: string | null;
  clues: Clues;
  /** The words that gave the strongest clues. */
  label: string;
  /** What the label model takes the value for, in the order of its roles. */
  roles?: Float64Array;
  /** True if it was computed from other values and is not printed. */
  isComputed?: true;
}

export interface Day {
  line: number;
  start: number;
  end: number;
  iso: string;
  alternative: string | null;
  time: string | null;
  /** True for either end of "from … to …". */
  isPeriod: boolean;
  clues: Clues;
  roles?: Float64Array;
}

/** What remains of a label's strength after another value, after another label, and after a word. */
const BLOCKED = 0.35;
const FARTHER_LABEL = 0.6;
const WORD_BETWEEN = 0.93;
/**
 * Words about holdings and tax bases apply to the whole line; a label applies to the last amount of its row.
 */
const OF_THE_LINE = 0.75;
const LAST_OF_ROW = 0.7;
/** A unit to the right of a number; the same if it may belong to the next number or to money. */
const UNIT = 0.85;
const DOUBTED_UNIT = 0.3;

export function gather(clues: Clues, hits: readonly ConceptHit[], weight: number): void {
  for (const { concept, strength } of hits) {
    const value = strength * weight;
    if (value > (clues[concept] ?? 0)) clues[concept] = value;
  }
}

/** Adds clues from the labels to the left on the same line. */
export function leftClues(line: TextLine, span: Span, clues: Clues, isDate = false): string {
  let nearest = "";
  let weight = 1;
  let from = span.start;
  for (let i = line.labels.length - 1; i >= 0; i--) {
    const label = line.labels[i]!;
    if (label.end > span.start) continue;
    const isPreposition =
      label.end - label.start <= 3 && !label.value.some((hit) => hit.strength === 1);
    // "St." before a street is no unit of the number of the house.
    const isShort = isPreposition || label.end - label.start <= 2;
    if (isShort && wordsBetween(line, label, span.start) > 0) continue;
    const blocks = isDate
      ? datesBetween(line, label.end, from)
      : valuesBetween(line, label.end, from);
    weight *= BLOCKED ** blocks * WORD_BETWEEN ** wordsBetween(line, label, from);
    // What a line says about holdings and tax bases applies to all its numbers.
    if (isNoise(label)) gather(clues, label.value, Math.max(weight, OF_THE_LINE));
    gather(
      clues,
      label.value,
      i === 0 && !isDate && isLastNumber(line, span) ? Math.max(weight, LAST_OF_ROW) : weight,
    );
    if (nearest === "" && !isPreposition) nearest = label.phrase;
    from = label.start;
    if (!isPreposition) weight *= FARTHER_LABEL;
  }
  return nearest;
}

// The last amount of a labelled row is the one that was booked.
function isLastNumber(line: TextLine, span: Span): boolean {
  const last = line.numbers.at(-1)!;
  return last.end === span.end && last.hasDecimals;
}

function isNoise(label: PhraseMatch<ConceptHit[]>): boolean {
  return label.value.some((hit) => hit.concept === "noise");
}

function valuesBetween(line: TextLine, start: number, end: number): number {
  let count = 0;
  for (const token of line.numbers) {
    if (
      !token.isJoined &&
      token.start >= start &&
      token.end <= end &&
      token.digits < 8 &&
      !token.isPercent
    )
      count += 1;
  }
  return count;
}

function datesBetween(line: TextLine, start: number, end: number): number {
  let count = 0;
  for (const date of line.dates) if (date.start >= start && date.end <= end) count += 1;
  return count;
}

function wordsBetween(line: TextLine, label: Span, end: number): number {
  let count = 0;
  for (const word of line.words) {
    if (word.start >= label.end && word.end <= end && word.text.length > 3) count += 1;
  }
  return count;
}

/** A unit to the right of the number: "140 ST", "12 shares". */
export function rightClues(
  line: TextLine,
  token: NumberToken,
  currency: string | null,
  clues: Clues,
): void {
  const label = line.labels.find((candidate) => candidate.start >= token.end);
  if (!label || line.folded.slice(token.end, label.start).trim() !== "") return;
  if (label.start - token.end > 2) return;
  const isQuantity = label.value.some((hit) => hit.concept === "quantity" && hit.strength === 1);
  if (!isQuantity) return;
  const next = line.numbers.find((other) => other.start >= label.end);
  const labelsNext = next && line.folded.slice(label.end, next.start).trim().length <= 1;
  gather(
    clues,
    [{ concept: "quantity", strength: 1 }],
    currency || labelsNext ? DOUBTED_UNIT : UNIT,
  );
}

/**
 * The currency printed next to the number, before or after it. A currency between two numbers belongs to the
 * second one, unless the line ends with a currency.
 */
export function currencyAt(line: TextLine, token: NumberToken): string | null {
  const { currencies, numbers, folded } = line;
  if (currencies.length === 0 || coinAt(line, token)) return null;
  const before = currencies.findLast(
    (currency) => currency.end <= token.start && isThin(folded.slice(currency.end, token.start)),
  );
  const after = currencies.find(
    (currency) => currency.start >= token.end && isThin(folded.slice(token.end, currency.start)),
  );
  if (before && after) {
    const isSuffixed = currencies.at(-1)!.start >= numbers.at(-1)!.end;
    return codeOf(isSuffixed ? after : before);
  }
  if (before) return codeOf(before);
  if (!after) return null;
  const next = numbers.find(
    (other) => other.start >= after.end && isThin(folded.slice(after.end, other.start)),
  );
  const isNexts = next !== undefined && currencies.at(-1)!.start < numbers.at(-1)!.start;
  return isNexts ? null : codeOf(after);
}

/** "0.032 ETH": the coin behind a number is its unit. */
export function coinAt({ words, text }: TextLine, { end }: Span): boolean {
  const word = words.find(({ start }) => start === end + 1);
  return word !== undefined && COINS.has(text.slice(word.start, word.end));
}

function codeOf(currency: { code: string }): string {
  return currency.code || "$";
}

function isThin(gap: string): boolean {
  if (gap.length > 40) return false;
  for (const char of gap) if (!" -+:*=().".includes(char)) return false;
  return true;
}

/** True if both currencies are printed and cannot be the same. */
export function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && !isCompatible(a, b);
}

/** Makes an amount that is not printed, placed where the amount it was computed from is. */
export function computedFrom(amount: Amount, value: number, currency: string | null): Amount {
  return {
    line: amount.line,
    token: { ...amount.token, start: -1, end: -1, isNegative: false, isPositive: false },
    value: Math.round(value * 100) / 100,
    decimals: 2,
    reading: 0,
    currency,
    clues: {},
    label: "",
    isComputed: true,
  };
}

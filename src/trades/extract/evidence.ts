/**
 * What the page says about each value: the label to its left, the unit to its right, the head of
 * its column. Evidence is between 0 and about 1 for each concept; it is not yet a decision.
 */
import type { ConceptHit } from "./lexicon/index.ts";
import type { Concept } from "./lexicon/labels.ts";
import type { PhraseMatch } from "./lexicon/matcher.ts";
import type { DocLine, Span } from "./lines.ts";
import type { NumberToken } from "./numbers.ts";

export type Evidence = Partial<Record<Concept, number>>;

export interface Amount {
  line: number;
  token: NumberToken;
  value: number;
  decimals: number;
  /** 0 for the likelier reading of the printed digits. */
  reading: number;
  currency: string | null;
  evidence: Evidence;
  /** The words that gave the strongest evidence. */
  label: string;
}

export interface Day {
  line: number;
  start: number;
  end: number;
  iso: string;
  alternative: string | null;
  time: string | null;
  evidence: Evidence;
}

const BLOCKED = 0.35;
const FARTHER_LABEL = 0.6;
const WORD_BETWEEN = 0.93;

export function gather(evidence: Evidence, hits: readonly ConceptHit[], weight: number): void {
  for (const { concept, strength } of hits) {
    const value = strength * weight;
    if (value > (evidence[concept] ?? 0)) evidence[concept] = value;
  }
}

/** Evidence of the labels to the left on the same line. */
export function leftEvidence(line: DocLine, span: Span, evidence: Evidence, isDate = false): string {
  let nearest = "";
  let weight = 1;
  let from = span.start;
  for (let i = line.labels.length - 1; i >= 0; i--) {
    const label = line.labels[i]!;
    if (label.end > span.start) continue;
    const blocks = isDate ? datesBetween(line, label.end, from) : valuesBetween(line, label.end, from);
    weight *= BLOCKED ** blocks * WORD_BETWEEN ** wordsBetween(line, label, from);
    if (weight < 0.05) break;
    const isPreposition = label.phrase.length <= 3 && wordsBetween(line, label, span.start) > 0;
    if (!isPreposition) gather(evidence, label.value, weight);
    if (nearest === "" && !isPreposition) nearest = label.phrase;
    from = label.start;
    weight *= FARTHER_LABEL;
  }
  return nearest;
}

function valuesBetween(line: DocLine, start: number, end: number): number {
  let count = 0;
  for (const token of line.numbers) {
    if (!token.isJoined && token.start >= start && token.end <= end && token.digits < 8 && !token.isPercent) count += 1;
  }
  return count;
}

function datesBetween(line: DocLine, start: number, end: number): number {
  let count = 0;
  for (const date of line.dates) if (date.start >= start && date.end <= end) count += 1;
  return count;
}

function wordsBetween(line: DocLine, label: Span, end: number): number {
  let count = 0;
  for (const word of line.words) {
    if (word.start >= label.end && word.end <= end && word.text.length > 3) count += 1;
  }
  return count;
}

/** A unit right of the number: "140 ST", "12 shares". */
export function rightEvidence(line: DocLine, token: NumberToken, currency: string | null, evidence: Evidence): void {
  const label = line.labels.find((candidate) => candidate.start >= token.end);
  if (!label || line.folded.slice(token.end, label.start).trim() !== "") return;
  if (label.start - token.end > 2) return;
  const isQuantity = label.value.some((hit) => hit.concept === "quantity" && hit.strength === 1);
  if (!isQuantity) return;
  const next = line.numbers.find((other) => other.start >= label.end);
  const labelsNext = next && line.folded.slice(label.end, next.start).trim().length <= 1;
  gather(evidence, [{ concept: "quantity", strength: 1 }], currency || labelsNext ? 0.3 : 0.85);
}

const TRADING_CONCEPTS: ReadonlySet<Concept> = new Set([
  "quantity",
  "price",
  "gross",
  "net",
  "debit",
  "credit",
  "subtotal",
  "fee",
  "tax",
  "interest",
  "fx",
]);

export function isNumberLabel(label: PhraseMatch<ConceptHit[]>): boolean {
  return label.phrase.length > 1 && label.value.some((hit) => TRADING_CONCEPTS.has(hit.concept));
}

export function isDateLabel(label: PhraseMatch<ConceptHit[]>): boolean {
  return label.value.some((hit) => hit.concept === "tradeDate" || hit.concept === "settleDate" || hit.concept === "docDate");
}

/** The currency printed next to the number, before or behind it. */
export function currencyAt(line: DocLine, token: NumberToken): string | null {
  if (line.currencies.length === 0) return null;
  const first = line.currencies[0]!;
  const firstNumber = line.numbers[0];
  const isPrefixStyle = firstNumber !== undefined && first.start < firstNumber.start;
  const before = line.currencies.findLast(
    (currency) => currency.end <= token.start && isThin(line.folded.slice(currency.end, token.start)),
  );
  const after = line.currencies.find(
    (currency) => currency.start >= token.end && isThin(line.folded.slice(token.end, currency.start)),
  );
  const chosen = isPrefixStyle ? (before ?? after) : (after ?? before);
  return chosen ? chosen.code || "$" : null;
}

function isThin(gap: string): boolean {
  if (gap.length > 14) return false;
  for (const char of gap) if (!" -+:*=().".includes(char)) return false;
  return true;
}

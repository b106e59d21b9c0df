/** Builds a possible trade from a block: the best assignment, its date, direction, security and currency. */

import { type Assignment, solve } from "../arithmetic/solve.ts";
import type { Fact } from "../blocks/fact.ts";
import type { Segment } from "../blocks/segments.ts";
import type { TextLine } from "../layout/text-line.ts";
import { isNumberLabel } from "../layout/value-labels.ts";
import { within } from "../layout/within.ts";
import { isCompatible, isShared } from "../lexicon/currencies.ts";
import { countryCurrency, isinCurrency } from "../values/country.ts";
import { type DirectionVote, holdingChange, signOf, voteByMoney } from "../values/direction.ts";
import { findSecurity } from "../values/security.ts";
import type { SecurityFound } from "../values/security-code.ts";
import type { Candidate } from "./candidate.ts";
import { chooseDays } from "./day.ts";
import { featuresOf, isReinvested } from "./features.ts";
import { securityOf, wordsOf } from "./inherit.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Weight of a direction word in a sentence. */
const SAID_IN_SENTENCE = 0.8;
/** The sign of the shares counts as much as a heading, the sign of the amount half as much, */
const SIGN = 3;
const SIGN_OF_MONEY = 1.5;
/** and words outside the block count less than a third of what they count inside. */
const ELSEWHERE = 0.3;

export function candidateOf(document: ParsedText, segment: Segment | null): Candidate | null {
  const { lines, values } = document;
  const from = segment?.from ?? 0;
  const to = segment?.to ?? lines.length;
  const own = lines.slice(from, to);
  const amounts = segment ? within(values.amounts, from, to) : values.amounts;
  const words = segment ? wordsOf(document, segment) : document.words;
  const solved = solve({ lines: own, amounts }, segment?.fact ?? null, sideOf(words));
  const assignment = isReinvested(own) ? reinvested(solved) : solved[0];
  if (!assignment?.quantity || !assignment.net) return null;
  const fact = segment?.fact ?? null;
  const rows = fact ? { start: fact.first, end: fact.last } : null;
  const days = chooseDays(values.days, lines, from, to, rows);
  const { buy, sell } = votes(document, own, assignment, words, segment !== null);
  const direction = buy >= sell ? "BUY" : "SELL";
  const security = segment
    ? securityOf(lines, segment)
    : findSecurity(own, rowsOf(lines, assignment, words));
  const partial = {
    from,
    to,
    fact,
    assignment,
    others: solved.filter((other) => other !== assignment),
    days,
    words,
    buy,
    sell,
    direction,
    security,
  } as const;
  const charges = sumCharges(assignment);
  const currency = currencyOf(assignment, fact, lines, security);
  return { ...partial, ...charges, currency, features: featuresOf(document, partial) };
}

/** On a page about reinvested income, the taxes belong to the income: the new shares cost what was left. */
function reinvested(solved: readonly Assignment[]): Assignment | undefined {
  const first = solved[0];
  const charges = first?.charges?.charges ?? [];
  if (!first?.gross || charges.length === 0 || charges.some(({ kind }) => kind === "fee"))
    return first;
  return (
    solved.find(({ gross, net, product }) => product > 0 && net?.value === gross?.value) ?? first
  );
}

function sideOf(words: DirectionVote): number {
  if (words.top < SAID_IN_SENTENCE) return 0;
  if (words.buy > 3 * words.sell) return 1;
  return words.sell > 3 * words.buy ? -1 : 0;
}

function votes(
  document: ParsedText,
  own: readonly TextLine[],
  assignment: Assignment,
  words: DirectionVote,
  isPart: boolean,
): { buy: number; sell: number } {
  // A tax refund can raise what a seller receives above the gross, so the amounts do not overrule a clear
  // word.
  const isPlain = words.top >= SAID_IN_SENTENCE && Math.min(words.buy, words.sell) === 0;
  const money = isPlain
    ? { buy: 0, sell: 0 }
    : voteByMoney(own, assignment.net, assignment.charges?.side ?? 0);
  let buy = words.buy + money.buy;
  let sell = words.sell + money.sell;
  if (words.buy + words.sell === 0) {
    const change = holdingChange(document.values.amounts, assignment.quantity!);
    if (change > 0) buy += SIGN;
    if (change < 0) sell += SIGN;
    const sign = isPart ? 0 : signOf(document.values.amounts, assignment.net!);
    if (sign < 0) buy += SIGN_OF_MONEY;
    if (sign > 0) sell += SIGN_OF_MONEY;
  }
  const token = assignment.quantity!.token;
  if (isPart && token.isNegative) sell += SIGN;
  if (isPart && token.isPositive) buy += SIGN;
  if (isPart && assignment.gross?.token.isNegative && !token.isNegative) buy += SIGN_OF_MONEY;
  const isSigned = token.isNegative || token.isPositive;
  if (isPart && !isSigned && words.buy + words.sell === 0) {
    buy += document.words.buy * ELSEWHERE;
    sell += document.words.sell * ELSEWHERE;
  }
  return { buy, sell };
}

/** The lines with the trade's numbers and its direction word. */
function rowsOf(lines: TextLine[], assignment: Assignment, words: DirectionVote): TextLine[] {
  const { quantity, price, gross } = assignment;
  const places = [quantity?.line, price?.line, gross?.line, words.line ?? undefined];
  return [...new Set(places)]
    .filter((place) => place !== undefined)
    .sort((a, b) => a - b)
    .map((place) => lines[place]!);
}

function sumCharges(assignment: Assignment): { fees: number; taxes: number } {
  let fees = 0;
  let taxes = 0;
  for (const charge of assignment.charges?.charges ?? []) {
    if (charge.kind === "fee") fees += charge.value;
    if (charge.kind === "tax") taxes += charge.value;
  }
  return { fees: cents(fees), taxes: cents(taxes) };
}

export function cents(value: number): number {
  return Math.round(value * 100) / 100;
}

function currencyOf(
  assignment: Assignment,
  fact: Fact | null,
  lines: readonly TextLine[],
  security: SecurityFound,
): string | null {
  const { net, gross, price, rate } = assignment;
  const foreign = rate ? gross?.currency : fact?.rate ? price?.currency : null;
  const own =
    net?.currency ?? (rate || fact?.rate ? null : (gross?.currency ?? price?.currency ?? null));
  if (own && !isShared(own)) return own === "GBX" ? "GBP" : own;
  const fits = (code: string) => own === null || isCompatible(own, code);
  const counts = new Map<string, number>();
  for (const line of lines) {
    // Names of funds contain currencies too; column headers are meant as currencies.
    const weight = line.labels.some(isNumberLabel) ? 2 : 1;
    for (const { code } of line.currencies)
      if (code && !isShared(code) && fits(code) && code !== foreign)
        counts.set(code, (counts.get(code) ?? 0) + weight);
  }
  const printed = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  if (printed) return printed === "GBX" ? "GBP" : printed;
  const country = countryCurrency(lines);
  if (country && fits(country)) return country;
  if (own === "$" || lines.some((line) => line.currencies.some(({ code }) => code === "")))
    return "USD";
  return security.isin ? isinCurrency(security.isin.text) : null;
}

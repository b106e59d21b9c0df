/** One possible trade of a block, with everything that speaks for and against it. */

import { netEvidence, priceScore, quantityScore } from "./amount-scores.ts";
import { countryCurrency, isinCurrency } from "./country.ts";
import { type ChosenDays, chooseDays } from "./day.ts";
import { cancelWeight, type DirectionVote, voteByMoney, voteByWords } from "./direction.ts";
import { type KindVotes, voteKinds } from "./document-type.ts";
import type { Fact } from "./facts.ts";
import { type KindWord, reinvestPhrases } from "./lexicon/index.ts";
import type { DocLine } from "./lines.ts";
import { isTradeRow } from "./rows.ts";
import { findSecurity, type SecurityFound } from "./security.ts";
import type { Segment } from "./segments.ts";
import { type Assignment, solve } from "./solve.ts";
import type { Values } from "./values.ts";

export interface Candidate {
  from: number;
  to: number;
  fact: Fact | null;
  assignment: Assignment;
  /** Assignments that lost, best first. */
  others: Assignment[];
  days: ChosenDays;
  direction: "BUY" | "SELL";
  words: DirectionVote;
  buy: number;
  sell: number;
  security: SecurityFound;
  fees: number;
  taxes: number;
  currency: string | null;
  features: Features;
}

export type Features = Record<string, number>;

export interface Document {
  lines: DocLine[];
  values: Values;
  kinds: KindVotes;
  /** What the heading above each line names. */
  sections: (KindWord | null)[];
  words: DirectionVote;
}

export function candidateOf(document: Document, segment: Segment | null): Candidate | null {
  const { lines, values } = document;
  const from = segment?.from ?? 0;
  const to = segment?.to ?? lines.length;
  const own = lines.slice(from, to);
  const amounts = segment
    ? values.amounts.filter((amount) => amount.line >= from && amount.line < to)
    : values.amounts;
  const words = segment ? voteByWords(own, lines.length) : document.words;
  const solved = solve({ lines: own, amounts }, segment?.fact ?? null, sideOf(words));
  const assignment = solved[0];
  if (!assignment?.quantity || !assignment.net) return null;
  const fact = segment?.fact ?? null;
  const rows = fact ? { start: fact.first, end: fact.last } : null;
  const days = chooseDays(values.days, lines, from, to, rows);
  const { buy, sell } = votes(document, own, assignment, words, segment !== null);
  const direction = buy >= sell ? "BUY" : "SELL";
  const security = segment
    ? sectionSecurity(lines, segment)
    : findSecurity(own, rowsOf(lines, assignment, words));
  const partial = {
    from,
    to,
    fact,
    assignment,
    others: solved.slice(1),
    days,
    words,
    buy,
    sell,
    direction,
    security,
  } as const;
  const charges = sumCharges(assignment);
  const currency = currencyOf(assignment, lines, security);
  return { ...partial, ...charges, currency, features: featuresOf(document, partial) };
}

function sideOf(words: DirectionVote): number {
  if (words.top < 0.8) return 0;
  if (words.buy > 3 * words.sell) return 1;
  return words.sell > 3 * words.buy ? -1 : 0;
}

function votes(
  document: Document,
  own: readonly DocLine[],
  assignment: Assignment,
  words: DirectionVote,
  isPart: boolean,
): { buy: number; sell: number } {
  const money = voteByMoney(own, assignment.net, assignment.charges?.side ?? 0);
  let buy = words.buy + money.buy;
  let sell = words.sell + money.sell;
  const token = assignment.quantity!.token;
  if (isPart && token.isNegative) sell += 3;
  if (isPart && token.isPositive) buy += 3;
  if (isPart && words.buy + words.sell === 0) {
    buy += document.words.buy * 0.3;
    sell += document.words.sell * 0.3;
  }
  return { buy, sell };
}

/** The lines that the trade's numbers and its word of direction stand on. */
function rowsOf(lines: DocLine[], assignment: Assignment, words: DirectionVote): DocLine[] {
  const { quantity, price, gross } = assignment;
  const places = [quantity?.line, price?.line, gross?.line, words.line ?? undefined];
  return [...new Set(places)]
    .filter((place) => place !== undefined)
    .sort((a, b) => a - b)
    .map((place) => lines[place]!);
}

/** The security stands in the block, or on the row itself where rows follow a heading, else above. */
function sectionSecurity(lines: DocLine[], segment: Segment): SecurityFound {
  const { from, to, fact, hasMarker } = segment;
  const rows = lines.slice(fact.first, fact.last + 1);
  const own = findSecurity(hasMarker ? lines.slice(from, to) : rows, []);
  if (isIdentified(own)) return own;
  const above = lines.findLast((line) => line.index < from && hasIsin(line));
  if (above) return findSecurity([above], []);
  return findSecurity(lines.slice(from, to), rows);
}

function hasIsin(line: DocLine): boolean {
  return line.codes.some((code) => code.kind !== "cusip");
}

function isIdentified(security: SecurityFound): boolean {
  const { isin, wkn, valor, cusip, sedol, ticker } = security;
  return [isin, wkn, valor, cusip, sedol, ticker].some((found) => found !== null);
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
  lines: readonly DocLine[],
  security: SecurityFound,
): string | null {
  const { net, gross, rate } = assignment;
  const own =
    net?.currency ?? (rate ? null : (gross?.currency ?? assignment.price?.currency ?? null));
  if (own && own !== "$") return own === "GBX" ? "GBP" : own;
  const counts = new Map<string, number>();
  for (const line of lines) {
    for (const { code } of line.currencies)
      if (code && !(rate && code === gross?.currency))
        counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const isDollar = own === "$";
  const printed = [...counts]
    .filter(([code]) => !isDollar || code.endsWith("D"))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  if (printed) return printed === "GBX" ? "GBP" : printed;
  const country = countryCurrency(lines);
  if (country && (!isDollar || country.endsWith("D"))) return country;
  if (isDollar || lines.some((line) => line.currencies.some(({ code }) => code === "")))
    return "USD";
  return security.isin ? isinCurrency(security.isin.text) : null;
}

function featuresOf(
  document: Document,
  candidate: Omit<Candidate, "fees" | "taxes" | "currency" | "features">,
): Features {
  const { assignment, days, security, words, buy, sell } = candidate;
  const { quantity, price, gross, net } = assignment;
  const kinds = candidate.fact
    ? voteKinds(document.lines.slice(candidate.from, candidate.to))
    : document.kinds;
  const voted = words.buy + words.sell;
  const isSigned = candidate.fact !== null && isSignedRow(assignment);
  const runner = candidate.others.find(
    (other) => other.net?.value !== net?.value || other.quantity?.value !== quantity?.value,
  );
  const speaksFor = Math.max(
    isSigned ? Math.max(2, words.top) : Math.min(3, words.top),
    0.8 * kinds.trade.score,
  );
  // A note with its direction for a heading may have a chapter on taxes.
  const isHeaded = words.top >= 2;
  const payout = Math.max(kinds.dividend.score, kinds.interest.score);
  const speaksAgainst = Math.max(
    isReinvested(document.lines.slice(candidate.from, candidate.to)) ? 0 : payout,
    kinds.tax.score * (isHeaded ? 0.6 : 1),
    kinds["corporate-action"].score,
    kinds.transfer.score,
    kinds.information.score,
  );
  const isCash = Math.max(kinds["account-statement"].score, kinds.cash.score);
  return {
    titleMargin: Math.max(-3, Math.min(3, speaksFor - speaksAgainst)),
    // A priced product is more than a line of cash.
    cashMargin:
      (isHeaded ? 0 : Math.max(0, Math.min(3, isCash - speaksFor))) *
      (1 - assignment.product * Math.min(1, price?.evidence.price ?? 0)),
    // In a statement of holdings or cash many numbers multiply; a trade's row has a price or a sign.
    statementRow:
      candidate.fact && !isSigned && !isTradeRow(document.lines[candidate.fact.quantity.line]!)
        ? (Math.min(4, document.kinds["account-statement"].score) / 4) *
          (1 - Math.min(1, price?.evidence.price ?? 0))
        : 0,
    statementWhole: candidate.fact
      ? 0
      : (Math.min(4, document.kinds["account-statement"].score) / 4) *
        (1 - Math.min(1, price?.evidence.price ?? 0)),
    silentRow:
      candidate.fact && voted === 0 && !isSigned
        ? 1 + Math.min(3, document.kinds["account-statement"].score)
        : 0,
    section: candidate.fact
      ? sectionVote(document.sections[candidate.fact.first] ?? null, voted > 0)
      : 0,
    product: assignment.product,
    sum: assignment.sum,
    ...rivalsOf(document, candidate),
    charged: (assignment.charges?.charges.length ?? 0) > 0 ? 1 : 0,
    quantityLabel: quantity ? quantityScore(quantity) : 0,
    priceLabel: price ? priceScore(price) : 0,
    grossLabel: gross?.evidence.gross ?? 0,
    // On the row of a statement the amount needs no label: its column has one.
    netLabel: net
      ? Math.max(candidate.fact && net === gross ? 0.8 : 0, Math.min(1.2, netEvidence(net)))
      : 0,
    netNoise: net?.evidence.noise ?? 0,
    netCurrency: net?.currency ? 1 : 0,
    margin: Math.min(3, runner ? assignment.score - runner.score : 3),
    directionTop: isSigned ? Math.max(2, words.top) : Math.min(3, words.top),
    directionNone: voted === 0 && !isSigned ? 1 : 0,
    directionGap: (Math.max(buy, sell) - Math.min(buy, sell)) / Math.max(0.5, buy + sell),
    dateScore: days.trade ? Math.max(-2, Math.min(4, days.tradeScore)) : -2,
    dateGap: days.trade ? Math.max(0, Math.min(3, days.tradeScore - days.runnerUp)) : 0,
    isin: security.isin ? (security.isin.score >= 2 ? 1 : 0.5) : 0,
    code:
      security.isin || security.wkn || security.valor || security.cusip || security.ticker ? 1 : 0,
    part: candidate.fact ? 1 : 0,
    trade: kinds.trade.score,
    dividend: kinds.dividend.score,
    interest: kinds.interest.score,
    tax: kinds.tax.score,
    action: kinds["corporate-action"].score,
    transfer: kinds.transfer.score,
    cash: kinds.cash.score,
    statement: kinds["account-statement"].score,
    documentStatement: document.kinds["account-statement"].score,
    documentDividend: document.kinds.dividend.score,
    documentTax: document.kinds.tax.score,
    price: price ? 1 : 0,
    tradeDate: days.trade?.evidence.tradeDate ?? 0,
    time: days.trade?.time ? 1 : 0,
    signed: quantity && (quantity.token.isNegative || quantity.token.isPositive) ? 1 : 0,
    cancelled: cancelWeight(document.lines.slice(candidate.from, candidate.to)),
  };
}

/** In a table the sign of the shares or of the money tells the direction where no word does. */
function isSignedRow({ quantity, gross, net }: Assignment): boolean {
  if (!quantity || !gross) return false;
  const isMarked = quantity.token.isNegative || quantity.token.isPositive;
  if (isMarked && (quantity.decimals >= 3 || (quantity.evidence.quantity ?? 0) > 0.5)) return true;
  return gross.line === quantity.line && gross.token.isNegative && (net?.token.isNegative ?? false);
}

function isReinvested(lines: readonly DocLine[]): boolean {
  return lines.some((line) => line.directions.some((match) => reinvestPhrases.has(match.phrase)));
}

/** Under a heading of trades stand trades; under one of dividends or holdings only where the row says so. */
function sectionVote(kind: KindWord | null, isSpoken: boolean): number {
  if (kind === null || kind === "account-statement") return 0;
  if (kind === "trade") return 1;
  return isSpoken ? 0 : -1;
}

/** How strong the next best claims are: other labelled nets and quantities, other securities, spaced print. */
function rivalsOf(
  document: Document,
  candidate: Pick<Candidate, "assignment" | "from" | "to" | "security">,
): Features {
  const { assignment, from, to, security } = candidate;
  const { quantity, gross, net } = assignment;
  const used = new Set((assignment.charges?.charges ?? []).map((charge) => charge.amount.value));
  let unusedTax = 0;
  let unusedFee = 0;
  let rivalNet = 0;
  let rivalQuantity = 0;
  for (const amount of document.values.amounts) {
    if (amount.line < from || amount.line >= to || amount.reading > 0 || amount.value === 0)
      continue;
    const noise = amount.evidence.noise ?? 0;
    // Taxes and fees that stand on the page but not in the sum may have been booked apart.
    if (
      amount.decimals === 2 &&
      noise < 0.5 &&
      !used.has(amount.value) &&
      !amount.token.isPercent
    ) {
      if ((amount.evidence.tax ?? 0) > 0.6) unusedTax = 1;
      if ((amount.evidence.fee ?? 0) > 0.6) unusedFee = 1;
    }
    if (amount.decimals === 2 && amount.value !== net?.value && amount.value !== gross?.value) {
      rivalNet = Math.max(rivalNet, Math.min(1.15, netEvidence(amount)) - noise);
    }
    if (amount.value !== quantity?.value)
      rivalQuantity = Math.max(rivalQuantity, quantityScore(amount));
  }
  let otherCodes = 0;
  let spaced = 0;
  for (let i = from; i < to; i++) {
    const line = document.lines[i]!;
    if (line.isSpaced) spaced = 1;
    if (line.codes.some((code) => code.kind !== "cusip" && code.text !== security.isin?.text))
      otherCodes = 1;
  }
  return { rivalNet, rivalQuantity, otherCodes, spaced, unusedTax, unusedFee };
}

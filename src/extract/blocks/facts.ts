/**
 * Finds facts: three printed numbers near each other, where the first times the second is the third. In a
 * document with several trades, each trade prints its own.
 */

import { directedBefore, hasDirection, type TextLine } from "../layout/text-line.ts";
import { type Amount, computedFrom, differ } from "../values/amount.ts";
import { grossClue, netClue, overlap, slackOf } from "../values/amount-scores.ts";
import { BESIDE, HINTED, LIKELY, NAMED, PLAIN } from "../values/clue-strength.ts";
import { HALF_CENT, HUNDREDTH, TIGHT_MAX, TIGHT_SHARE } from "../values/rounding.ts";
import { findExchangeFacts } from "./exchange-facts.ts";
import type { Fact } from "./fact.ts";
import { findRowFacts, isTradeRow } from "./row-facts.ts";
import { findWrappedFacts } from "./wrapped-facts.ts";

/** Scores a fact by its labels, how its numbers look and how far apart they are. */
const FACT = {
  price: 0.8,
  signed: 0.6,
  signedPrice: 0.8,
  money: 0.3,
  gross: 0.5,
  grossCurrency: 0.1,
  quantityLast: 0.3,
  perLine: 0.12,
  noise: 0.9,
  secondReading: 0.3,
  loose: 0.4,
  charge: 0.5,
  /** Penalty for one share or a price of one, which multiplies with anything. */
  trivial: 0.8,
  unsaidPercent: 0.3,
  /** No column header names the numbers. */
  bare: 0.1,
  /** The gross is not printed, but charges close the sum. */
  closed: 1.5,
  /** Some of the numbers are above the row. */
  ofTwoRows: 0.8,
  /** A lower score may be chance. */
  least: 0.6,
} as const;
/** Column headers matched to the wrong column give weaker clues than this. */
const QUANTITY_MIN = 0.25;
const LABELLED = 0.7;
/** Slack that rounding may leave a product: usually, and if labels or a sign support it. */
const ROUNDED_SHARE = 0.02;
const LOOSE_SHARE = 0.12;
const SLACK_MIN = 0.05;
const TIGHT_LOOSENESS = 0.004;
/** Charges make up at most a fifth of the amount. */
const CHARGE_SHARE = 0.2;

const WINDOW = 5;
const NUMBERS_MAX = 26;
/** No statement lists more trades; a longer input is an attack meant to keep us busy. */
const FACTS_MAX = 400;
const FOUND_MAX = 20_000;
/** How far apart, counted in numbers, the parts of an unlabelled product may be. */
const BARE_REACH = 4;

/** `ranks` holds the position of each line, not counting page headers and footers. */
export function findFacts(
  lines: readonly TextLine[],
  amounts: readonly Amount[],
  ranks: readonly number[],
): Fact[] {
  const usable = amounts.filter(isUsable);
  const found = [...findRowFacts(lines, amounts), ...findWrappedFacts(lines, amounts)];
  let from = 0;
  let to = 0;
  for (let i = 0; i < usable.length; i++) {
    // The other numbers of a fact are within this window of lines around the quantity.
    const here = ranks[usable[i]!.line]!;
    while (ranks[usable[from]!.line]! < here - WINDOW) from += 1;
    while (to < usable.length && ranks[usable[to]!.line]! <= here + WINDOW) to += 1;
    const low = Math.max(from, i - NUMBERS_MAX);
    const high = Math.min(to, i + NUMBERS_MAX);
    if (found.length > FOUND_MAX) break;
    if (canBeQuantity(usable[i]!)) {
      const before = found.length;
      factsOf(usable, i, low, high, ranks, found);
      if (found.length === before) closedFactsOf(usable.slice(low, high), usable[i]!, found);
    } else if (isBare(usable[i]!) && isDirected(lines, usable[i]!))
      bareFactsOf(usable, i, high, ranks, found);
  }
  // Numbers of two account rows cannot form a fact.
  const directed = directedBefore(lines);
  const rows = rowsUpTo(lines);
  for (const fact of found) if (rows[fact.last] !== rows[fact.first]) fact.score -= FACT.ofTwoRows;
  const chosen = choose(
    found.filter(
      (fact) => directed[fact.last + 1]! - directed[fact.first]! < 2 && isMoreThanRounding(fact),
    ),
  );
  // Where prices are printed, a row without one describes an earlier purchase.
  return chosen.length > 0 ? chosen : findExchangeFacts(lines, amounts);
}

/** A product that rounding alone could halve or double, such as one of a cent, matches whatever is printed. */
function isMoreThanRounding({ quantity, price, gross, isPercent, rate }: Fact): boolean {
  if (rate !== undefined || gross.value >= 1) return true;
  const target = quantity.value * price.value * (isPercent ? HUNDREDTH : 1);
  return target > 2 * slackOf(quantity, price, isPercent);
}

/** For each line, counts the table rows up to it. What is printed above a row usually belongs to another one. */
function rowsUpTo(lines: readonly TextLine[]): number[] {
  let count = 0;
  return lines.map((line) => {
    const isRow = line.dates.length > 0 && line.numbers.filter(hasDecimals).length >= 2;
    if (isRow && isTradeRow(line)) count += 1;
    return count;
  });
}

const hasDecimals = (token: TextLine["numbers"][number]) => token.hasDecimals;

/** The gross is not printed: quantity times price and the printed charges add up to the net. */
function closedFactsOf(near: readonly Amount[], quantity: Amount, found: Fact[]): void {
  if ((quantity.clues.quantity ?? 0) < PLAIN || quantity.value === 1) return;
  const prices = near.filter(({ clues }) => (clues.price ?? 0) >= PLAIN);
  const nets = near.filter((amount) => amount.decimals === 2 && netClue(amount) >= PLAIN);
  if (prices.length === 0 || nets.length === 0) return;
  const charges = near.filter(
    ({ clues, decimals }) => decimals === 2 && Math.max(clues.fee ?? 0, clues.tax ?? 0) >= PLAIN,
  );
  const all = charges.reduce((sum, { value }) => sum + value, 0);
  for (const price of prices) {
    const target = quantity.value * price.value * (price.token.isPercent ? HUNDREDTH : 1);
    const slack = slackOf(quantity, price, price.token.isPercent);
    for (const net of nets) {
      const rest = Math.abs(net.value - target);
      if (
        rest > target * CHARGE_SHARE ||
        slack > target * ROUNDED_SHARE ||
        differ(price.currency, net.currency)
      )
        continue;
      const isClosed = [all, ...charges.map(({ value }) => value)].some(
        (charge) => charge > 0 && Math.abs(charge - rest) <= slack,
      );
      if (!isClosed) continue;
      const gross = computedFrom(net, target, price.currency ?? net.currency);
      found.push(make(quantity, price, gross, price.token.isPercent, FACT.closed));
    }
  }
}

/** A whole number or one with many decimals: a number of shares may look like this. */
function isBare({ value, decimals, currency, token, clues, reading }: Amount): boolean {
  if (currency || token.isPercent || token.isJoined || reading > 0 || value === 1) return false;
  if ((clues.fx ?? 0) > HINTED || (clues.noise ?? 0) > NAMED) return false;
  return (decimals === 0 && token.digits < 8) || decimals >= 3;
}

/** True if this line or one of the few lines above says bought or sold. */
function isDirected(lines: readonly TextLine[], { line }: Amount): boolean {
  return lines.slice(Math.max(0, line - WINDOW), line + 1).some(hasDirection);
}

/** Quantity, price and gross of a table without recognised headers: in this order and exact to the cent. */
function bareFactsOf(
  usable: readonly Amount[],
  at: number,
  high: number,
  ranks: readonly number[],
  found: Fact[],
): void {
  const quantity = usable[at]!;
  for (let p = at + 1; p < Math.min(high, at + BARE_REACH); p++) {
    const price = usable[p]!;
    if (price.decimals < 2 || price.token.isPercent || overlap(price, quantity)) continue;
    if ((price.clues.fx ?? 0) > HINTED || price.value === 1) continue;
    for (let g = p + 1; g < Math.min(high, p + BARE_REACH); g++) {
      const gross = usable[g]!;
      if (gross.decimals !== 2 || gross.token.isPercent || overlap(gross, price)) continue;
      const target = quantity.value * price.value;
      if (Math.abs(gross.value - target) > Math.min(target * TIGHT_SHARE, TIGHT_MAX) + HALF_CENT)
        continue;
      if (differ(price.currency, gross.currency) || target < 1) continue;
      const score = scoreOf(quantity, price, gross, 0, ranks) - FACT.bare;
      if (score > FACT.least) found.push(make(quantity, price, gross, false, score));
    }
  }
}

function isUsable(amount: Amount): boolean {
  if (amount.value <= 0) return false;
  if (amount.token.hasDecimals) return true;
  return amount.token.digits < 9 && !(amount.token.raw[0] === "0" && amount.token.digits > 1);
}

function canBeQuantity(amount: Amount): boolean {
  const { clues, token } = amount;
  const isSigned = token.isNegative || token.isPositive;
  // A rate between equal currencies is printed as 1.0000.
  if (token.isPercent || (amount.value === 1 && amount.decimals >= 4 && !isSigned)) return false;
  if ((clues.fee ?? 0) > PLAIN || (clues.tax ?? 0) > PLAIN || (clues.account ?? 0) > BESIDE)
    return false;
  if ((clues.fx ?? 0) > HINTED || (amount.currency && amount.decimals > 0 && amount.decimals !== 3))
    return false;
  return (clues.quantity ?? 0) > QUANTITY_MIN;
}

function factsOf(
  usable: readonly Amount[],
  at: number,
  low: number,
  high: number,
  ranks: readonly number[],
  found: Fact[],
): void {
  const quantity = usable[at]!;
  for (let p = low; p < high; p++) {
    const price = usable[p]!;
    if (p === at || overlap(price, quantity) || (price.decimals === 0 && !price.currency)) continue;
    if ((price.clues.fx ?? 0) > Math.max(HINTED, price.clues.price ?? 0)) continue;
    if (price.value === 1 && (price.clues.price ?? 0) < PLAIN) continue;
    // Bonds are quoted near a hundred; small percentages are rates of tax and commission.
    if (price.token.isPercent && price.value < 10) continue;
    const isPercent = price.token.isPercent;
    const target = quantity.value * price.value * (isPercent ? HUNDREDTH : 1);
    const slack = slackOf(quantity, price, isPercent);
    // Tiny quantities leave much slack for rounding, so the labels must be clear.
    const isLabelled =
      (quantity.clues.quantity ?? 0) > LABELLED && (price.clues.price ?? 0) > LIKELY;
    const isRow =
      quantity.line === price.line && (quantity.token.isPositive || quantity.token.isNegative);
    if (slack / target > (isLabelled || isRow ? LOOSE_SHARE : ROUNDED_SHARE) && slack > SLACK_MIN)
      continue;
    for (let g = low; g < high; g++) {
      const gross = usable[g]!;
      if (g === p || g === at || gross.token.isPercent || gross.decimals > 4) continue;
      if ((gross.decimals === 0 || gross.decimals > 2) && !gross.currency) continue;
      if (overlap(gross, quantity) || overlap(gross, price)) continue;
      if (differ(price.currency, gross.currency)) continue;
      const isTrivial = quantity.value === 1 || price.value === 1;
      const score =
        scoreOf(quantity, price, gross, slack / target, ranks) - (isTrivial ? FACT.trivial : 0);
      if (Math.abs(gross.value - target) <= slack) {
        if (score > FACT.least) found.push(make(quantity, price, gross, isPercent, score));
      } else if (isHundredth(quantity, price, gross, target))
        found.push(make(quantity, price, gross, true, score - FACT.unsaidPercent));
    }
  }
}

/** Quoted in pence, or in percent without the sign: the product is then a hundred times the gross. */
function isHundredth(quantity: Amount, price: Amount, gross: Amount, target: number): boolean {
  if (price.token.isPercent || gross.decimals !== 2 || (price.clues.price ?? 0) < LIKELY)
    return false;
  return Math.abs(gross.value - target / 100) <= slackOf(quantity, price, true) && target > 100;
}

function scoreOf(
  quantity: Amount,
  price: Amount,
  gross: Amount,
  looseness: number,
  ranks: readonly number[],
): number {
  const places = [quantity, price, gross].map((part) => ranks[part.line]!);
  const spread = Math.max(...places) - Math.min(...places);
  const noise = Math.max(quantity.clues.noise ?? 0, gross.clues.noise ?? 0);
  const readings = quantity.reading + price.reading + gross.reading;
  return (
    1 +
    (quantity.clues.quantity ?? 0) +
    FACT.price * (price.clues.price ?? 0) +
    (isSigned(quantity) ? FACT.signed : 0) -
    (isSigned(price) ? FACT.signedPrice : 0) -
    (quantity.currency ? FACT.money : 0) +
    FACT.gross * grossClue(gross) +
    (gross.currency ? FACT.grossCurrency : 0) -
    (quantity.line > Math.max(price.line, gross.line) ? FACT.quantityLast : 0) -
    FACT.perLine * spread -
    FACT.noise * noise -
    FACT.secondReading * readings -
    (looseness > TIGHT_LOOSENESS ? FACT.loose : 0) -
    FACT.charge * Math.max(gross.clues.fee ?? 0, gross.clues.tax ?? 0)
  );
}

function isSigned(amount: Amount): boolean {
  return (amount.token.isNegative || amount.token.isPositive) && amount.decimals !== 2;
}

function make(
  quantity: Amount,
  price: Amount,
  gross: Amount,
  isPercent: boolean,
  score: number,
): Fact {
  return {
    quantity,
    price,
    gross,
    isPercent,
    first: Math.min(quantity.line, price.line, gross.line),
    last: Math.max(quantity.line, price.line, gross.line),
    score,
  };
}

/** Picks facts from best to worst; each printed number serves only one fact. */
function choose(found: Fact[]): Fact[] {
  found.sort(
    (a, b) =>
      b.score - a.score || a.first - b.first || a.quantity.token.start - b.quantity.token.start,
  );
  const taken = new Map<number, Amount[]>();
  const seen = new Set<string>();
  const out: Fact[] = [];
  for (const fact of found) {
    // The same numbers printed again, with quantity and price swapped, are one fact.
    if (seen.has(`${fact.price.value}|${fact.quantity.value}`)) continue;
    const parts = [fact.quantity, fact.price, fact.gross];
    if (parts.some((part) => taken.get(part.line)?.some((other) => overlap(part, other)))) continue;
    for (const part of parts) {
      const list = taken.get(part.line);
      if (list) list.push(part);
      else taken.set(part.line, [part]);
    }
    seen.add(`${fact.quantity.value}|${fact.price.value}`);
    out.push(fact);
    if (out.length >= FACTS_MAX) break;
  }
  return out.sort((a, b) => a.first - b.first || a.last - b.last);
}

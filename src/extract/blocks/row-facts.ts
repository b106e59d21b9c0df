/**
 * Finds trades in tables whose headers are not understood: a row that names a direction and holds two numbers
 * whose product is a third, or a third less the charges beside it.
 */

import { type TextLine, wordsBefore } from "../layout/text-line.ts";
import { type Amount, computedFrom, differ } from "../values/amount.ts";
import { overlap, slackOf } from "../values/amount-scores.ts";
import { BESIDE, HINTED, LIKELY } from "../values/clue-strength.ts";
import { HUNDREDTH, TIGHT_MAX } from "../values/rounding.ts";
import { findAlikeFacts, type Row } from "./alike-facts.ts";
import type { Fact } from "./fact.ts";

/** Scores the numbers of a row by how they look if its header says nothing. */
const ROW = {
  price: 0.8,
  signed: 0.6,
  whole: 0.3,
  order: 0.2,
  money: 0.3,
  joined: 0.2,
  secondReading: 0.3,
  signedPrice: 0.8,
  trivial: 0.6,
  unsaidPercent: 0.3,
  /** Charges of the row close the sum; a charge is included in the amount; the amount is before its price. */
  closed: 0.9,
  hidden: 0.2,
  moneyFirst: 0.1,
  secondMoney: 0.2,
  /** So many decimals are a fraction of a share, hardly a price. */
  fraction: 0.6,
  /** Quantity and price have the order of the other rows. */
  likeOthers: 1,
} as const;
/** Decimals that only quantities have, and the most that prices usually have. */
const FRACTION_DECIMALS = 7;
const PRICE_DECIMALS = 4;
/** Rows that make a table, and the share of them that must agree on the order of its columns. */
const TABLE_ROWS = 3;
const TABLE_SHARE = 0.65;
/** How much likelier a number is the quantity than the price if the row is clear. */
const CLEAR = 0.4;
/** Slack that rounding may leave a product: usually, and with labels. */
const ROUNDED_SHARE = 0.02;
const LOOSE_SHARE = 0.12;
/** A charge in a row is at most a fifth of the amount, and is rounded separately. */
const CHARGE_SHARE = 0.2;
const CHARGE_SLACK = 0.006;

const NUMBERS_MAX = 16;
/** Charges that a row does not print are at most this share of the amount, or this much. */
const HIDDEN_SHARE = 0.03;
const HIDDEN_MAX = 40;

/** The rows of a table print quantity and price in the same order; rows that are clear decide for the others. */
export function findRowFacts(lines: readonly TextLine[], amounts: readonly Amount[]): Fact[] {
  const rows = tradeRows(lines, amounts);
  const first = rows.flatMap((row) => bestOf(row, 0) ?? []);
  const order = orderBySum(first, amounts) || orderOf(first);
  const facts = order === 0 ? first : rows.flatMap((row) => bestOf(row, order) ?? []);
  return [...facts, ...findAlikeFacts(rows, facts)];
}

/** Quantities of one security are added up below their column, prices never: +1 or -1 as below, 0 if no sum is printed. */
function orderBySum(facts: readonly Fact[], amounts: readonly Amount[]): number {
  if (facts.length < 2) return 0;
  let left = 0;
  let right = 0;
  let decimals = 0;
  const used = new Set<Amount>();
  for (const fact of facts) {
    const isBefore = orderIn(fact) > 0;
    left += isBefore ? fact.quantity.value : fact.price.value;
    right += isBefore ? fact.price.value : fact.quantity.value;
    decimals = Math.max(decimals, fact.quantity.decimals, fact.price.decimals);
    for (const part of [fact.quantity, fact.price, fact.gross]) used.add(part);
  }
  const isPrinted = (sum: number) =>
    amounts.some(
      (amount) =>
        amount.decimals >= 2 &&
        !used.has(amount) &&
        Math.abs(amount.value - sum) < 10 ** -decimals / 2,
    );
  return (isPrinted(left) ? 1 : 0) - (isPrinted(right) ? 1 : 0);
}

/** +1 if the clear rows print the quantity before the price, -1 if after it, 0 if there are few of them. */
function orderOf(facts: readonly Fact[]): number {
  const clear = facts.filter(isClear);
  const before = clear.filter((fact) => orderIn(fact) > 0).length;
  if (clear.length < TABLE_ROWS) return 0;
  if (before >= clear.length * TABLE_SHARE) return 1;
  return clear.length - before >= clear.length * TABLE_SHARE ? -1 : 0;
}

/** True if more than the usual order says which number is the quantity. */
function isClear({ quantity, price }: Fact): boolean {
  const order = ROW.order * orderIn({ quantity, price });
  return likeness(quantity, price) - likeness(price, quantity) - order >= CLEAR;
}

function orderIn({ quantity, price }: Pick<Fact, "quantity" | "price">): number {
  return quantity.token.start < price.token.start ? 1 : -1;
}

function tradeRows(lines: readonly TextLine[], amounts: readonly Amount[]): Row[] {
  const out: Row[] = [];
  let at = 0;
  for (const line of lines) {
    const own: Amount[] = [];
    while (at < amounts.length && amounts[at]!.line <= line.index) {
      if (amounts[at]!.line === line.index && isUsable(amounts[at]!)) own.push(amounts[at]!);
      at += 1;
    }
    if (own.length < 3 || own.length > NUMBERS_MAX || !isTradeRow(line)) continue;
    out.push({ line, own });
  }
  return out;
}

/** True if the row says bought or sold, and also a date or a security. */
export function isTradeRow(line: TextLine): boolean {
  const sides = line.directions.filter((match) => match.value !== "CANCEL");
  if (sides.length === 0 || sides.some((match) => match.value !== sides[0]!.value)) return false;
  return line.dates.length > 0 || line.codes.length > 0 || wordsBefore(line, sides[0]!) <= 2;
}

function isUsable(amount: Amount): boolean {
  if (amount.value <= 0 || (amount.clues.account ?? 0) > BESIDE) return false;
  return amount.token.hasDecimals || amount.token.digits < 8;
}

/** `order` is that of quantity and price in the other rows, or 0. */
function bestOf({ line, own }: Row, order: number): Fact | null {
  let best: Fact | null = null;
  for (const quantity of own) {
    if (quantity.token.isPercent || (quantity.clues.fx ?? 0) > HINTED) continue;
    for (const price of own) {
      if (price === quantity || overlap(price, quantity)) continue;
      // A whole number is a price only if its head says so.
      if (price.decimals === 0 && !price.currency && (price.clues.price ?? 0) < LIKELY) continue;
      const fact =
        rowFact(line, quantity, price, own, price.token.isPercent) ??
        rowFact(line, quantity, price, own, true);
      if (!fact) continue;
      if (order !== 0 && orderIn(fact) === order) fact.score += ROW.likeOthers;
      if (!best || weightOf(fact) > weightOf(best)) best = fact;
    }
  }
  return best;
}

/** One times any number is that number, so any other product of the row is better evidence. */
function weightOf({ quantity, price, score }: Fact): number {
  return quantity.value === 1 || price.value === 1 ? score - 2 : score;
}

function rowFact(
  line: TextLine,
  quantity: Amount,
  price: Amount,
  own: readonly Amount[],
  isPercent: boolean,
): Fact | null {
  const factor = isPercent ? HUNDREDTH : 1;
  const target = quantity.value * price.value * factor;
  const slack = slackOf(quantity, price, isPercent);
  // One share at any price gives that price, and tiny amounts match by chance: only labels can decide.
  const isNamed = (quantity.clues.quantity ?? 0) + (price.clues.price ?? 0) >= LIKELY;
  if (slack > target * ROUNDED_SHARE + TIGHT_MAX || (slack > target * LOOSE_SHARE && !isNamed))
    return null;
  const free = own.filter(
    (amount) =>
      !overlap(amount, quantity) &&
      !overlap(amount, price) &&
      !differ(amount.currency, price.currency),
  );
  if (quantity.value === 1 && !isNamed) return null;
  // A price without a percent sign is in pence or percent only if its header says price.
  const isUnsigned = isPercent && !price.token.isPercent;
  if (isUnsigned && (target < 1 || (price.clues.price ?? 0) < LIKELY)) return null;
  const base = 1 + likeness(quantity, price) - (isUnsigned ? ROW.unsaidPercent : 0);
  let best: Fact | null = null;
  for (const money of free) {
    if (money.token.isPercent || (money.decimals !== 2 && !money.currency)) continue;
    const rest = Math.abs(money.value - target);
    const fit =
      rest <= slack
        ? 1
        : closes(money, rest, slack, free)
          ? ROW.closed
          : hides(line, quantity, price, money, target)
            ? ROW.hidden
            : 0;
    if (fit === 0) continue;
    const score =
      base +
      fit -
      (money.token.start < price.token.start ? ROW.moneyFirst : 0) -
      ROW.secondMoney * money.reading;
    if (best && best.score >= score) continue;
    const gross = fit === 1 ? money : computedFrom(money, target, price.currency ?? money.currency);
    best = { quantity, price, gross, isPercent, first: line.index, last: line.index, score };
  }
  return best;
}

/** Amounts of money are signed too, but have two decimals. */
function isSigned(amount: Amount): boolean {
  return (amount.token.isNegative || amount.token.isPositive) && amount.decimals !== 2;
}

function isFraction(one: Amount, other: Amount): boolean {
  return one.decimals >= FRACTION_DECIMALS && other.decimals <= PRICE_DECIMALS;
}

/** Shares are whole or signed and precede their price; prices have decimals. */
function likeness(quantity: Amount, price: Amount): number {
  return (
    (quantity.clues.quantity ?? 0) +
    ROW.price * (price.clues.price ?? 0) +
    (isSigned(quantity) ? ROW.signed : 0) +
    (isFraction(quantity, price) ? ROW.fraction : 0) -
    (isFraction(price, quantity) ? ROW.fraction : 0) +
    (quantity.decimals === 0 ? ROW.whole : 0) +
    (quantity.token.start < price.token.start ? ROW.order : 0) -
    (quantity.currency ? ROW.money : 0) -
    (quantity.token.isJoined || price.token.isJoined ? ROW.joined : 0) -
    ROW.secondReading * (quantity.reading + price.reading) -
    (isSigned(price) ? ROW.signedPrice : 0) -
    (quantity.value === 1 || price.value === 1 ? ROW.trivial : 0)
  );
}

/** True if one or two charges of the row make up the rest. */
function closes(money: Amount, rest: number, slack: number, free: readonly Amount[]): boolean {
  const charges = free.filter(
    (amount) =>
      !overlap(amount, money) && amount.decimals === 2 && amount.value < money.value * CHARGE_SHARE,
  );
  const room = slack + CHARGE_SLACK;
  return charges.some(
    (one, i) =>
      Math.abs(one.value - rest) < room ||
      charges.some((two, k) => k > i && Math.abs(one.value + two.value - rest) < room),
  );
}

/** "Buy 10 @ 94.00 949.50": the charge is included in the amount and not printed. */
export function hides(
  line: TextLine,
  quantity: Amount,
  price: Amount,
  money: Amount,
  target: number,
): boolean {
  if ((quantity.clues.quantity ?? 0) < LIKELY || (price.clues.price ?? 0) < LIKELY) return false;
  const isPurchase = line.directions.some((match) => match.value === "BUY");
  const charge = isPurchase ? money.value - target : target - money.value;
  return (
    charge > 0 &&
    (charge < target * HIDDEN_SHARE || (charge < HIDDEN_MAX && charge < target * CHARGE_SHARE))
  );
}

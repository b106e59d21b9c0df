/** How likely an amount is to be quantity, price, gross or net, from its clues alone. */

import type { Amount, Clues } from "./amount.ts";
import { NAMED, SURE } from "./clue-strength.ts";
import { CENT, HUNDREDTH } from "./rounding.ts";

/** Weaker clues come from labels far away. Any value with a clue stays a candidate. */
const CLUE_MIN = 0.12;
const SCORE_MIN = 0.01;
/** Penalty for the less likely reading of the digits: a quarter of a label. */
const SECOND_READING = 0.25;
/** What a quantity loses if another concept, a currency or words about holdings claim the number too. */
const QUANTITY = { rival: 0.7, money: 0.25, noise: 0.8 } as const;
/** Prices are recognised by their looks, but looks alone make a candidate only if two of them agree. */
const PRICE = { currency: 0.15, percent: 0.1, decimals: 0.1, least: 0.2, noise: 0.7 } as const;
/** Amounts of money are recognised by their looks: a currency or two decimals make a candidate. */
const MONEY = { currency: 0.3, decimals: 0.3, least: 0.25, noise: 0.8, charge: 0.3 } as const;
/** How much other labels count for the gross, */
const GROSS = { subtotal: 0.5, net: 0.25, booked: 0.2 } as const;
/** and for the net: a booked amount counts most. */
const NET = { booked: 1.15, subtotal: 0.85, gross: 0.15 } as const;
/** Rounding changes a number by at most half of its last digit. */
const HALF_PLACE = 0.5;

/** Long runs of digits and numbers labelled as accounts or references are not values. */
export function isCode(amount: Amount): boolean {
  const { token, clues } = amount;
  if (amount.value === 0) return true;
  if (token.hasDecimals) return false;
  if (token.digits >= 10) return true;
  if (token.raw[0] === "0" && token.digits > 1) return true;
  const asCode = Math.max(clues.account ?? 0, clues.reference ?? 0);
  return asCode > SURE && strongest(clues) < asCode;
}

function strongest(clues: Clues): number {
  return Math.max(
    clues.quantity ?? 0,
    clues.net ?? 0,
    clues.gross ?? 0,
    clues.debit ?? 0,
    clues.credit ?? 0,
    clues.price ?? 0,
  );
}

export function noise(amount: Amount): number {
  return amount.clues.noise ?? 0;
}

function readingCost(amount: Amount): number {
  return amount.reading > 0 ? SECOND_READING : 0;
}

export function quantityScore(amount: Amount): number {
  if (amount.token.isPercent) return 0;
  const labelled = amount.clues.quantity ?? 0;
  if (labelled < CLUE_MIN || (amount.clues.fx ?? 0) > Math.max(NAMED, labelled)) return 0;
  const money = amount.currency ? QUANTITY.money : 0;
  const rival = Math.max(
    amount.clues.fx ?? 0,
    (amount.clues.price ?? 0) > labelled ? (amount.clues.price ?? 0) : 0,
    moneyClue(amount, labelled),
  );
  return Math.max(
    SCORE_MIN,
    labelled -
      QUANTITY.rival * rival -
      money -
      noise(amount) * QUANTITY.noise -
      readingCost(amount),
  );
}

/** A sum of money that its own label names is no number of shares, whatever its column is called. */
function moneyClue({ currency, decimals, clues }: Amount, labelled: number): number {
  if (!currency || decimals !== 2) return 0;
  const named = Math.max(clues.gross ?? 0, clues.fee ?? 0, clues.tax ?? 0);
  return named > labelled ? named : 0;
}

export function priceScore(amount: Amount): number {
  const isSigned =
    (amount.token.isNegative || amount.token.isPositive) &&
    !amount.currency &&
    amount.decimals !== 2;
  if (isSigned) return 0;
  const labelled = amount.clues.price ?? 0;
  if ((amount.clues.fx ?? 0) > Math.max(NAMED, labelled)) return 0;
  if (Math.max(amount.clues.fee ?? 0, amount.clues.tax ?? 0) >= Math.max(SURE, labelled)) return 0;
  // A balance or a holding that other numbers lead to is not a value of the trade.
  if (noise(amount) >= 1 && labelled < NAMED) return 0;
  const base =
    labelled +
    (amount.currency ? PRICE.currency : 0) +
    (amount.token.isPercent ? PRICE.percent : 0) +
    (amount.decimals >= 2 ? PRICE.decimals : 0);
  if (base < PRICE.least) return 0;
  return Math.max(SCORE_MIN, base - noise(amount) * PRICE.noise - readingCost(amount));
}

export function moneyScore(amount: Amount): number {
  if (amount.token.isPercent || (amount.reading > 0 && amount.decimals === 3)) return 0;
  const { clues } = amount;
  const labelled = Math.max(grossClue(amount), netClue(amount));
  const looks =
    (amount.currency ? MONEY.currency : 0) + (amount.decimals === 2 ? MONEY.decimals : 0);
  if (labelled + looks < MONEY.least) return 0;
  return Math.max(
    SCORE_MIN,
    labelled +
      looks -
      noise(amount) * MONEY.noise -
      MONEY.charge * Math.max(clues.fee ?? 0, clues.tax ?? 0),
  );
}

export function grossClue(amount: Amount): number {
  const { clues } = amount;
  return Math.max(
    clues.gross ?? 0,
    GROSS.subtotal * (clues.subtotal ?? 0),
    GROSS.net * (clues.net ?? 0),
    GROSS.booked * (clues.debit ?? 0),
    GROSS.booked * (clues.credit ?? 0),
  );
}

export function netClue(amount: Amount): number {
  const { clues } = amount;
  // A booked amount is closest to the net; an amount before taxes is less close.
  return Math.max(
    clues.net ?? 0,
    NET.booked * (clues.debit ?? 0),
    NET.booked * (clues.credit ?? 0),
    NET.subtotal * (clues.subtotal ?? 0),
    NET.gross * (clues.gross ?? 0),
  );
}

export function overlap(a: Amount, b: Amount): boolean {
  return a.line === b.line && a.token.start < b.token.end && b.token.start < a.token.end;
}

/** How far quantity times price may miss the printed gross if all three are rounded. */
export function slackOf(quantity: Amount, price: Amount, isPercent: boolean): number {
  const factor = isPercent ? HUNDREDTH : 1;
  // A price without decimals is exact.
  const step = price.decimals === 0 ? HUNDREDTH : 10 ** -price.decimals;
  return (
    HALF_PLACE * quantity.value * step * factor +
    (quantity.decimals > 0 ? HALF_PLACE * price.value * 10 ** -quantity.decimals : 0) +
    CENT
  );
}

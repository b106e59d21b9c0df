/** How likely an amount is to be quantity, price, gross or net, from its clues alone. */
import type { Amount, Clues } from "./amount.ts";

/** Long runs of digits and numbers labelled as accounts or references are no values. */
export function isCode(amount: Amount): boolean {
  const { token, clues } = amount;
  if (amount.value === 0) return true;
  if (token.hasDecimals) return false;
  if (token.digits >= 10) return true;
  if (token.raw[0] === "0" && token.digits > 1) return true;
  const asCode = Math.max(clues.account ?? 0, clues.reference ?? 0);
  return asCode > 0.8 && strongest(clues) < asCode;
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
  return amount.reading > 0 ? 0.25 : 0;
}

export function quantityScore(amount: Amount): number {
  if (amount.token.isPercent) return 0;
  const labelled = amount.clues.quantity ?? 0;
  if (labelled < 0.12 || (amount.clues.fx ?? 0) > Math.max(0.5, labelled)) return 0;
  const money = amount.currency ? 0.25 : 0;
  const rival = Math.max(
    amount.clues.fx ?? 0,
    (amount.clues.price ?? 0) > labelled ? (amount.clues.price ?? 0) : 0,
  );
  return Math.max(0.01, labelled - 0.7 * rival - money - noise(amount) * 0.8 - readingCost(amount));
}

export function priceScore(amount: Amount): number {
  const isSigned =
    (amount.token.isNegative || amount.token.isPositive) &&
    !amount.currency &&
    amount.decimals !== 2;
  if (isSigned) return 0;
  const labelled = amount.clues.price ?? 0;
  if ((amount.clues.fx ?? 0) > Math.max(0.5, labelled)) return 0;
  const base =
    labelled +
    (amount.currency ? 0.15 : 0) +
    (amount.token.isPercent ? 0.1 : 0) +
    (amount.decimals >= 2 ? 0.1 : 0);
  if (base < 0.2) return 0;
  return Math.max(0.01, base - noise(amount) * 0.7 - readingCost(amount));
}

export function moneyScore(amount: Amount): number {
  if (amount.token.isPercent || (amount.reading > 0 && amount.decimals === 3)) return 0;
  const { clues } = amount;
  const labelled = Math.max(grossClue(amount), netClue(amount));
  const looks = (amount.currency ? 0.3 : 0) + (amount.decimals === 2 ? 0.3 : 0);
  if (labelled + looks < 0.25) return 0;
  return Math.max(
    0.01,
    labelled + looks - noise(amount) * 0.8 - 0.3 * Math.max(clues.fee ?? 0, clues.tax ?? 0),
  );
}

export function grossClue(amount: Amount): number {
  const { clues } = amount;
  return Math.max(
    clues.gross ?? 0,
    0.5 * (clues.subtotal ?? 0),
    0.25 * (clues.net ?? 0),
    0.2 * (clues.debit ?? 0),
    0.2 * (clues.credit ?? 0),
  );
}

export function netClue(amount: Amount): number {
  const { clues } = amount;
  // What is booked to the account is nearest to the net, what stands before taxes farther away.
  return Math.max(
    clues.net ?? 0,
    1.15 * (clues.debit ?? 0),
    1.15 * (clues.credit ?? 0),
    0.85 * (clues.subtotal ?? 0),
    0.15 * (clues.gross ?? 0),
  );
}

export function overlap(a: Amount, b: Amount): boolean {
  return a.line === b.line && a.token.start < b.token.end && b.token.start < a.token.end;
}

/** How far quantity times price may miss what is printed, when all three are rounded. */
export function slackOf(quantity: Amount, price: Amount, isPercent: boolean): number {
  const factor = isPercent ? 0.01 : 1;
  return (
    0.5 * quantity.value * 10 ** -price.decimals * factor +
    (quantity.decimals > 0 ? 0.5 * price.value * 10 ** -quantity.decimals : 0) +
    0.0101
  );
}

/**
 * The holding before, the units that came or went and the holding after are printed near each other: whatever their
 * labels are, the one that leads from one to the other is the quantity, and the other two are not part of a trade.
 */
import { within } from "../layout/within.ts";
import type { Amount } from "./amount.ts";
import { HINTED, SURE } from "./clue-strength.ts";

/** Whole numbers and money add up by chance. */
const DECIMALS_MIN = 3;
const LINES = 3;
const AGAIN_LINES = 12;
/** More numbers are a table of other things. */
const NEAR_MAX = 8;

export function addHoldingClues(amounts: readonly Amount[]): void {
  for (const largest of amounts) {
    if (!isUnits(largest) || isSigned(largest)) continue;
    const near = within(amounts, largest.line - LINES, largest.line + LINES + 1).filter(
      (one) => one.value < largest.value && one.decimals === largest.decimals && isUnits(one),
    );
    const parts = near.length > NEAR_MAX ? null : partsOf(largest, near);
    if (!parts) continue;
    const [change, holding] = parts;
    // Among many numbers some add up by chance, so one of the two must be called a holding.
    const isNamed = [largest, holding].some(({ clues }) => (clues.noise ?? 0) >= HINTED);
    if (!isNamed || isSigned(holding)) continue;
    for (const one of [largest, holding]) markHolding(amounts, one);
    change.clues.quantity = Math.max(change.clues.quantity ?? 0, SURE);
  }
}

function isSigned({ token }: Amount): boolean {
  return token.isNegative || token.isPositive;
}

function isUnits({ decimals, currency, reading, token, value }: Amount): boolean {
  return decimals >= DECIMALS_MIN && !currency && reading === 0 && !token.isPercent && value > 0;
}

/** The two numbers that add up to the largest: first the change, then the smaller of the two holdings. */
function partsOf(largest: Amount, near: readonly Amount[]): [Amount, Amount] | null {
  const slack = 0.5 * 10 ** -largest.decimals;
  for (const [i, one] of near.entries())
    for (const two of near.slice(i + 1)) {
      if (one.value === two.value) continue;
      if (Math.abs(one.value + two.value - largest.value) < slack)
        return changeScore(one) > changeScore(two) ? [one, two] : [two, one];
    }
  return null;
}

/** A change has a sign or a label of its own; otherwise the smaller of two numbers is the change. */
function changeScore(amount: Amount): number {
  const { clues, value } = amount;
  return (
    (isSigned(amount) ? 2 : 0) + (clues.quantity ?? 0) - (clues.noise ?? 0) + 0.5 / (1 + value)
  );
}

/** The holding is printed again where the page says what income it brought. */
function markHolding(amounts: readonly Amount[], { line, value, decimals }: Amount): void {
  for (const same of within(amounts, line - AGAIN_LINES, line + AGAIN_LINES + 1)) {
    if (same.value !== value || same.decimals !== decimals) continue;
    same.clues.noise = 1;
    same.clues.price = 0;
    same.clues.quantity = 0;
  }
}

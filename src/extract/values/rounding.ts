/** How far printed numbers may miss each other because each of them was rounded. */
import type { Amount } from "./amount.ts";

/** One amount was rounded; a little more than half a cent, since binary fractions miss too. */
export const HALF_CENT = 0.0051;
/** Two amounts were rounded. */
export const CENT = 0.0101;
/** Prices in percent and in pence count hundredths. */
export const HUNDREDTH = 0.01;
/** Products that nobody labelled must be met within this share of themselves, */
export const TIGHT_SHARE = 0.0005;
/** and never miss by more than two cents. */
export const TIGHT_MAX = 0.02;

/** A converted amount is rounded itself, */
const CONVERTED = 0.006;
/** and its rate was rounded in the last place that is printed; a little more than half of that place. */
const HALF_PLACE = 0.6;

export function conversionSlack(converted: number, rate: Amount): number {
  return CONVERTED + (converted * HALF_PLACE * 10 ** -rate.decimals) / rate.value;
}

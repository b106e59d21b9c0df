/** How far printed numbers may differ because each of them was rounded. */
import type { Amount } from "./amount.ts";

/** Slack for one rounded amount: a little more than half a cent, because binary fractions are inexact too. */
export const HALF_CENT = 0.0051;
/** Slack for two rounded amounts. */
export const CENT = 0.0101;
/** Prices in percent and in pence count hundredths. */
export const HUNDREDTH = 0.01;
/** Unlabelled products must match within this share, */
export const TIGHT_SHARE = 0.0005;
/** and never miss by more than two cents. */
export const TIGHT_MAX = 0.02;

/** A converted amount is rounded itself, */
const CONVERTED = 0.006;
/** and its rate was rounded in the last printed digit; a little more than half of that digit. */
const HALF_PLACE = 0.6;

export function conversionSlack(converted: number, rate: Amount): number {
  return CONVERTED + (converted * HALF_PLACE * 10 ** -rate.decimals) / rate.value;
}

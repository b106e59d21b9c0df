/** Where no word of a row says bought or sold, the printed sign of the units does: they came or went. */
import type { Span, TextLine } from "../layout/text-line.ts";
import type { Amount } from "../values/amount.ts";
import { NAMED } from "../values/clue-strength.ts";
import type { Candidate } from "./candidate.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Units with so many decimals have a sign of their own; a sum of money with a sign may be beside them. */
const UNIT_DECIMALS = 3;

/** The units whose sign shows the direction; null if a word names it, or if no sign agrees with it. */
export function signedUnits({ words, fact, direction, assignment }: Candidate): Amount | null {
  const { quantity } = assignment;
  if (!fact || !quantity || words.buy + words.sell > 0) return null;
  const { token, decimals, clues } = quantity;
  const isUnits = decimals >= UNIT_DECIMALS || (clues.quantity ?? 0) > NAMED;
  const isAgreed = direction === "BUY" ? token.isPositive : token.isNegative;
  return isUnits && isAgreed ? quantity : null;
}

/**
 * The net, booked with a minus in a second place: it was paid, so the units were bought. Null if a word names the
 * direction, and for a row, whose money may have the sign of another column.
 */
export function signedPayment(
  { values }: ParsedText,
  { words, fact, direction, assignment: { net } }: Candidate,
): Amount | null {
  if (fact || direction === "SELL" || words.buy + words.sell > 0) return null;
  const same = values.amounts.filter(
    ({ value, decimals }) => value === net!.value && decimals === 2,
  );
  const isRepeated = new Set(same.map(({ line }) => line)).size > 1;
  return isRepeated ? (same.find(({ token }) => token.isNegative) ?? null) : null;
}

/** The units together with their sign, as printed. */
export function withSign({ folded }: TextLine, { start, end }: Span): Span {
  const before = /[+(-]\s*[^\s\p{L}\d]?\s*$/u.exec(folded.slice(Math.max(0, start - 4), start));
  if (before) return { start: start - before[0].length, end };
  const after = /^\s?[+)s-]/.exec(folded.slice(end, end + 2));
  return after ? { start, end: end + after[0].length } : { start, end };
}

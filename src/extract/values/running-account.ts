/**
 * A list of bookings prints the account balance after each of them. If each number follows from the one
 * before and an amount on the same line, these numbers are balances, whatever their header says, and the
 * difference between two of them shows which way the money went.
 */

import type { TextLine } from "../layout/text-line.ts";
import type { Amount } from "./amount.ts";
import { NAMED } from "./clue-strength.ts";
import { HALF_CENT } from "./rounding.ts";

export interface AccountRow {
  line: number;
  amount: Amount;
  balance: Amount;
  /** +1 if money came in, -1 if it went out. */
  side: number;
}

/** Fewer steps may be chance, unless a header mentions balances. */
const LINKS_MIN = 3;
const LINKS_NAMED = 2;
/** How many amounts of earlier lines may be the previous balance. */
const MEMORY = 3;

/** The bookings of an account in page order; empty if the document lists no running balance. */
export function findAccountRows(
  lines: readonly TextLine[],
  amounts: readonly Amount[],
): AccountRow[] {
  const found: AccountRow[] = [];
  let before: Amount[] = [];
  let at = 0;
  for (const line of lines) {
    const own: Amount[] = [];
    for (; at < amounts.length && amounts[at]!.line <= line.index; at++)
      if (isMoney(amounts[at]!)) own.push(amounts[at]!);
    if (own.length === 0) continue;
    // "1 204,50" may be one number or two: every reading that ends with the line's last amount is kept.
    const end = Math.max(...own.map(({ token }) => token.end));
    const last = own.filter(({ token }) => token.end === end);
    const row = linkOf(line.index, own, last, before);
    if (row) found.push(row);
    before = row ? [row.balance] : [...before, ...last].slice(-MEMORY);
  }
  const isNamed = found.some(({ balance }) => (balance.clues.noise ?? 0) >= NAMED);
  return found.length >= (isNamed ? LINKS_NAMED : LINKS_MIN) ? found : [];
}

function isMoney(amount: Amount): boolean {
  return amount.decimals === 2 && amount.reading === 0 && !amount.token.isPercent;
}

function linkOf(
  line: number,
  own: readonly Amount[],
  last: readonly Amount[],
  before: readonly Amount[],
): AccountRow | null {
  for (const balance of last) {
    for (const previous of before) {
      const step = signed(balance) - signed(previous);
      const amount = own.find(
        (one) =>
          one.token.end <= balance.token.start && Math.abs(one.value - Math.abs(step)) < HALF_CENT,
      );
      if (amount && Math.abs(step) > HALF_CENT)
        return { line, amount, balance, side: Math.sign(step) };
    }
  }
  return null;
}

function signed(amount: Amount): number {
  return amount.token.isNegative ? -amount.value : amount.value;
}

/** A balance is not an amount of a trade, and a booked amount is not a balance. */
export function markBalances(rows: readonly AccountRow[], amounts: readonly Amount[]): void {
  const balances = new Set(rows.map(({ balance }) => balance.token));
  const booked = new Set(rows.map(({ amount }) => amount.token));
  for (const { token, clues } of amounts) {
    if (balances.has(token)) clues.noise = 1;
    else if (booked.has(token)) clues.noise = 0;
  }
}

/** 04/05/2024 is in April or May: the document's other dates decide, and signs that it is American. */

import type { TextLine } from "../layout/text-line.ts";
import type { Day } from "./amount.ts";
import { BESIDE } from "./clue-strength.ts";
import { countryCurrency } from "./country.ts";

/** True if the document prints the month first; its ambiguous dates are then swapped to month first. */
export function resolveDates(lines: readonly TextLine[], days: readonly Day[]): boolean {
  const open = days.filter((day) => day.alternative !== null);
  if (!isMonthFirst(lines, days, open)) return false;
  for (const day of open) {
    day.iso = day.alternative!;
    day.alternative = null;
  }
  return true;
}

function isMonthFirst(
  lines: readonly TextLine[],
  days: readonly Day[],
  open: readonly Day[],
): boolean {
  const sure = new Set(days.filter((day) => day.alternative === null).map((day) => day.iso));
  let monthFirst = 0;
  for (const day of open) {
    if (sure.has(day.alternative!)) monthFirst += 1;
    if (sure.has(day.iso)) monthFirst -= 1;
  }
  for (const day of days) monthFirst += orderOf(lines, day);
  if (monthFirst === 0) monthFirst = settlementOrder(days) || orderOfRows(open);
  if (monthFirst !== 0) return monthFirst > 0;
  return looksAmerican(lines);
}

/** A numeric date with a day above twelve shows the order: 2 for month first, -2 for day first, 0 if it does not show. */
function orderOf(lines: readonly TextLine[], day: Day): number {
  if (day.alternative !== null) return 0;
  const text = lines[day.line]!.folded.slice(day.start, day.end);
  const parts = text.split(/[/-]/);
  if (parts.length !== 3 || parts[0]!.length > 2 || !/^[0-9]+$/.test(parts[1]!)) return 0;
  if (Number(parts[1]) > 12) return 2;
  return Number(parts[0]) > 12 ? -2 : 0;
}

const DAY_MS = 86_400_000;
const SETTLEMENT_DAYS = 7;

/** A trade settles within days: 1 if that holds only with the month first, -1 if only with the day first. */
function settlementOrder(days: readonly Day[]): number {
  const trade = days.find((day) => (day.clues.tradeDate ?? 0) >= BESIDE);
  const settle = days.find((day) => (day.clues.settleDate ?? 0) >= BESIDE);
  if (!trade || !settle) return 0;
  const monthFirst = isNear(trade.alternative ?? trade.iso, settle.alternative ?? settle.iso);
  return Number(monthFirst) - Number(isNear(trade.iso, settle.iso));
}

function isNear(from: string, to: string): boolean {
  const gap = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return gap >= 0 && gap <= SETTLEMENT_DAYS;
}

/**
 * A row prints the days of the trade and of its settlement: 1 if more rows have them within days of each other only with
 * the month first, -1 if only with the day first.
 */
function orderOfRows(open: readonly Day[]): number {
  let order = 0;
  for (const [i, day] of open.entries()) {
    const next = open[i + 1];
    if (next?.line !== day.line) continue;
    order +=
      Number(isNear(day.alternative!, next.alternative!)) - Number(isNear(day.iso, next.iso));
  }
  return Math.sign(order);
}

/** Dollars without a country, or American offices, and no sign of another country. */
function looksAmerican(lines: readonly TextLine[]): boolean {
  const country = countryCurrency(lines);
  if (country !== null) return country === "USD";
  const codes = new Set(lines.flatMap((line) => line.currencies.map(({ code }) => code)));
  return [...codes].every((code) => code === "" || code === "USD") && codes.has("");
}

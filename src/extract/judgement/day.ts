/** The day of the trade among all days printed in or around a block. */
import { type Span, type TextLine, wordsBefore } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import type { Day } from "../values/amount.ts";

const DAY = 86_400_000;
/** Longest usual time between trade and payment, with a weekend and a holiday. */
const SETTLEMENT_DAYS = 7;
/** So many lines apart stand the days of one list. */
const NEAR = 3;

/** Days farther from a block than this many lines tell of other things. */
const REACH = 500;

export interface ChosenDays {
  trade: Day | null;
  tradeScore: number;
  runnerUp: number;
  settle: Day | null;
}

export function chooseDays(
  days: readonly Day[],
  lines: readonly TextLine[],
  from: number,
  to: number,
  rows: Span | null,
): ChosenDays {
  const settle = pickSettle(within(days, from, to), from, to);
  let trade: Day | null = null;
  let tradeScore = Number.NEGATIVE_INFINITY;
  let runnerUp = Number.NEGATIVE_INFINITY;
  const counts = countsOf(days);
  const first = rows ? firstOn(within(days, rows.start, rows.end + 1)) : null;
  for (const day of within(days, from - REACH, to + REACH)) {
    const isRepeated = counts.get(day.iso)! > 1 && (day.clues.settleDate ?? 0) < 0.4;
    const score =
      scoreDay(day, lines[day.line], settle, from, to) +
      (isRepeated ? 0.3 : 0) +
      rowBonus(day, first, rows);
    if (score > tradeScore) {
      if (trade && trade.iso !== day.iso) runnerUp = tradeScore;
      trade = day;
      tradeScore = score;
    } else if (score > runnerUp && day.iso !== trade?.iso) runnerUp = score;
  }
  return { trade, tradeScore, runnerUp, settle };
}

function pickSettle(days: readonly Day[], from: number, to: number): Day | null {
  let best: Day | null = null;
  for (const day of days) {
    if (day.line < from || day.line >= to) continue;
    const value = day.clues.settleDate ?? 0;
    if (value > 0.4 && value > (best?.clues.settleDate ?? 0)) best = day;
  }
  return best;
}

function scoreDay(
  day: Day,
  line: TextLine | undefined,
  settle: Day | null,
  from: number,
  to: number,
): number {
  const trade = day.clues.tradeDate ?? 0;
  const settled = day.clues.settleDate ?? 0;
  const document = day.clues.docDate ?? 0;
  let score = 3 * trade;
  if (settled > trade) score += 0.2 - 3 * trade;
  if (document > trade) score -= 0.5 * document;
  // A minute is printed with executions, less often with orders and print-outs.
  if (day.time) score += document > 0.5 ? 0.4 : 1.6;
  if ((day.clues.noise ?? 0) > 0.5) score -= 1.5;
  if (line && line.directions.length > 0) score += 0.6;
  if (line && line.words.length > 14) score -= 0.5;
  if (day.isPeriod) score -= 1.2;
  if (settle && day !== settle) score += settlementScore(day, settle);
  if (settle && line && isUnknown(day, line, settle)) score += 0.5;
  if (day.line < from || day.line >= to) score -= 1;
  return score - 0.004 * Math.min(100, Math.abs(day.line - from));
}

/** A day with a label that nobody knows, beside the day of settlement and just before it. */
function isUnknown(day: Day, line: TextLine, settle: Day): boolean {
  if (Object.keys(day.clues).length > 0 || Math.abs(day.line - settle.line) > NEAR) return false;
  const gap = (Date.parse(settle.iso) - Date.parse(day.iso)) / DAY;
  if (gap <= 0 || gap > SETTLEMENT_DAYS) return false;
  const words = wordsBefore(line, day);
  return words > 0 && words <= 4 && line.folded[day.start - 2] !== ",";
}

const countsBefore = new WeakMap<readonly Day[], Map<string, number>>();

/** How often each day is printed; all blocks of a document ask for the same. */
function countsOf(days: readonly Day[]): Map<string, number> {
  const known = countsBefore.get(days);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const day of days) counts.set(day.iso, (counts.get(day.iso) ?? 0) + 1);
  countsBefore.set(days, counts);
  return counts;
}

/** The earliest of the days on the rows of a trade. */
function firstOn(days: readonly Day[]): string | null {
  let first: string | null = null;
  for (const { iso } of days) if (first === null || iso < first) first = iso;
  return first;
}

/** Trades settle within days, and never before they are made. */
function settlementScore(day: Day, settle: Day): number {
  const gap = (Date.parse(settle.iso) - Date.parse(day.iso)) / DAY;
  if (gap < 0) return -1.2;
  const isNamed = (day.clues.tradeDate ?? 0) > 0.3 || day.time !== null;
  return isNamed && gap > 0 && gap <= SETTLEMENT_DAYS ? 0.4 : 0;
}

/** On the row of a trade all days count more, and of several the first: booking and payment follow. */
function rowBonus(day: Day, first: string | null, rows: Span | null): number {
  if (!rows || day.line < rows.start || day.line > rows.end) return 0;
  return day.iso === first ? 2.6 : 2;
}

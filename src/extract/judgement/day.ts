/** Chooses the trade date among all dates printed in or around a block. */

import { type Span, type TextLine, wordsBefore } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import type { Day } from "../values/amount.ts";
import { HINTED, LIKELY, NAMED, PLAIN } from "../values/clue-strength.ts";

/**
 * Evidence for and against a date. A labelled trade date (3) must beat any unlabelled one, and a date on the
 * row of the trade (2 and more) must beat those in page headers and footers.
 */
const DAY = {
  named: 3,
  /** A settlement date is chosen only if there is no other. */
  settlement: 0.2,
  ofDocument: 0.5,
  /** A time of day is printed with executions, and less often with orders and printouts. */
  time: 1.6,
  printTime: 0.4,
  noise: 1.5,
  besideDirection: 0.6,
  inSentence: 0.5,
  ofPeriod: 1.2,
  beforeSettlement: 0.5,
  afterSettlement: 1.2,
  settlesSoon: 0.4,
  repeated: 0.3,
  outside: 1,
  /** Decides only between equal scores: the nearer date wins. */
  perLine: 0.004,
  onRow: 2,
  firstOnRow: 2.6,
  /** Lead over a later day close by that only an ambiguous word names. */
  beforeBooking: 0.1,
} as const;
const SENTENCE_WORDS = 14;
const FAR_LINES = 100;

const DAY_MS = 86_400_000;
/** Longest usual time between trade and payment, including a weekend and a holiday. */
const SETTLEMENT_DAYS = 7;
/** Dates within this many lines belong to one list. */
const NEAR = 3;

/** A block with more dates than this is a list, in which no two of them belong together. */
const DAYS_MAX = 60;

/** Dates farther than this many lines from a block are about something else. */
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
  const inBlock = within(days, from, to);
  const own = inBlock.length > DAYS_MAX ? [] : inBlock;
  for (const day of within(days, from - REACH, to + REACH)) {
    const isRepeated = counts.get(day.iso)! > 1 && (day.clues.settleDate ?? 0) < LIKELY;
    const score =
      scoreDay(day, lines[day.line], settle, from, to) +
      (isRepeated ? DAY.repeated : 0) +
      rowBonus(day, first, rows) +
      bookingBonus(day, lines[day.line], own);
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
    const lead = value - (best?.clues.settleDate ?? 0);
    // Settlement is the last of the days of a trade.
    if (value > LIKELY && (lead > 0 || (lead === 0 && day.iso > best!.iso))) best = day;
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
  let score = DAY.named * trade;
  if (settled > trade) score += DAY.settlement - DAY.named * trade;
  if (document > trade) score -= DAY.ofDocument * document;
  // A time of day is printed with executions, and less often with orders and printouts.
  if (day.time) score += document > NAMED ? DAY.printTime : DAY.time;
  if ((day.clues.noise ?? 0) > NAMED) score -= DAY.noise;
  if (line && line.directions.length > 0) score += DAY.besideDirection;
  if (line && line.words.length > SENTENCE_WORDS) score -= DAY.inSentence;
  if (day.isPeriod) score -= DAY.ofPeriod;
  if (settle && day !== settle) score += settlementScore(day, settle);
  if (settle && line && isUnknown(day, line, settle)) score += DAY.beforeSettlement;
  if (day.line < from || day.line >= to) score -= DAY.outside;
  return score - DAY.perLine * Math.min(FAR_LINES, Math.abs(day.line - from));
}

/** True for a date with an unknown label, near the settlement date and just before it in time. */
function isUnknown(day: Day, line: TextLine, settle: Day): boolean {
  if (Object.keys(day.clues).length > 0 || Math.abs(day.line - settle.line) > NEAR) return false;
  const gap = (Date.parse(settle.iso) - Date.parse(day.iso)) / DAY_MS;
  if (gap <= 0 || gap > SETTLEMENT_DAYS) return false;
  const words = wordsBefore(line, day);
  return words > 0 && words <= 4 && line.folded[day.start - 2] !== ",";
}

const countsBefore = new WeakMap<readonly Day[], Map<string, number>>();

/** How often each date is printed; cached, because all blocks of a document need it. */
function countsOf(days: readonly Day[]): Map<string, number> {
  const known = countsBefore.get(days);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const day of days) counts.set(day.iso, (counts.get(day.iso) ?? 0) + 1);
  countsBefore.set(days, counts);
  return counts;
}

/** The earliest of the dates on the rows of a trade. */
function firstOn(days: readonly Day[]): string | null {
  let first: string | null = null;
  for (const { iso } of days) if (first === null || iso < first) first = iso;
  return first;
}

/** Trades settle within days, and never before they are made. */
function settlementScore(day: Day, settle: Day): number {
  const gap = (Date.parse(settle.iso) - Date.parse(day.iso)) / DAY_MS;
  if (gap < 0) return -DAY.afterSettlement;
  const isNamed = (day.clues.tradeDate ?? 0) > HINTED || day.time !== null;
  return isNamed && gap > 0 && gap <= SETTLEMENT_DAYS ? DAY.settlesSoon : 0;
}

/** All dates on the row of a trade count more, and the earliest most: booking and payment follow it. */
function rowBonus(day: Day, first: string | null, rows: Span | null): number {
  if (!rows || day.line < rows.start || day.line > rows.end) return 0;
  return day.iso === first ? DAY.firstOnRow : DAY.onRow;
}

/**
 * Bookings follow trades. Of two days close together of which neither is clearly named, the earlier one takes over what
 * the label says about the later one: "priced on the 2nd, booked on the 3rd".
 */
function bookingBonus(day: Day, line: TextLine | undefined, own: readonly Day[]): number {
  if (!line || !isAmbiguous(day) || !own.includes(day) || line.folded[day.start - 2] === ",")
    return 0;
  if (wordsBefore(line, day) === 0) return 0;
  const later = own.filter((other) => {
    const gap = (Date.parse(other.iso) - Date.parse(day.iso)) / DAY_MS;
    const isClose = gap > 0 && gap <= SETTLEMENT_DAYS && Math.abs(other.line - day.line) <= NEAR;
    return isClose && isAmbiguous(other);
  });
  const said = Math.max(0, ...later.map(({ clues }) => clues.tradeDate ?? 0));
  const lead = said - (day.clues.tradeDate ?? 0);
  return said > 0 && lead >= 0 ? DAY.named * lead + DAY.beforeBooking : 0;
}

function isAmbiguous({ clues, isPeriod, time }: Day): boolean {
  const other = Math.max(clues.settleDate ?? 0, clues.docDate ?? 0, clues.noise ?? 0);
  return !isPeriod && time === null && (clues.tradeDate ?? 0) < PLAIN && other < LIKELY;
}

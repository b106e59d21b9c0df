/** The evidence for and against the date that was chosen as the trade date. */

import type { Span, TextLine } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import { englishDirections } from "../lexicon/index.ts";
import type { Day } from "../values/amount.ts";
import { HINTED, PLAIN } from "../values/clue-strength.ts";
import type { Candidate, Features } from "./candidate.ts";
import type { ParsedText } from "./parsed-text.ts";

/** A lead below this share of a date label's score (three) is a tie. */
const TIED = 0.3;
/** A date outside the block that comes this close is a rival too. */
const TIED_OUTSIDE = 0.4;

/** Most working days between trade and settlement; those of funds are slow. */
const SETTLEMENT_MOST = 4;
/** Most days, with a weekend, between a trade and its booking in the same row. */
const BOOKING_MOST = 5;
/** Most days between a trade and the letter about it. */
const LETTER_MOST = 7;
/** Lines above and below the numbers of a trade that are about it. */
const AMONG = 3;

const DAY_MS = 86_400_000;

export function daysOf(document: ParsedText, candidate: Candidate): Features {
  const { days, from, to } = candidate;
  const { trade, settle, tradeScore, runnerUp } = days;
  if (!trade) return { dayNone: 1 };
  const gap = settle ? (Date.parse(settle.iso) - Date.parse(trade.iso)) / DAY_MS : null;
  const own = within(document.values.days, from, to);
  const isTimely = isOnlyTimely(own, trade, settle);
  const claims = new Set(
    own
      .filter((day) => (day.clues.tradeDate ?? 0) >= PLAIN && !isSettlement(day))
      // Where both names are above it, the days of the trade show which of them is its own.
      .filter(({ iso }) => !isTimely || iso !== settle!.iso)
      .map((day) => day.iso),
  );
  const says = Math.min(1, trade.clues.tradeDate ?? 0);
  const margin = Math.min(1, Math.max(0, tradeScore - runnerUp) / 3);
  const isOnly = new Set(own.map((day) => day.iso)).size <= 1;
  const isOfRow = isDayOfRow(candidate, own, trade);
  const isFirst = isFirstOfRow(candidate, own, trade);
  const isLettered = isBeforeLetter(candidate, own, trade);
  const isSpoken = isSaidWithDirection(document, candidate, own, trade);
  const isPlaced =
    isTimely ||
    isOfRow ||
    isFirst ||
    isLettered ||
    isSpoken ||
    isValueDate(document, candidate, own);
  return {
    dayNone: 0,
    daySays: says,
    dayMargin: margin,
    dayOnly: isOnly ? 1 : 0,
    dayRivals: Math.min(1, Math.max(0, claims.size - 1) / 2),
    dayTied: claims.size > 1 && margin < TIED ? 1 : 0,
    dayUnsaid: says <= PLAIN && !isPlaced && (!isOnly || margin < TIED_OUTSIDE) ? 1 - margin : 0,
    dayOfRow: isOfRow ? 1 : 0,
    dayBeforeLetter: isLettered ? 1 : 0,
    dayTimely: isTimely ? 1 : 0,
    daySpoken: isSpoken ? 1 : 0,
    dayOrdered: isOfOrder(own, trade) ? 1 : 0,
    dayOpen: isOpen(document, trade) && !isOrderedBySettlement(document, trade, settle) ? 1 : 0,
    dayOutside: trade.line < from || trade.line >= to ? 1 : 0,
    dayTimed: trade.time ? 1 : 0,
    daySettled: gap !== null && gap > 0 && gap <= 10 ? 1 : 0,
    dayAfterSettled: gap !== null && (gap < 0 || gap > 30) ? 1 : 0,
    dayIsSettled: gap === 0 ? 1 : 0,
    dayPeriod: trade.isPeriod ? 1 : 0,
    dayTorn: isTorn(document.lines[trade.line]!, trade) ? 1 : 0,
  };
}

/** True if a label gives the day another meaning: an order, a payment, a balance or a valuation. */
export function isOtherwiseNamed({ clues }: Day): boolean {
  const other = Math.max(clues.settleDate ?? 0, clues.docDate ?? 0, clues.noise ?? 0);
  return other >= PLAIN && other > (clues.tradeDate ?? 0);
}

/** Orders have a time of day too. True if no word names the chosen day, and a later one could be that of the execution. */
function isOfOrder(own: readonly Day[], trade: Day): boolean {
  if (!trade.time || (trade.clues.tradeDate ?? 0) >= PLAIN) return false;
  return own.some(
    (day) => day.iso > trade.iso && (day.clues.tradeDate ?? 0) >= HINTED && !isOtherwiseNamed(day),
  );
}

function isSettlement({ clues }: Day): boolean {
  return (clues.settleDate ?? 0) >= PLAIN && (clues.settleDate ?? 0) > (clues.tradeDate ?? 0);
}

/** True if the row of the trade prints no other day, and no other day of the block is called a day of trade. */
function isDayOfRow({ fact }: Candidate, own: readonly Day[], trade: Day): boolean {
  if (!fact) return false;
  const isOnRow = ({ line }: Day) => line >= fact.first && line <= fact.last;
  return (
    own.some((day) => isOnRow(day) && day.iso === trade.iso) &&
    own.every(
      (day) =>
        day.iso === trade.iso ||
        (!isOnRow(day) && ((day.clues.tradeDate ?? 0) < HINTED || isOtherwiseNamed(day))),
    )
  );
}

/**
 * Bookings follow trades. True if the row prints two days, and the chosen one is the first of the two and a few days
 * before the other.
 */
function isFirstOfRow({ fact }: Candidate, own: readonly Day[], trade: Day): boolean {
  if (!fact) return false;
  const days = [
    ...new Set(within(own, fact.first, fact.last + 1).map((day) => Date.parse(day.iso) / DAY_MS)),
  ];
  const gap = Math.max(...days) - Math.min(...days);
  return (
    days.length === 2 && gap <= BOOKING_MOST && Math.min(...days) === Date.parse(trade.iso) / DAY_MS
  );
}

/**
 * A letter is written after the trade. True if the chosen day is printed among the numbers of the trade, and if the only
 * other day is above them and a few days later.
 */
function isBeforeLetter(
  { assignment: { quantity, price, gross, net } }: Candidate,
  own: readonly Day[],
  trade: Day,
): boolean {
  const places = [quantity, price, gross, net].flatMap((part) =>
    part && !part.isComputed ? [part.line] : [],
  );
  const first = Math.min(...places) - AMONG;
  const isAmong = ({ iso, line }: Day) =>
    iso === trade.iso && line >= first && line <= Math.max(...places) + AMONG;
  const others = own.filter((day) => day.iso !== trade.iso && !isOtherwiseNamed(day));
  const gap = others[0] ? (Date.parse(others[0].iso) - Date.parse(trade.iso)) / DAY_MS : 0;
  return (
    own.some((day) => isAmong(day) && !isOtherwiseNamed(day)) &&
    gap > 0 &&
    gap <= LETTER_MOST &&
    others.every(
      ({ iso, line, clues }) =>
        iso === others[0]!.iso && line < first && (clues.tradeDate ?? 0) < PLAIN,
    )
  );
}

/** True for a day in the line that says bought or sold, if every other day is the letter's or has another name. */
function isSaidWithDirection(
  { lines }: ParsedText,
  { direction }: Candidate,
  own: readonly Day[],
  trade: Day,
): boolean {
  return (
    lines[trade.line]!.directions.some(({ value }) => value === direction) &&
    (trade.clues.settleDate ?? 0) < PLAIN &&
    own.every((day) => day.iso === trade.iso || isOtherwiseNamed(day) || isOfLetter(lines, day))
  );
}

/** True if a note names no day but the value date, which then stands for the trade date, and that of the letter. */
function isValueDate(
  { lines }: ParsedText,
  { fact, days: { trade, settle } }: Candidate,
  own: readonly Day[],
): boolean {
  if (fact || !settle || settle.iso !== trade!.iso) return false;
  return own.every(
    (day) => day.iso === settle.iso || isDocumentDate(day) || isOfLetter(lines, day),
  );
}

function isDocumentDate({ clues }: Day): boolean {
  return (clues.docDate ?? 0) >= PLAIN && (clues.tradeDate ?? 0) < HINTED;
}

/** "Vienna, 3 May 2024": the place and the day on which the letter was written. */
function isOfLetter(lines: readonly TextLine[], { line, start, clues }: Day): boolean {
  const before = lines[line]!.folded.slice(0, start);
  return /^[^\d]{2,30},(?: den)?\s{1,3}$/.test(before) && (clues.tradeDate ?? 0) < PLAIN;
}

/**
 * Trades settle a few working days later. True if this holds for the chosen day, and for no other day of
 * the block that could be the day of trade.
 */
function isOnlyTimely(own: readonly Day[], trade: Day, settle: Day | null): boolean {
  if (!settle) return false;
  const timely = new Set<string>();
  for (const { iso, clues } of own) {
    const gap = workingDays(iso, settle.iso);
    const isOther =
      (clues.settleDate ?? 0) >= PLAIN || ((clues.docDate ?? 0) >= PLAIN && iso !== trade.iso);
    if (gap >= 1 && gap <= SETTLEMENT_MOST && !isOther) timely.add(iso);
  }
  return timely.size === 1 && timely.has(trade.iso);
}

/** Working days from one date to a later one, at most a week; -1 if it is not later. */
function workingDays(from: string, to: string): number {
  const first = Math.round(Date.parse(from) / DAY_MS);
  const last = Math.round(Date.parse(to) / DAY_MS);
  if (last < first || last > first + 7) return -1;
  let count = 0;
  // The epoch began on a Thursday, so days 2 and 3 of every seven are a weekend.
  for (let day = first + 1; day <= last; day++) if (day % 7 !== 2 && day % 7 !== 3) count += 1;
  return count;
}

/** 04/05/2024 stays ambiguous if dollars are paid and no other date of the document shows the order. */
function isOpen(document: ParsedText, trade: Day): boolean {
  const parts = partsOf(document, trade);
  if (!parts || parts[0]! > 12 || parts[1]! > 12 || parts[0] === parts[1]) return false;
  if (isDayFirst(parts, trade) && isForeign(document)) return false;
  const known = opennessBefore.get(document);
  if (known !== undefined) return known;
  const paysDollars = document.lines.some((line) =>
    line.currencies.some(({ code }) => code === "" || code === "USD"),
  );
  const isShown = document.values.days.some((day) =>
    partsOf(document, day)?.some((part) => part > 12),
  );
  opennessBefore.set(document, paysDollars && !isShown);
  return paysDollars && !isShown;
}

/** Trades settle within days. True if that holds for the two days as they were read, and not with day and month swapped. */
function isOrderedBySettlement(document: ParsedText, trade: Day, settle: Day | null): boolean {
  if (!settle || !partsOf(document, settle)) return false;
  const swapped = [trade, settle].map(({ iso }) => {
    const [year, month, day] = iso.split("-");
    return `${year}-${day}-${month}`;
  }) as [string, string];
  return isSoon(trade.iso, settle.iso) && !isSoon(...swapped);
}

function isSoon(from: string, to: string): boolean {
  const days = workingDays(from, to);
  return days >= 1 && days <= SETTLEMENT_MOST;
}

function isDayFirst(parts: readonly number[], { iso }: Day): boolean {
  return Number(iso.slice(8)) === parts[0];
}

/** True if the word that names the direction is not an English one: only English documents print the month first. */
function isForeign({ lines, words }: ParsedText): boolean {
  if (words.line === null) return false;
  const said = lines[words.line]!.directions.filter(({ value }) => value !== "CANCEL");
  return said.length > 0 && said.every(({ phrase }) => !englishDirections.has(phrase));
}

/** Caches the answer, which is the same for every trade of a document. */
const opennessBefore = new WeakMap<ParsedText, boolean>();

function partsOf(document: ParsedText, day: Day): number[] | null {
  const text = document.lines[day.line]!.folded.slice(day.start, day.end);
  const match = /^(\d{1,2})[/-](\d{1,2})[/-]\d/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : null;
}

/** True if a lone digit precedes the date: widely spaced print may have split it off. */
function isTorn(line: TextLine, span: Span): boolean {
  return /(?:^|[^\d.,])\d\s{1,3}$/.test(line.folded.slice(Math.max(0, span.start - 6), span.start));
}

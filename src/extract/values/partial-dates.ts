/**
 * Statement rows begin with a date that lacks its year: "04.05.", "08/02", "02 Jan", "Jan 2". The year is
 * that of the statement.
 */

import type { Span, TextLine } from "../layout/text-line.ts";
import { fold } from "../lexicon/fold.ts";
import { MONTHS } from "../lexicon/months.ts";
import type { Day } from "./amount.ts";
import { HINTED, NAMED } from "./clue-strength.ts";

const ROWS_MIN = 2;

interface Partial extends Span {
  day: number;
  month: number;
  /** True if day and month could be swapped. */
  isOpen: boolean;
}

export function partialDays(
  lines: readonly TextLine[],
  days: readonly Day[],
  isMonthFirst: boolean,
): Day[] {
  const last = lastDay(days) ?? namedMonth(lines);
  if (!last) return [];
  const out: Day[] = [];
  for (const line of lines) {
    if (line.dates.length > 0 || !line.numbers.some((token) => token.hasDecimals)) continue;
    const partial = partialAt(line);
    if (!partial) continue;
    const isSwapped = partial.isOpen && (isMonthFirst ? partial.day <= 12 : partial.month > 12);
    const [month, day] = isSwapped ? [partial.day, partial.month] : [partial.month, partial.day];
    if (month < 1 || month > 12 || day < 1 || day > 31) continue;
    out.push(dayOf(line, partial, isoOf(last, month, day)));
  }
  // One line may begin with a number and a month by chance; statement rows come in groups.
  return out.length >= ROWS_MIN ? out : [];
}

/** The end of the statement's period or, failing that, the date that most others are near. */
function lastDay(days: readonly Day[]): string | null {
  const periods = days.filter((day) => day.isPeriod || (day.clues.docDate ?? 0) > NAMED);
  const isos = (periods.length > 0 ? periods : days).map((day) => day.iso).sort();
  return isos.at(-1) ?? null;
}

/** "August 1-31, 2023", "February 2024": the month of a statement that prints no full date. */
function namedMonth(lines: readonly TextLine[]): string | null {
  for (const line of lines) {
    for (let i = 0; i < line.words.length; i++) {
      const month = MONTHS[line.words[i]!.text];
      const year = line.words.slice(i + 1, i + 4).find(({ text }) => /^20[0-9]{2}$/.test(text));
      if (month !== undefined && year) return `${year.text}-${String(month).padStart(2, "0")}-31`;
    }
  }
  return null;
}

/** True if the text prints the day and the month of a date, and some line of the document this month with its year. */
export function saysPartialDay(text: string, iso: string, lines: readonly TextLine[]): boolean {
  const [year, month, day] = iso.split("-").map(Number) as [number, number, number];
  const parts = fold(text).split(/[^a-z0-9]+/);
  const isMonth = (part: string) => MONTHS[part] === month || Number(part) === month;
  const isSaid = parts.some(
    (part, i) => Number(part) === day && parts.some((other, k) => k !== i && isMonth(other)),
  );
  return isSaid && lines.some((line) => printsMonth(line, year, month));
}

function printsMonth({ dates, words }: TextLine, year: number, month: number): boolean {
  const start = `${year}-${String(month).padStart(2, "0")}-`;
  if (dates.some(({ iso }) => iso.startsWith(start))) return true;
  return words.some(
    ({ text }, i) =>
      MONTHS[text] === month && words.slice(i + 1, i + 4).some((next) => next.text === `${year}`),
  );
}

/** The latest such date that is not after the statement. */
function isoOf(last: string, month: number, day: number): string {
  const tail = `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const year = Number(last.slice(0, 4));
  return last.slice(5) >= tail ? `${year}-${tail}` : `${year - 1}-${tail}`;
}

function partialAt(line: TextLine): Partial | null {
  const [first, second] = line.words;
  if (!first || !second || first.start > 2 + line.folded.search(/[^ ]/)) return null;
  const gap = line.folded.slice(first.end, second.start);
  if (isNumber(first.text) && isNumber(second.text)) {
    const isDotted = gap === "." && line.folded[second.end] === ".";
    if (!isDotted && gap !== "/") return null;
    const span = { start: first.start, end: second.end + (isDotted ? 1 : 0) };
    return { ...span, day: Number(first.text), month: Number(second.text), isOpen: !isDotted };
  }
  const span = { start: first.start, end: second.end, isOpen: false };
  const [before, after] = [MONTHS[first.text], MONTHS[second.text]];
  if (isNumber(first.text) && after !== undefined && gap.length === 1)
    return { ...span, day: Number(first.text), month: after };
  if (before !== undefined && isNumber(second.text) && gap.length <= 2)
    return { ...span, day: Number(second.text), month: before };
  return null;
}

function isNumber(text: string): boolean {
  return text.length <= 2 && /^[0-9]+$/.test(text);
}

function dayOf(line: TextLine, { start, end }: Span, iso: string): Day {
  const clues = { tradeDate: HINTED };
  return {
    line: line.index,
    start,
    end,
    iso,
    alternative: null,
    time: null,
    isPeriod: false,
    clues,
  };
}

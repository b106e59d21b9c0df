/** Turns typed lines into amounts and days that carry their evidence. */
import { resolveDates } from "./ambiguous-dates.ts";
import { type Booking, findBookings, markBalances } from "./balances.ts";
import { addColumnEvidence } from "./columns.ts";
import {
  type Amount,
  currencyAt,
  type Day,
  type Evidence,
  leftEvidence,
  rightEvidence,
} from "./evidence.ts";
import { splitWords } from "./lexicon/matcher.ts";
import type { DocLine } from "./lines.ts";
import { partialDays } from "./partial-dates.ts";
import { addStackEvidence } from "./stacks.ts";

export interface Values {
  amounts: Amount[];
  days: Day[];
  /** Of a running account, if the document lists one. */
  bookings: Booking[];
}

/** No document of a bank prints more; what goes on is made to keep us busy. */
const AMOUNTS_MAX = 30_000;

export function valuesOf(lines: readonly DocLine[]): Values {
  const amounts: Amount[] = [];
  const days: Day[] = [];
  for (const line of lines) {
    for (const token of amounts.length < AMOUNTS_MAX ? line.numbers : [])
      amountsOf(line, token, amounts, lines[line.index - 1] ?? null);
    for (const date of line.dates) days.push(dayOf(line, date));
  }
  addColumnEvidence(lines, amounts, days);
  addStackEvidence(lines, amounts, days);
  const bookings = findBookings(lines, amounts);
  markBalances(bookings, amounts);
  days.push(...partialDays(lines, days, resolveDates(lines, days)));
  // Money has two decimals and rates have more: a column head that missed its column is not believed.
  for (const amount of amounts) {
    if (
      amount.evidence.fx &&
      amount.decimals <= 2 &&
      (amount.decimals === 0 || amount.currency || amount.evidence.fx < 0.6)
    )
      amount.evidence.fx *= 0.3;
  }
  return { amounts, days, bookings };
}

function amountsOf(
  line: DocLine,
  token: DocLine["numbers"][number],
  out: Amount[],
  previous: DocLine | null,
): void {
  const currency = currencyAt(line, token);
  const evidence: Evidence = {};
  const label = leftEvidence(line, token, evidence);
  rightEvidence(line, token, currency, evidence);
  sentenceEvidence(line, token, currency, evidence);
  if (!currency && previous && startsUnderDirection(line, token, previous))
    evidence.quantity = Math.max(evidence.quantity ?? 0, 0.45);
  token.readings.forEach((reading, index) => {
    out.push({
      line: line.index,
      token,
      value: reading.value,
      decimals: reading.decimals,
      reading: index,
      currency,
      evidence: index === 0 ? evidence : { ...evidence },
      label,
    });
  });
}

/** A number that begins the line under a line that begins with "bought" or "sold". */
function startsUnderDirection(
  line: DocLine,
  token: DocLine["numbers"][number],
  previous: DocLine,
): boolean {
  const direction = previous.directions[0];
  if (!direction || direction.value === "CANCEL" || direction.first > 2) return false;
  return line.folded.slice(0, token.start).trim() === "";
}

/** "you sold 14 at 173.11", "10 x 12.34": a number beside a word of direction is a quantity. */
function sentenceEvidence(
  line: DocLine,
  token: DocLine["numbers"][number],
  currency: string | null,
  evidence: Evidence,
): void {
  const isWhole = token.readings.some((reading) => reading.decimals === 0);
  if (!currency || isWhole) {
    const direction = line.directions.findLast(
      (match) => match.end <= token.start && match.value !== "CANCEL",
    );
    if (direction) {
      const words = splitWords(line.folded.slice(direction.end, token.start));
      const between = words.filter((word) => word.text.length !== 3 || !currency);
      if (between.length <= 2 && between.every((word) => word.text.length < 8)) {
        evidence.quantity = Math.max(
          evidence.quantity ?? 0,
          words.length === 0 && !currency ? 0.65 : 0.5,
        );
      }
    }
  }
  // In a table of movements the shares carry the sign; prices never do.
  if (!currency && (token.isNegative || token.isPositive) && !token.isPercent) {
    const decimals = token.readings[0]!.decimals;
    if (decimals >= 3) {
      evidence.quantity = Math.max(evidence.quantity ?? 0, 0.5);
      evidence.price = 0;
    }
  }
  const after = line.folded.slice(token.end, token.end + 3);
  if (after.startsWith(" x ") || after.startsWith(" @ "))
    evidence.quantity = Math.max(evidence.quantity ?? 0, 0.8);
  const before = line.folded.slice(Math.max(0, token.start - 3), token.start);
  if (before === " x " || before === " @ ") evidence.price = Math.max(evidence.price ?? 0, 0.8);
}

function dayOf(line: DocLine, date: DocLine["dates"][number]): Day {
  const evidence: Evidence = {};
  leftEvidence(line, date, evidence, true);
  const time = line.times.find(
    (candidate) => candidate.start >= date.end && candidate.start - date.end < 20,
  );
  return {
    line: line.index,
    start: date.start,
    end: date.end,
    iso: date.iso,
    alternative: date.alternative,
    time: time?.value ?? null,
    isPeriod: isPeriod(line, date),
    evidence,
  };
}

const UNTIL = new Set([
  "-",
  "bis",
  "to",
  "until",
  "au",
  "al",
  "a",
  "tot",
  "ate",
  "til",
  "till",
  "do",
  "through",
  "t/m",
]);

function isPeriod(line: DocLine, date: DocLine["dates"][number]): boolean {
  const at = line.dates.indexOf(date);
  return [line.dates[at - 1], line.dates[at + 1]].some((other) => {
    if (!other) return false;
    const gap = line.folded
      .slice(Math.min(other.end, date.end), Math.max(other.start, date.start))
      .trim();
    return UNTIL.has(gap);
  });
}

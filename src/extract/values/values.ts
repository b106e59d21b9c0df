/** Turns typed lines into amounts and dates with their clues. */

import type { TextLine } from "../layout/text-line.ts";
import { splitWords } from "../lexicon/matcher.ts";
import { resolveDates } from "./ambiguous-dates.ts";
import { type Amount, type Clues, currencyAt, type Day, leftClues, rightClues } from "./amount.ts";
import { PLAIN } from "./clue-strength.ts";
import { addColumnClues } from "./columns.ts";
import { addHoldingClues } from "./holding-clues.ts";
import { addModelClues } from "./model-clues.ts";
import { partialDays } from "./partial-dates.ts";
import { shareRowClues } from "./row-consensus.ts";
import { type AccountRow, findAccountRows, markBalances } from "./running-account.ts";
import { addStackClues } from "./stacks.ts";

/** Clues that come from a sentence and not from a label; "10 x 12.34" counts as much as a label. */
const SAID = {
  underDirection: 0.45,
  afterDirection: 0.5,
  besideDirection: 0.65,
  signed: 0.5,
  times: 0.8,
} as const;
/** What remains of the clue if a header for rates is above an amount of money. */
const MISSED_HEAD = 0.3;

export interface Values {
  amounts: Amount[];
  days: Day[];
  /** The rows of a running account, if the document lists one. */
  accountRows: AccountRow[];
}

/** No bank document prints more; a longer input is an attack meant to keep us busy. */
const AMOUNTS_MAX = 30_000;

export function valuesOf(lines: readonly TextLine[]): Values {
  const amounts: Amount[] = [];
  const days: Day[] = [];
  for (const line of lines) {
    for (const token of amounts.length < AMOUNTS_MAX ? line.numbers : [])
      amountsOf(line, token, amounts, lines[line.index - 1] ?? null);
    for (const date of line.dates) days.push(dayOf(line, date));
  }
  addColumnClues(lines, amounts, days);
  addStackClues(lines, amounts, days);
  shareRowClues(lines, amounts, days);
  addModelClues(lines, amounts, days);
  addHoldingClues(amounts);
  const accountRows = findAccountRows(lines, amounts);
  markBalances(accountRows, amounts);
  days.push(...partialDays(lines, days, resolveDates(lines, days)));
  // Money has two decimals and rates have more, so a header matched to the wrong column is ignored.
  for (const amount of amounts) {
    if (
      amount.clues.fx &&
      amount.decimals <= 2 &&
      (amount.decimals === 0 || amount.currency || amount.clues.fx < PLAIN)
    )
      amount.clues.fx *= MISSED_HEAD;
  }
  return { amounts, days, accountRows };
}

function amountsOf(
  line: TextLine,
  token: TextLine["numbers"][number],
  out: Amount[],
  previous: TextLine | null,
): void {
  const currency = currencyAt(line, token);
  const clues: Clues = {};
  const label = leftClues(line, token, clues);
  rightClues(line, token, currency, clues);
  sentenceClues(line, token, currency, clues);
  if (!currency && previous && startsUnderDirection(line, token, previous))
    clues.quantity = Math.max(clues.quantity ?? 0, SAID.underDirection);
  token.readings.forEach((reading, index) => {
    out.push({
      line: line.index,
      token,
      value: reading.value,
      decimals: reading.decimals,
      reading: index,
      currency,
      clues: index === 0 ? clues : { ...clues },
      label,
    });
  });
}

/**
 * "Purchase of 50.00 EUR, priced on 4 May 2024" opens a block: its only day is that of the trade. In a list of earlier
 * purchases the day follows the word directly.
 */
function isHeadedByDirection({ directions, dates, numbers, folded }: TextLine): boolean {
  const [direction] = directions;
  if (dates.length !== 1 || direction?.first !== 0 || direction.value === "CANCEL") return false;
  const between = folded.slice(direction.end, dates[0]!.start);
  return /[a-z]{2} $/.test(between) && numbers.some(({ hasDecimals }) => hasDecimals);
}

/** "Example Town, 5 March 2024" at the end of a line: place and date of the letter. */
function isLetterhead(line: TextLine, date: TextLine["dates"][number]): boolean {
  const before = line.folded.slice(0, date.start);
  if (!/[a-z]{3,}, (den |the |le |il |op )?$/.test(before)) return false;
  return line.folded.slice(date.end).trim() === "" && line.directions.length === 0;
}

/** True for a number that begins the line below one that begins with "bought" or "sold". */
function startsUnderDirection(
  line: TextLine,
  token: TextLine["numbers"][number],
  previous: TextLine,
): boolean {
  const direction = previous.directions[0];
  if (!direction || direction.value === "CANCEL" || direction.first > 2) return false;
  return line.folded.slice(0, token.start).trim() === "";
}

/** "you sold 14 at 173.11", "10 x 12.34": a number beside a word of direction is a quantity. */
function sentenceClues(
  line: TextLine,
  token: TextLine["numbers"][number],
  currency: string | null,
  clues: Clues,
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
        clues.quantity = Math.max(
          clues.quantity ?? 0,
          words.length === 0 && !currency ? SAID.besideDirection : SAID.afterDirection,
        );
      }
    }
  }
  // In a table of movements, shares have a sign; prices never do.
  if (!currency && (token.isNegative || token.isPositive) && !token.isPercent) {
    const decimals = token.readings[0]!.decimals;
    if (decimals >= 3) {
      clues.quantity = Math.max(clues.quantity ?? 0, SAID.signed);
      clues.price = 0;
    }
  }
  const after = line.folded.slice(token.end, token.end + 3);
  if (after.startsWith(" x ") || after.startsWith(" @ "))
    clues.quantity = Math.max(clues.quantity ?? 0, SAID.times);
  const before = line.folded.slice(Math.max(0, token.start - 3), token.start);
  if (before === " x " || before === " @ ") clues.price = Math.max(clues.price ?? 0, SAID.times);
}

function dayOf(line: TextLine, date: TextLine["dates"][number]): Day {
  const clues: Clues = {};
  leftClues(line, date, clues, true);
  if (isLetterhead(line, date)) clues.docDate = Math.max(clues.docDate ?? 0, PLAIN);
  const { tradeDate, settleDate, docDate, noise } = clues;
  const isNamed = [tradeDate, settleDate, docDate, noise].some((clue) => clue !== undefined);
  if (!isNamed && isHeadedByDirection(line)) clues.tradeDate = SAID.besideDirection;
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
    clues,
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

function isPeriod(line: TextLine, date: TextLine["dates"][number]): boolean {
  const at = line.dates.indexOf(date);
  return [line.dates[at - 1], line.dates[at + 1]].some((other) => {
    if (!other) return false;
    const gap = line.folded
      .slice(Math.min(other.end, date.end), Math.max(other.start, date.start))
      .trim();
    return UNTIL.has(gap);
  });
}

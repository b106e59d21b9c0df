/** Decides purchase or sale, from words, from the side of the charges, and from signs. */

import { weightAmong } from "../layout/line-weight.ts";
import { hasDirection, type TextLine, wordsBefore } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import { reversalPhrases } from "../lexicon/index.ts";
import type { Amount } from "./amount.ts";
import { PLAIN } from "./clue-strength.ts";

/** Weight of a direction word by how little else is on its line; a heading outweighs all sentences. */
const WORD = {
  alone: 3,
  heading: 2.2,
  row: 1.4,
  opening: 1.2,
  sentence: 0.8,
  paragraph: 0.3,
} as const;
/** Each further mention counts less than the one before. */
const LATER = 0.93;
/** The last third of a document is small print, which counts half. */
export const FOOT = 0.7;
const SMALL_PRINT = 0.5;
/** "Purchase / sale" is a form field, and three-letter words are also names. */
const BOTH_SIDES = 0.1;
const SHORT_WORD = 0.7;
/** What labels and signs of amounts count; less than one direction word in a heading. */
const MONEY = {
  booked: 1.2,
  negative: 0.6,
  positive: 0.4,
  mentioned: 0.4,
  mentionedMost: 0.8,
} as const;

export interface DirectionVote {
  buy: number;
  sell: number;
  /** The line with the heaviest word. */
  line: number | null;
  /** Weight of that word. */
  top: number;
  start: number;
  end: number;
}

/** Lines from `foot` on are small print, which counts half. */
export function voteByWords(
  lines: readonly TextLine[],
  foot = Number.POSITIVE_INFINITY,
): DirectionVote {
  const vote: DirectionVote = { buy: 0, sell: 0, line: null, top: 0, start: 0, end: 0 };
  let place = 0;
  for (const line of lines) {
    for (const match of line.directions) {
      if (match.value === "CANCEL") continue;
      const weight =
        wordWeight(line, match) * LATER ** place * (line.index > foot ? SMALL_PRINT : 1);
      place += 1;
      if (match.value === "BUY") vote.buy += weight;
      else vote.sell += weight;
      if (weight > vote.top) {
        vote.top = weight;
        vote.line = line.index;
        vote.start = match.start;
        vote.end = match.end;
      }
    }
  }
  return vote;
}

/** A word in a heading counts more than one in a sentence. */
function wordWeight(line: TextLine, match: TextLine["directions"][number]): number {
  const letters = match.end - match.start;
  const words = line.isSpaced ? Math.min(3, line.words.length) : line.words.length;
  const both =
    line.directions.some((match) => match.value === "BUY") &&
    line.directions.some((match) => match.value === "SELL");
  const base = weightAmong(words, WORD);
  const tells = line.dates.length > 0 || line.numbers.some((token) => token.hasDecimals);
  if (!both && tells && wordsBefore(line, match) <= 2) {
    // A line that starts with the word and continues with a date or an amount describes the trade itself.
    return Math.max(base, WORD.opening);
  }
  return (both ? base * BOTH_SIDES : base) * (letters <= 3 ? SHORT_WORD : 1);
}

/** Share of the dated lines with amounts that say bought or sold, on that line or the next. */
export function directedShareOf(lines: readonly TextLine[]): number {
  const dated = lines.filter(
    (line) => line.dates.length > 0 && line.numbers.some((token) => token.hasDecimals),
  );
  const directed = dated.filter(({ index }) => lines.slice(index, index + 2).some(hasDirection));
  return dated.length === 0 ? 1 : directed.length / dated.length;
}

/** Weight from which a cancellation word is about the trade itself and not in small print. */
export const CANCELLED = 1.4;

/** The heaviest word that cancels an earlier trade, with its weight. The block of one of several trades has no foot. */
export function cancelWord(
  lines: readonly TextLine[],
  isPage = true,
): { weight: number; isReversal: boolean } {
  let top = { weight: 0, isReversal: false };
  for (const [at, line] of lines.entries()) {
    for (const match of line.directions) {
      if (match.value !== "CANCEL") continue;
      // The bottom of the page says what may be cancelled and how, not what was.
      const weight = isHeadOfTrade(line, match)
        ? WORD.heading
        : wordWeight(line, match) * (isPage && at > lines.length * FOOT ? SMALL_PRINT : 1);
      if (weight > top.weight) top = { weight, isReversal: reversalPhrases.has(match.phrase) };
    }
  }
  return top;
}

/** "Cancellation purchase: Example Inc." opens a line or follows its days, however long the name behind it is. */
function isHeadOfTrade(line: TextLine, cancel: TextLine["directions"][number]): boolean {
  return (
    wordsBefore(line, cancel) === 0 &&
    line.directions.some(({ value, first }) => value !== "CANCEL" && first === cancel.last + 1)
  );
}

export function voteByMoney(
  lines: readonly TextLine[],
  net: Amount | null,
  side: number,
): { buy: number; sell: number } {
  let { buy, sell } = voteByBooking(lines);
  if (side > 0) buy += 2;
  if (side < 0) sell += 2;
  if (net) {
    buy += MONEY.booked * (net.clues.debit ?? 0);
    sell += MONEY.booked * (net.clues.credit ?? 0);
    if (net.token.isNegative) buy += MONEY.negative;
    if (net.token.isPositive) sell += MONEY.positive;
  }
  return { buy, sell };
}

/** -1 if the net is printed with a minus somewhere, so that it was paid; +1 with a plus; 0 without a sign. */
export function signOf(amounts: readonly Amount[], net: Amount): number {
  const same = amounts.filter(({ value, decimals }) => value === net.value && decimals === 2);
  if (same.some(({ token }) => token.isNegative)) return -1;
  return same.some(({ token }) => token.isPositive) ? 1 : 0;
}

/** Words for debit and credit around the trade; weaker than the label of the net itself. */
function voteByBooking(lines: readonly TextLine[]): { buy: number; sell: number } {
  let buy = 0;
  let sell = 0;
  for (const line of lines) {
    for (const label of line.labels) {
      if (label.value.some((hit) => hit.concept === "debit")) buy += MONEY.mentioned;
      if (label.value.some((hit) => hit.concept === "credit")) sell += MONEY.mentioned;
    }
  }
  return { buy: Math.min(MONEY.mentionedMost, buy), sell: Math.min(MONEY.mentionedMost, sell) };
}

const CHANGE_LINES = 4;

/**
 * Compares the holding before with the holding after, printed near the quantity and differing by exactly that
 * quantity: +1 if it grew, -1 if it shrank, 0 if no such pair is printed.
 */
export function holdingChange(amounts: readonly Amount[], quantity: Amount): number {
  const { line } = quantity;
  const near = within(amounts, line - CHANGE_LINES, line + CHANGE_LINES + 1).filter(
    (amount) =>
      (amount.clues.noise ?? 0) >= PLAIN &&
      !amount.currency &&
      amount.decimals === quantity.decimals,
  );
  for (const [i, before] of near.entries()) {
    for (const after of near.slice(i + 1)) {
      const change = after.value - before.value;
      if (Math.abs(Math.abs(change) - quantity.value) < 1e-6) return Math.sign(change);
    }
  }
  return 0;
}

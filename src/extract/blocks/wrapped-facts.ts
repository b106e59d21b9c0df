/**
 * Finds trades in rows that wrap over several lines, and in rows whose price is in a foreign currency while the
 * amount is in that of the account: quantity × price = amount, quantity × price × rate = amount, or
 * quantity × price ÷ rate = amount.
 */
import type { TextLine } from "../layout/text-line.ts";
import { type Amount, computedFrom, differ } from "../values/amount.ts";
import { overlap } from "../values/amount-scores.ts";
import { HINTED, LIKELY, NAMED } from "../values/clue-strength.ts";
import { HALF_CENT } from "../values/rounding.ts";
import type { Fact } from "./fact.ts";
import { hides, isTradeRow } from "./row-facts.ts";

/** Lines that may belong to a row, and numbers on them. */
const ROW_LINES = 3;
const NUMBERS_MAX = 14;
/** Score of such a fact, with named columns and without. */
const SCORE = { base: 1.6, plain: 0.2, quantity: 0.5, price: 0.5, rate: 0.5, signed: 0.3 } as const;
/** More slack than this share and the match may be chance. */
const LOOSE_SHARE = 0.004;
const HALF_PLACE = 0.5;

export function findWrappedFacts(lines: readonly TextLine[], amounts: readonly Amount[]): Fact[] {
  const found: Fact[] = [];
  let at = 0;
  for (const line of lines) {
    while (at < amounts.length && amounts[at]!.line < line.index) at += 1;
    const isCoded = isCodedRow(lines, line);
    if (!isCoded && !isTradeRow(line)) continue;
    const end = isCoded ? line.index + 1 : rowEnd(lines, line.index);
    const own: Amount[] = [];
    for (let k = at; k < amounts.length && amounts[k]!.line < end; k++)
      if (amounts[k]!.reading === 0 && isUsable(amounts[k]!)) own.push(amounts[k]!);
    if (own.length < 3 || own.length > NUMBERS_MAX) continue;
    const plain = bestPlain(
      own,
      ({ index, dates }) => index !== line.index && dates.length === 0,
      lines,
    );
    const converted = plain ? null : bestConverted(own, isCoded);
    const inOneLine = plain ?? (converted || isCoded ? null : bestHidden(own, line));
    const best = converted ?? inOneLine;
    // Purchases with a card are converted too; they name no security and no number of shares.
    const isNamed = lines.slice(line.index, end).some(({ codes }) => codes.length > 0);
    // The first line has the date and the direction, the next one all numbers.
    const isDated =
      inOneLine !== null &&
      line.dates.length > 0 &&
      inOneLine.first === inOneLine.last &&
      inOneLine.first > line.index;
    if (best && (isNamed || isDated || (best.quantity.clues.quantity ?? 0) >= LIKELY))
      found.push(isDated ? { ...best, first: line.index, isRow: true } : best);
  }
  return found;
}

/** A row ends before the next one, which begins with a date or names a direction. */
function rowEnd(lines: readonly TextLine[], first: number): number {
  const limit = Math.min(lines.length, first + ROW_LINES);
  for (let i = first + 1; i < limit; i++) {
    const { directions, dates, words } = lines[i]!;
    const isDated = dates[0] !== undefined && dates[0].start === words[0]?.start;
    if (isDated || directions.length > 0) return i;
  }
  return limit;
}

function isUsable({ value, token, clues }: Amount): boolean {
  if (value <= 0 || value === 1 || token.isPercent || token.isJoined) return false;
  return token.hasDecimals || (token.digits < 7 && (clues.account ?? 0) < NAMED);
}

/** A row of one line is found by its columns; here its numbers are on two lines at least, or all below its first. */
function bestPlain(
  own: readonly Amount[],
  isBelow: (line: TextLine) => boolean,
  lines: readonly TextLine[],
): Fact | null {
  let best: Fact | null = null;
  for (const quantity of own) {
    if (isMoney(quantity) || quantity.decimals === 2 || quantity.decimals === 1) continue;
    for (const price of own) {
      if (!canBePrice(price) || overlap(price, quantity)) continue;
      for (const gross of own) {
        if (gross.decimals !== 2 || differ(price.currency, gross.currency)) continue;
        if (overlap(gross, quantity) || overlap(gross, price)) continue;
        const isOneLine = quantity.line === price.line && price.line === gross.line;
        if (isOneLine && !isBelow(lines[gross.line]!)) continue;
        if (!holds(quantity, price, null, gross)) continue;
        const fact = factOf(quantity, price, null, gross);
        if (!best || fact.score > best.score) best = fact;
      }
    }
  }
  return best;
}

/** All numbers are on one line below the first, and the amount, which is printed twice, includes a charge that is not. */
function bestHidden(own: readonly Amount[], row: TextLine): Fact | null {
  for (const quantity of own) {
    if (isMoney(quantity) || quantity.decimals > 0 || quantity.line === row.index) continue;
    const after = own.filter(
      ({ line, token }) => line === quantity.line && token.start > quantity.token.start,
    );
    const [price, money, again] = after;
    if (!price || !money || !canBePrice(price) || again?.value !== money.value) continue;
    const target = quantity.value * price.value;
    if (money.decimals !== 2 || !hides(row, quantity, price, money, target)) continue;
    return factOf(quantity, price, null, computedFrom(money, target, money.currency));
  }
  return null;
}

/** Lines between the heading that says bought or sold and the row with the code and the numbers. */
const HEADED_LINES = 5;

/** True for a row that begins with the code of the security, a few lines below a line that says bought or sold. */
function isCodedRow(lines: readonly TextLine[], line: TextLine): boolean {
  if (line.codes[0]?.kind !== "isin" || line.codes[0].start !== line.words[0]?.start) return false;
  if (line.numbers.length < 4 || line.directions.length > 0) return false;
  const above = lines.slice(Math.max(0, line.index - HEADED_LINES), line.index);
  const head = above.findLast(({ directions }) => directions.length > 0);
  const isHeld = above.some(
    ({ codes, numbers, index }) =>
      index > (head?.index ?? 0) && codes.length > 0 && numbers.some((token) => token.hasDecimals),
  );
  return head !== undefined && head.directions[0]!.value !== "CANCEL" && !isHeld;
}

/** With `isForeign`, price and amount must be printed with different currencies. */
function bestConverted(own: readonly Amount[], isForeign: boolean): Fact | null {
  let best: Fact | null = null;
  const moneys = own.filter(({ decimals }) => decimals === 2);
  for (const rate of own.filter(isRate))
    for (const price of own) {
      if (price === rate || !canBePrice(price)) continue;
      for (const gross of moneys) {
        if (gross === price || !isConversion(price, rate, gross)) continue;
        if (isForeign && !differ(price.currency, gross.currency)) continue;
        for (const quantity of own) {
          if ([rate, price, gross].some((part) => part === quantity || overlap(part, quantity)))
            continue;
          if (isMoney(quantity) || !holds(quantity, price, rate, gross)) continue;
          const fact = factOf(quantity, price, rate, gross);
          if (!best || fact.score > best.score) best = fact;
        }
      }
    }
  return best;
}

/** A name may end with a currency that is then beside the shares; a sign and many decimals show what they are. */
function isMoney({ currency, token, decimals }: Amount): boolean {
  return currency !== null && !((token.isNegative || token.isPositive) && decimals >= 3);
}

function canBePrice({ token, decimals }: Amount): boolean {
  return decimals >= 2 && !token.isNegative && !token.isPositive;
}

function isRate({ decimals, currency, clues, token }: Amount): boolean {
  if (token.isNegative || token.isPositive) return false;
  return (clues.fx ?? 0) > HINTED ? decimals >= 2 : decimals >= 4 && !currency;
}

/** The price must be marked as foreign, or the rate as a rate. */
function isConversion(price: Amount, rate: Amount, gross: Amount): boolean {
  if (differ(price.currency, gross.currency)) return true;
  if ((rate.clues.fx ?? 0) > HINTED) return price.currency === null || gross.currency === null;
  return price.currency !== null && gross.currency === null;
}

function holds(quantity: Amount, price: Amount, rate: Amount | null, gross: Amount): boolean {
  const share =
    HALF_PLACE *
    (place(price) + (rate ? place(rate) : 0) + (quantity.decimals > 0 ? place(quantity) : 0));
  if (share > LOOSE_SHARE && share * gross.value > HALF_CENT) return false;
  const foreign = quantity.value * price.value;
  const homes = rate ? [foreign * rate.value, foreign / rate.value] : [foreign];
  return homes.some((home) => Math.abs(home - gross.value) < home * share + HALF_CENT);
}

/** The last printed digit as a share of the value. */
function place({ value, decimals }: Amount): number {
  return 10 ** -decimals / value;
}

function factOf(quantity: Amount, price: Amount, rate: Amount | null, gross: Amount): Fact {
  const places = [quantity, price, gross].map((part) => part.line);
  const isSigned = quantity.token.isNegative || quantity.token.isPositive;
  return {
    ...{ quantity, price, gross, isPercent: false, ...(rate && { rate }) },
    first: Math.min(...places),
    last: Math.max(...places),
    score:
      SCORE.base +
      SCORE.quantity * (quantity.clues.quantity ?? 0) +
      SCORE.price * (price.clues.price ?? 0) +
      (rate ? SCORE.rate * (rate.clues.fx ?? 0) : SCORE.plain) +
      (isSigned ? SCORE.signed : 0),
  };
}

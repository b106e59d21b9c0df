/**
 * Whether a document was read whole. Rows that look like trades but were not read make the reading incomplete;
 * a printed total that equals the sum of the trades shows that none is missing.
 */
import { isTradeRow } from "../blocks/row-facts.ts";
import type { TextLine } from "../layout/text-line.ts";
import { CENT } from "../values/rounding.ts";
import type { Candidate, Features } from "./candidate.ts";
import { isBalanced } from "./holding-balance.ts";
import type { ParsedText } from "./parsed-text.ts";

export function completenessOf(
  document: ParsedText,
  candidate: Candidate,
  siblings: readonly Candidate[],
): Features {
  const rows = rowsOf(document);
  const isRead = (line: number) => siblings.some(({ from, to }) => line >= from && line < to);
  // A whole document is read as one trade, so rows of several days above the net are several trades. Below it,
  // they are purchases that a sale is taxed by.
  const above = rows.filter(({ index }) => index <= candidate.assignment.net!.line);
  const isMissed = candidate.fact
    ? rows.some(({ index }) => !isRead(index))
    : new Set(above.map((line) => line.dates[0]!.iso)).size > 1;
  return {
    rowsLeft: isMissed ? 1 : 0,
    totalAgrees: isTotalPrinted(document, siblings) ? 1 : 0,
    unitsAgree: areUnitsPrinted(document, candidate, siblings) ? 1 : 0,
    unitsTwice: siblings.some((other) => isSameUnits(other, candidate)) ? 1 : 0,
    balanced: isBalanced(document, candidate, siblings) ? 1 : 0,
  };
}

/**
 * True for two readings of the same units that differ only in what was paid: one of them is a total of something else,
 * unless each has a price of its own.
 */
function isSameUnits(one: Candidate, other: Candidate): boolean {
  const [left, right] = [one.assignment, other.assignment];
  return (
    one !== other &&
    one.direction === other.direction &&
    codeOf(one.security) === codeOf(other.security) &&
    one.days.trade?.iso === other.days.trade?.iso &&
    left.quantity!.value === right.quantity!.value &&
    left.net!.value !== right.net!.value &&
    !(isPriced(left) && isPriced(right) && left.price!.value !== right.price!.value)
  );
}

function codeOf({ isin, wkn, valor, cusip, sedol, ticker }: Candidate["security"]): string {
  return (isin ?? wkn ?? valor ?? cusip ?? sedol ?? ticker)?.text ?? "";
}

/** Quantity and price, both printed, give the gross, and it and the charges the net. */
function isPriced({ price, product, sum }: Candidate["assignment"]): boolean {
  return price !== null && !price.isComputed && product >= EXACT && sum >= EQUAL;
}

/** Fit of a product that rounding leaves no other explanation for, and from which the net is explained. */
const EXACT = 0.99;
const EQUAL = 0.55;

const rowsBefore = new WeakMap<readonly TextLine[], TextLine[]>();

/** The lines that have a date, a direction and amounts of their own; cached, because all trades need them. */
function rowsOf({ lines }: ParsedText): TextLine[] {
  const known = rowsBefore.get(lines);
  if (known) return known;
  const found = lines.filter(
    (line) =>
      line.dates.length > 0 && line.numbers.filter(movesSomething).length >= 2 && isTradeRow(line),
  );
  rowsBefore.set(lines, found);
  return found;
}

/** Statements also list rows of no units and no money. */
function movesSomething({ hasDecimals, readings }: TextLine["numbers"][number]): boolean {
  return hasDecimals && readings[0]!.value !== 0;
}

/** True if the sum of several nets is printed. */
function isTotalPrinted({ values }: ParsedText, siblings: readonly Candidate[]): boolean {
  if (siblings.length < 2) return false;
  const sum = siblings.reduce((total, { assignment }) => total + assignment.net!.value, 0);
  return values.amounts.some(({ value }) => Math.abs(value - sum) < CENT);
}

/** Fewer decimals could add up by chance. */
const UNIT_DECIMALS = 3;

/** True if the sum of the units of a security's trades is printed: then they are units and not prices. */
function areUnitsPrinted(
  { values }: ParsedText,
  { security }: Candidate,
  siblings: readonly Candidate[],
): boolean {
  const own = siblings.filter((one) => one.security.isin?.text === security.isin?.text);
  const units = own.map(({ assignment }) => assignment.quantity!);
  if (units.length < 2 || units.some(({ decimals }) => decimals < UNIT_DECIMALS)) return false;
  const sum = units.reduce((total, { value }) => total + value, 0);
  const slack = 10 ** -Math.max(...units.map(({ decimals }) => decimals)) / 2;
  return values.amounts.some(
    ({ value, decimals }) => decimals >= UNIT_DECIMALS && Math.abs(value - sum) < slack,
  );
}

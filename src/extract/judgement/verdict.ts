/**
 * Decides which candidates are trades. Each is judged by its own features; then rows of one table stand or
 * fall together, because what is clear for one of them holds for its neighbours.
 */
import { BESIDE, HINTED, LIKELY } from "../values/clue-strength.ts";
import type { Candidate, Features } from "./candidate.ts";
import { tradeProbability } from "./confidence.ts";
import type { Weights } from "./trade-weights.ts";

/** Weight of a direction word in a line of a few words. */
const SAID_IN_HEADING = 1.5;

/** Probability from which a candidate counts as a trade, */
export const TRADE = 0.55;
/** the same if no heading says bought or sold, */
const TRADE_UNHEADED = 0.85;
/**
 * the same if neither a price nor a trade date is labelled, since dividends add up as well, if no equation holds,
 * if a whole statement of account would be one trade, if the booking contradicts the words, if the net of a page about income has no label, or if a row names
 * no security.
 */
const TRADE_DOUBTED = 0.95;
/** the same for a row whose price, day and net neither a label nor the label model recognises. */
const TRADE_SILENT = 0.97;
/** Word score from which a page mentions income. */
const INCOME = 0.3;
/** Lead of the words for a trade over those for anything else from which a page is a note. */
const NOTE = 2.5;
/** Fit of a product that rounding leaves no other explanation for. */
const EXACT = 0.99;
/** Weight of a direction word in a sentence. */
const SPOKEN = 0.8;
/** Word score from which a document is a statement of account. */
const STATEMENT = 2;
/** Below this probability, a row is not a trade even if its neighbours are. */
const TRADE_AMONG = 0.2;

export function tradesAmong(candidates: readonly Candidate[], weights: Weights): Candidate[] {
  const tables = new Map<string, Candidate[]>();
  for (const row of candidates.filter(isDirected)) {
    const shape = shapeOf(row);
    tables.set(shape, [...(tables.get(shape) ?? []), row]);
  }
  const carried = new Set<Candidate>();
  for (const rows of tables.values()) {
    if (rows.length < 2 || rows.filter((row) => isTrade(row, weights)).length * 2 < rows.length)
      continue;
    for (const row of rows)
      if (tradeProbability(row.features, weights) > TRADE_AMONG) carried.add(row);
  }
  return candidates.filter((candidate) => carried.has(candidate) || isTrade(candidate, weights));
}

/** Judges the candidate alone. */
export function isTrade(candidate: Candidate, weights: Weights): boolean {
  return tradeProbability(candidate.features, weights) > neededFor(candidate);
}

function neededFor({ features, fact }: Candidate): number {
  const { directionTop = 0, priceLabel = 0, tradeDate = 0, proven = 0, unfounded = 0 } = features;
  if (fact !== null && features["code"] === 0) return TRADE_DOUBTED;
  if (proven > 0 || (fact === null && isNote(features))) return TRADE;
  const isPlain = fact === null && isPlainProduct(features);
  const isUnlabelled = priceLabel < LIKELY && tradeDate < HINTED && !isPlain;
  const isStatement = fact === null && (features["documentStatement"] ?? 0) >= STATEMENT;
  const isIncome = fact === null && isUnlabelledIncome(features);
  if (isUnlabelled && fact !== null && isSilent(features)) return TRADE_SILENT;
  const isContradicted = features["moneyAgainst"] === 1;
  if (isUnlabelled || isStatement || isIncome || isContradicted || unfounded > 0)
    return TRADE_DOUBTED;
  return directionTop < SAID_IN_HEADING ? TRADE_UNHEADED : TRADE;
}

/** True if title, trade date and net all have words that mean nothing else; then no equation is needed. */
function isNote({ titleMargin = 0, tradeDate = 0, roleNet = 0, netLabel = 0 }: Features): boolean {
  return titleMargin >= NOTE && Math.min(tradeDate, roleNet, netLabel) >= BESIDE;
}

/** True if the numbers multiply exactly, a sentence says bought or sold, and no word is about income or taxes. */
function isPlainProduct(features: Features): boolean {
  const { product = 0, directionTop = 0, dividend = 0, interest = 0, tax = 0 } = features;
  return product >= EXACT && directionTop >= SPOKEN && dividend + interest + tax === 0;
}

function isSilent({ roleNet = 0, rolePrice = 0 }: Features): boolean {
  return Math.max(roleNet, rolePrice) < HINTED;
}

/** What was paid out is printed with a dividend's words, and the net of a trade with its own. */
function isUnlabelledIncome({ dividend = 0, netLabel = 0, roleNet = 0 }: Features): boolean {
  return dividend > INCOME && netLabel < LIKELY && roleNet < HINTED;
}

export function isLikely({ features }: Candidate, weights: Weights): boolean {
  return tradeProbability(features, weights) > TRADE;
}

function isDirected({ fact, features }: Candidate): boolean {
  return fact !== null && features["directionNone"] === 0;
}

/** Rows of one table print quantity, price and gross in the same order, on the same number of lines. */
function shapeOf({ fact }: Candidate): string {
  const parts = [fact!.quantity, fact!.price, fact!.gross].map((part, i) => ({
    place: (part.line - fact!.first) * 1000 + part.token.start,
    i,
  }));
  const order = parts.sort((a, b) => a.place - b.place).map(({ i }) => i);
  return `${fact!.last - fact!.first}|${order.join("")}`;
}

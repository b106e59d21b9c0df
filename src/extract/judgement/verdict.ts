/**
 * Decides which candidates are trades. Each is judged by its own features; then rows of one table stand or
 * fall together, because what is clear for one of them holds for its neighbours.
 */
import { HINTED, LIKELY } from "../values/clue-strength.ts";
import type { Candidate } from "./candidate.ts";
import { tradeProbability } from "./confidence.ts";
import type { Weights } from "./trade-weights.ts";

/** Weight of a direction word in a line of a few words. */
const TOLD = 1.5;

/** Probability from which a candidate counts as a trade; */
export const TRADE = 0.55;
/** the same if no heading says bought or sold; */
const TRADE_UNTOLD = 0.85;
/**
 * the same if neither a price nor a trade date is labelled, since dividends add up as well, if no equation holds,
 * or if a whole statement of account would be one trade.
 */
const TRADE_DOUBTED = 0.95;
/** Word score from which a document is a statement of account. */
const STATEMENT = 2;
/** Below this probability, a row is not a trade even if its neighbours are. */
const TRADE_AMONG = 0.2;

export function tradesAmong(candidates: readonly Candidate[], weights: Weights): Candidate[] {
  const tables = new Map<string, Candidate[]>();
  for (const row of candidates.filter(isTold)) {
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
export function isTrade({ features, fact }: Candidate, weights: Weights): boolean {
  const { directionTop = 0, priceLabel = 0, tradeDate = 0, proven = 0, unfounded = 0 } = features;
  const isUnlabelled = priceLabel < LIKELY && tradeDate < HINTED;
  const isStatement = fact === null && (features["documentStatement"] ?? 0) >= STATEMENT;
  const isDoubted = isUnlabelled || isStatement || unfounded > 0;
  const needed = isDoubted ? TRADE_DOUBTED : directionTop < TOLD ? TRADE_UNTOLD : TRADE;
  return tradeProbability(features, weights) > (proven > 0 ? TRADE : needed);
}

export function isLikely({ features }: Candidate, weights: Weights): boolean {
  return tradeProbability(features, weights) > TRADE;
}

function isTold({ fact, features }: Candidate): boolean {
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

/**
 * Which candidates are trades. Each is judged by its own features; rows of one table then stand or fall
 * together, because what is plain on one of them holds for its neighbours.
 */
import { HINTED, LIKELY } from "../values/clue-strength.ts";
import type { Candidate } from "./candidate.ts";
import { tradeProbability } from "./confidence.ts";
import type { Weights } from "./trade-weights.ts";

/** Weight of a word of direction in a line of a few words. */
const TOLD = 1.5;

/** From this probability on a candidate is a trade, */
export const TRADE = 0.55;
/** where no heading says bought or sold, from this one, */
const TRADE_UNTOLD = 0.85;
/**
 * and from this one where neither a price nor a day of trade is called so, since dividends add up as well, or
 * where a whole statement of account would be the one trade.
 */
const TRADE_DOUBTED = 0.95;
/** Score from which a document calls itself a statement of account. */
const STATEMENT = 2;
/** What speaks against a row itself is not outweighed by its neighbours. */
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

/** The candidate alone. */
export function isTrade({ features, fact }: Candidate, weights: Weights): boolean {
  const { directionTop = 0, priceLabel = 0, tradeDate = 0, proven = 0 } = features;
  const isUnlabelled = priceLabel < LIKELY && tradeDate < HINTED;
  const isStatement = fact === null && (features["documentStatement"] ?? 0) >= STATEMENT;
  const isDoubted = isUnlabelled || isStatement;
  const needed = isDoubted ? TRADE_DOUBTED : directionTop < TOLD ? TRADE_UNTOLD : TRADE;
  return tradeProbability(features, weights) > (proven > 0 ? TRADE : needed);
}

export function isLikely({ features }: Candidate, weights: Weights): boolean {
  return tradeProbability(features, weights) > TRADE;
}

function isTold({ fact, features }: Candidate): boolean {
  return fact !== null && features["directionNone"] === 0;
}

/** Rows of one table print quantity, price and gross in the same order, on as many lines. */
function shapeOf({ fact }: Candidate): string {
  const parts = [fact!.quantity, fact!.price, fact!.gross].map((part, i) => ({
    place: (part.line - fact!.first) * 1000 + part.token.start,
    i,
  }));
  const order = parts.sort((a, b) => a.place - b.place).map(({ i }) => i);
  return `${fact!.last - fact!.first}|${order.join("")}`;
}

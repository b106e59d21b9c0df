/**
 * Decides which order a trade belongs to. Every open order is checked at four gates in turn; the first gate that it
 * fails is recorded, so that a person can see why it was or was not chosen. Exactly one order must pass all gates;
 * nothing is guessed.
 */
import type { Gate, MatrixRow, Order } from "../order.ts";
import { type TradeFacts, tickerOf } from "../trade.ts";

export type OrderMatch =
  | { readonly kind: "linked"; readonly orderId: number; readonly matrix: readonly MatrixRow[] }
  | { readonly kind: "none"; readonly matrix: readonly MatrixRow[] }
  | { readonly kind: "several"; readonly matrix: readonly MatrixRow[] };

const PRICE_SHARE = 0.05;

export function matchOrder(
  facts: TradeFacts,
  username: string,
  orders: readonly Order[],
): OrderMatch {
  const matrix = orders.map((order) => ({
    orderId: order.id,
    reference: order.reference,
    ...judgeOrder(facts, username, order),
  }));
  const passed = matrix.filter((line) => line.failed === null);
  if (passed.length === 1) return { kind: "linked", orderId: passed[0]!.orderId, matrix };
  return { kind: passed.length === 0 ? "none" : "several", matrix };
}

function judgeOrder(
  facts: TradeFacts,
  username: string,
  order: Order,
): { failed: Gate | null; why: string } {
  if (order.username.toLowerCase() !== username.toLowerCase()) {
    return { failed: "user", why: `the order is ${order.username}'s, the trade ${username}'s` };
  }
  if (order.direction !== facts.direction) {
    return { failed: "direction", why: `ordered ${order.direction}, traded ${facts.direction}` };
  }
  const security = compareSecurity(facts, order);
  if (security !== null) return { failed: "security", why: security };
  const economics = compareEconomics(facts, order);
  if (economics !== null) return { failed: "economics", why: economics };
  return { failed: null, why: "user, direction, security and economics agree" };
}

/** One equal identifier is enough, unless another identifier differs. */
function compareSecurity(facts: TradeFacts, order: Order): string | null {
  const pairs: [string, string | null, string | null][] = [
    ["ISIN", facts.isin, order.isin],
    ["SEDOL", facts.sedol, order.sedol],
    ["CUSIP", facts.cusip, order.cusip],
    ["ticker", facts.ticker, order.ticker],
  ];
  const known = pairs.filter(([, ours, theirs]) => ours !== null && theirs !== null);
  const different = known.find(([name, ours, theirs]) => !isSameCode(name, ours!, theirs!));
  if (different !== undefined) {
    return `${different[0]} ${different[1]} was traded, ${different[2]} ordered`;
  }
  if (known.length > 0) return null;
  const inName = order.ticker !== null && hasWord(facts.name, order.ticker);
  if (inName) return null;
  return `no identifier in common: ${tickerOf(facts) ?? "none"} was traded`;
}

/** A ticker may include its market: `AAPL`, `AAPL US`, `AAPL.OQ`. */
function isSameCode(name: string, one: string, two: string): boolean {
  if (name !== "ticker") return one.toUpperCase() === two.toUpperCase();
  const head = (ticker: string) => ticker.toUpperCase().split(/[ .:]/)[0]!;
  return head(one) === head(two);
}

function hasWord(text: string | null, word: string): boolean {
  if (text === null) return false;
  return text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .includes(word.toUpperCase());
}

function compareEconomics(facts: TradeFacts, order: Order): string | null {
  if (facts.quantity !== order.quantity) {
    return `${facts.quantity} were traded, ${order.quantity} ordered`;
  }
  if (facts.tradeDate !== null && facts.tradeDate < order.placedOn) {
    return `traded on ${facts.tradeDate}, before the order of ${order.placedOn}`;
  }
  if (facts.tradeDate !== null && order.validUntil !== null && facts.tradeDate > order.validUntil) {
    return `traded on ${facts.tradeDate}, after the order ended on ${order.validUntil}`;
  }
  return comparePrice(facts, order);
}

function comparePrice(facts: TradeFacts, order: Order): string | null {
  const isOneCurrency = order.currency === null || order.currency === facts.priceCurrency;
  if (facts.price === null || order.limitPrice === null || !isOneCurrency) return null;
  const difference = Math.abs(facts.price - order.limitPrice) / order.limitPrice;
  if (difference <= PRICE_SHARE) return null;
  return `traded at ${facts.price}, expected about ${order.limitPrice}`;
}

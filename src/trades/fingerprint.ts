import { sha256Hex } from "../lib/hash.ts";
import { canonicalNumber } from "./canonical-number.ts";
import { type TradeFacts, tickerOf } from "./trade.ts";

/**
 * By what a trade is known again. The broker's own reference says most; where there is none, or it was
 * not printed on the other document, the economic facts do, counted where they occur more than once.
 */
export interface TradeIdentity {
  /** Null without a reference. */
  readonly referenceKey: string | null;
  readonly economicKey: string;
}

/** Null when a fact is missing without which nothing can be told apart. */
export function identityOf(facts: TradeFacts): TradeIdentity | null {
  const economicKey = economicKeyOf(facts);
  if (economicKey === null) return null;
  return { referenceKey: referenceKeyOf(facts.reference), economicKey };
}

/**
 * Two brokers may give one number; then the accounts or the figures differ, which is looked at where lines
 * are placed. The name of the broker is not asked: no two documents print it alike.
 */
export function referenceKeyOf(reference: string | null): string | null {
  const plain = reference === null ? "" : canonicalCode(reference);
  return plain === "" ? null : `ref:${sha256Hex(plain).slice(0, 32)}`;
}

function economicKeyOf(facts: TradeFacts): string | null {
  const security = facts.isin ?? tickerOf(facts);
  const { direction, quantity, tradeDate } = facts;
  if (security === null || direction === null || quantity === null || tradeDate === null)
    return null;
  const amount = facts.price ?? facts.gross ?? facts.net;
  const parts = [
    canonicalCode(facts.account ?? ""),
    tradeDate,
    canonicalCode(security),
    direction,
    canonicalNumber(quantity),
    amount === null ? "" : canonicalNumber(amount),
  ];
  return `eco:${sha256Hex(parts.join("|")).slice(0, 32)}`;
}

/** Upper case, letters and digits only: `AB-12/3` and `ab 123` are one reference. */
export function canonicalCode(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

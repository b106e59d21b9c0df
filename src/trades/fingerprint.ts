import { sha256Hex } from "../lib/hash.ts";
import { canonicalNumber } from "./canonical-number.ts";
import { type TradeFacts, tickerOf } from "./trade.ts";

/**
 * What identifies a trade: preferably the broker's reference. If one of the documents lacks it, the economic
 * facts decide, with a counter if they occur more than once.
 */
export interface TradeIdentity {
  /** Null if there is no reference. */
  readonly referenceKey: string | null;
  readonly economicKey: string;
}

/** Null if a fact that identifies the trade is missing. */
export function identityOf(facts: TradeFacts): TradeIdentity | null {
  const economicKey = economicKeyOf(facts);
  if (economicKey === null) return null;
  return { referenceKey: referenceKeyOf(facts.reference), economicKey };
}

/**
 * Two brokers may use the same number; then the accounts or figures differ, which `placeTradeLine` compares. The
 * broker's name is left out because documents print it differently.
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

/** Upper case, letters and digits only: `AB-12/3` and `ab 123` are the same reference. */
export function canonicalCode(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

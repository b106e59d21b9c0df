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
  return { referenceKey: referenceKeyOf(facts.reference, facts), economicKey };
}

/**
 * Brokers number on their own, so the reference is read together with who gave it: the broker where it is
 * known, else the account.
 */
export function referenceKeyOf(
  reference: string | null,
  facts: Pick<TradeFacts, "broker" | "account">,
): string | null {
  const plain = reference === null ? "" : canonicalCode(reference);
  if (plain === "") return null;
  const giver =
    facts.broker !== null ? plainWords(facts.broker) : canonicalCode(facts.account ?? "");
  return `ref:${sha256Hex(`${giver}|${plain}`).slice(0, 32)}`;
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

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

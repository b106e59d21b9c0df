/** Which labels name a number of a trade, and which name a date. */
import type { ConceptHit } from "../lexicon/index.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { PhraseMatch } from "../lexicon/matcher.ts";

const TRADING_CONCEPTS: ReadonlySet<Concept> = new Set([
  "quantity",
  "price",
  "gross",
  "net",
  "debit",
  "credit",
  "subtotal",
  "fee",
  "tax",
  "interest",
  "fx",
  "multiplier",
]);

export function isNumberLabel(label: PhraseMatch<ConceptHit[]>): boolean {
  return label.phrase.length > 1 && label.value.some((hit) => TRADING_CONCEPTS.has(hit.concept));
}

export function isDateLabel(label: PhraseMatch<ConceptHit[]>): boolean {
  return label.value.some(
    (hit) =>
      hit.concept === "tradeDate" || hit.concept === "settleDate" || hit.concept === "docDate",
  );
}

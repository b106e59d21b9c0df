/** How sure each printed field is: the fitted model that answers for it, or a modest constant. */
import type { Confidence } from "../judgement/confidence.ts";
import type { FieldName } from "./extraction.ts";

const FIELD_MODELS: Partial<Record<FieldName, string>> = {
  direction: "direction",
  tradeDate: "date",
  time: "date",
  isin: "security",
  wkn: "security",
  valor: "security",
  sedol: "security",
  cusip: "security",
  ticker: "security",
  quantity: "shares",
  price: "shares",
  net: "amount",
  currency: "currency",
  gross: "gross",
  grossForeign: "gross",
  fxRate: "gross",
  fees: "fees",
  taxes: "taxes",
};

/** Fields that no truth was known of share a modest constant. */
const UNFITTED = 0.7;

export function fieldConfidence(believed: Confidence, name: FieldName): number {
  return believed.field(FIELD_MODELS[name] ?? "") ?? UNFITTED;
}

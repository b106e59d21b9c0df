/** The confidence of each printed field: from its fitted model, or a modest constant if it has none. */
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

/** Shared by all fields whose true values were not known when the models were fitted. */
const UNFITTED = 0.7;

/** False if the confidence of this field says nothing. */
export const isMeasured = (name: FieldName): boolean => FIELD_MODELS[name] !== undefined;

export function fieldConfidence(believed: Confidence, name: FieldName): number {
  return believed.field(FIELD_MODELS[name] ?? "") ?? UNFITTED;
}

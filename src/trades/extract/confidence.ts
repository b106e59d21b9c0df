/** Turns evidence features into probabilities with the fitted weights. */
import type { Features } from "./candidate.ts";
import type { FieldName } from "./extraction.ts";
import { CORRECT_WEIGHTS, FIELD_WEIGHTS, TRADE_WEIGHTS, type Weights } from "./weights.ts";

export { AUTO_CONFIRM } from "./weights.ts";

function probability(weights: Weights, features: Features): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(weights))
    sum += weight * (name === "bias" ? 1 : (features[name] ?? 0));
  return 1 / (1 + Math.exp(-sum));
}

/** That the candidate is a trade and not a dividend, a tax page or a holding. */
export function tradeProbability(features: Features): number {
  return probability(TRADE_WEIGHTS, features);
}

/** That direction, day, security, quantity, currency and net are all right. */
export function correctProbability(features: Features): number {
  return probability(CORRECT_WEIGHTS, features);
}

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

export function fieldProbability(field: FieldName, features: Features): number {
  const weights = FIELD_WEIGHTS[FIELD_MODELS[field] ?? ""];
  return weights ? probability(weights, features) : UNFITTED;
}

/** Turns evidence into probabilities with the fitted weights. */
import type { Features } from "./candidate.ts";
import { BOOKED_WEIGHTS, FIELD_WEIGHTS, TRADE_SCALE } from "./confidence-weights.ts";
import type { FieldName } from "./extraction.ts";
import { TRADE_WEIGHTS, type Weights } from "./weights.ts";

export { AUTO_CONFIRM } from "./confidence-weights.ts";

export interface Confidence {
  /** That direction, day, security, quantity, currency and net are all right. */
  trade: number;
  /** That the value of one field is right. */
  field(name: FieldName): number;
}

/** That the candidate is a trade and not a dividend, a tax page or a holding. */
export function tradeProbability(features: Features): number {
  return probability(TRADE_WEIGHTS, features);
}

const CORE = ["direction", "date", "security", "shares", "currency", "amount"] as const;

/**
 * Each field has a model of its own that sees only the evidence which bears on it. A trade is right when it
 * is one and all its core fields are; the scale corrects what such a product gets wrong.
 */
export function confidenceOf(certainty: Features): Confidence {
  const booked = probability(BOOKED_WEIGHTS, certainty);
  const fields = new Map<string, number>();
  for (const [name, weights] of Object.entries(FIELD_WEIGHTS))
    fields.set(name, probability(weights, certainty));
  const together = CORE.reduce((product, name) => product * (fields.get(name) ?? 1), booked);
  const trade = scaled(together);
  return {
    trade,
    field: (name) => {
      const own = fields.get(FIELD_MODELS[name] ?? "");
      // A trade cannot be surer than its core fields.
      return own === undefined ? UNFITTED : Math.max(trade, booked * own);
    },
  };
}

export function scaled(together: number): number {
  const kept = Math.min(1 - 1e-9, Math.max(1e-9, together));
  return logistic(TRADE_SCALE.bias + TRADE_SCALE.slope * Math.log(kept / (1 - kept)));
}

function probability(weights: Weights, features: Features): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(weights))
    sum += weight * (name === "bias" ? 1 : (features[name] ?? 0));
  return logistic(sum);
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
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

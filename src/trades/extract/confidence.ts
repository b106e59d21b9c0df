/** Turns evidence features into probabilities with the fitted weights. */
import type { Features } from "./candidate.ts";
import { CORRECT_WEIGHTS, TRADE_WEIGHTS, type Weights } from "./weights.ts";

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

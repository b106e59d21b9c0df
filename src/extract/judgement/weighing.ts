/** The fitted numbers that judge candidates. The package ships one set; a measurement uses its own. */
import {
  AUTO_CONFIRM,
  BOOKED_WEIGHTS,
  FIELD_WEIGHTS,
  STRICT_CONFIRM,
  TRADE_SCALE,
} from "./confidence-weights.ts";
import { TRADE_WEIGHTS, type Weights } from "./trade-weights.ts";

export interface Weighing {
  /** For the probability that a candidate is a trade at all. */
  readonly trade: Weights;
  /** For the probability that a trade was cut out of the document correctly. */
  readonly booked: Weights;
  /** For the probability that each field is right. */
  readonly fields: Readonly<Record<string, Weights>>;
  /** Maps the log odds of the product of these probabilities to the log odds that were observed. */
  readonly scale: readonly (readonly [said: number, found: number])[];
  /** Confidence from which a trade is booked without being marked for audit. */
  readonly autoConfirm: number;
  /** The same if no wrong one at all was above it in the fit. */
  readonly strictConfirm: number;
}

export const SHIPPED: Weighing = {
  trade: TRADE_WEIGHTS,
  booked: BOOKED_WEIGHTS,
  fields: FIELD_WEIGHTS,
  scale: TRADE_SCALE,
  autoConfirm: AUTO_CONFIRM,
  strictConfirm: STRICT_CONFIRM,
};

/** Confirms less, and hardly anything that is wrong. */
export function strictly(weighing: Weighing): Weighing {
  return { ...weighing, autoConfirm: weighing.strictConfirm };
}

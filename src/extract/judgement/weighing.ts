/** The fitted numbers that judge candidates. Those that ship are data; a measurement brings its own. */
import { AUTO_CONFIRM, BOOKED_WEIGHTS, FIELD_WEIGHTS, TRADE_SCALE } from "./confidence-weights.ts";
import { TRADE_WEIGHTS, type Weights } from "./trade-weights.ts";

export interface Weighing {
  /** That a candidate is a trade at all. */
  readonly trade: Weights;
  /** That a trade as it was cut out is one. */
  readonly booked: Weights;
  /** That each field is right. */
  readonly fields: Readonly<Record<string, Weights>>;
  /** From the log odds of their product to those that came true. */
  readonly scale: readonly (readonly [said: number, found: number])[];
  /** Confidence from which a trade needs no person. */
  readonly autoConfirm: number;
}

export const SHIPPED: Weighing = {
  trade: TRADE_WEIGHTS,
  booked: BOOKED_WEIGHTS,
  fields: FIELD_WEIGHTS,
  scale: TRADE_SCALE,
  autoConfirm: AUTO_CONFIRM,
};

// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its features to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.9162,
  titleMargin: 0.9682,
  cashMargin: -1.2284,
  product: 2.9639,
  sum: 1.2831,
  netLabel: 1.8638,
  priceLabel: 0.9972,
  quantityLabel: 0.8754,
  directionNone: -2.7078,
  code: 1.0229,
  nameless: -2.561,
  dayNone: -1.5,
  netNoise: -0.9214,
  section: 1.0423,
  payout: -1.0968,
  statementRow: -5.0599,
  silentRow: -0.2525,
  statementWhole: -5.1214,
};

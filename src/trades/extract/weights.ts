// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.91,
  titleMargin: 1.0134,
  cashMargin: -1.2309,
  product: 2.9704,
  sum: 1.2857,
  netLabel: 1.8916,
  priceLabel: 0.9822,
  quantityLabel: 0.8007,
  directionNone: -2.6464,
  code: 1.0132,
  nameless: -2.5849,
  dayNone: -1.5,
  netNoise: -0.9204,
  section: 1.0499,
  payout: -1.1154,
  statementRow: -5.071,
  silentRow: -0.3,
  statementWhole: -5.125,
};

// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.9533,
  titleMargin: 1.0104,
  cashMargin: -1.229,
  product: 2.9647,
  sum: 1.3104,
  netLabel: 1.8681,
  priceLabel: 0.9754,
  quantityLabel: 0.8159,
  directionNone: -2.655,
  code: 1.0355,
  nameless: -2.5767,
  dayNone: -1.5,
  netNoise: -0.9193,
  section: 1.0503,
  payout: -1.1155,
  statementRow: -5.0589,
  silentRow: -0.2887,
  statementWhole: -5.1235,
};

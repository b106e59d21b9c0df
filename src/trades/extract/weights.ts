// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.6691,
  titleMargin: 1.0579,
  cashMargin: -1.2265,
  product: 2.9747,
  sum: 1.2938,
  netLabel: 1.8726,
  priceLabel: 0.7631,
  quantityLabel: 0.5043,
  directionNone: -2.6197,
  code: 1.0158,
  nameless: -2.5876,
  dayNone: -1.5,
  netNoise: -0.9144,
  section: 1.0482,
  payout: -0.647,
  statementRow: -5.0685,
  silentRow: -0.3,
  statementWhole: -5.1277,
};

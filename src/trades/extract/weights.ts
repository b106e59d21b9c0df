// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.9064,
  titleMargin: 1.0148,
  cashMargin: -1.2313,
  product: 2.9677,
  sum: 1.3145,
  netLabel: 1.8737,
  priceLabel: 0.982,
  quantityLabel: 0.7985,
  directionNone: -2.6493,
  code: 1.0099,
  nameless: -2.5794,
  dayNone: -1.5,
  netNoise: -0.9211,
  section: 1.0498,
  payout: -1.1166,
  statementRow: -5.071,
  silentRow: -0.3,
  statementWhole: -5.1252,
};

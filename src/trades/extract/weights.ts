// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -5.2874,
  titleMargin: 1.0721,
  cashMargin: -1.2424,
  product: 2.8499,
  sum: 1.448,
  netLabel: 1.888,
  priceLabel: 1.1689,
  quantityLabel: 0.8012,
  directionNone: -2.3865,
  code: 0.9564,
  dateScore: 0.0434,
  statementRow: -5.6877,
  statementWhole: -6.0386,
  section: 1.0015,
  dayNone: -1.5,
  nameless: -3.6764,
};

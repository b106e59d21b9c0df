// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -6.2559,
  titleMargin: 1.1458,
  cashMargin: -2.2763,
  product: 1.9307,
  sum: 1.1427,
  netLabel: 2.3438,
  priceLabel: 1.8173,
  quantityLabel: 0.8117,
  directionNone: -1.5763,
  code: 1.4452,
  dateScore: 0.2136,
  statementRow: -5.6321,
  statementWhole: -5.9008,
};

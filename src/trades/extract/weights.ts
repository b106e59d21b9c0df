// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -5.1428,
  titleMargin: 1.0786,
  cashMargin: -1.2376,
  product: 3.2084,
  sum: 1.6456,
  netLabel: 1.9743,
  priceLabel: 0.886,
  quantityLabel: 0.7401,
  directionNone: -2.4173,
  code: 0.5606,
  statementRow: -6.223,
  statementWhole: -6.0973,
  section: 0.9885,
};

// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -5.6773,
  titleMargin: 1.2311,
  cashMargin: -2.1845,
  product: 2.2434,
  sum: 1.0472,
  netLabel: 2.0902,
  priceLabel: 1.5245,
  quantityLabel: 0.6974,
  directionNone: -1.5809,
  code: 1.2798,
  dateScore: 0.156,
  statementRow: -6.0841,
  silentRow: -0.001,
  statementWhole: -6.4938,
};

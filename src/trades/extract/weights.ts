// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.1993,
  titleMargin: 1.236,
  cashMargin: -1.2164,
  product: 2.9603,
  sum: 1.963,
  netLabel: 1.7782,
  priceLabel: 0.4536,
  quantityLabel: 0.4041,
  directionNone: -1.7065,
  statementRow: -7.6236,
  statementWhole: -7.0703,
};

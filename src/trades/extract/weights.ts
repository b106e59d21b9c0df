// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -5.0105,
  titleMargin: 1.2779,
  cashMargin: -2.1306,
  product: 2.0698,
  sum: 1.4949,
  netLabel: 1.8244,
  priceLabel: 0.494,
  directionNone: -1.3559,
  code: 1.2827,
  dateScore: 0.2878,
  statementRow: -6.432,
  silentRow: -0.001,
  statementWhole: -6.7039,
};

// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -5.0181,
  titleMargin: 1.2771,
  cashMargin: -2.138,
  product: 2.072,
  sum: 1.489,
  netLabel: 1.8341,
  priceLabel: 0.5001,
  directionNone: -1.3518,
  code: 1.2811,
  dateScore: 0.2833,
  statementRow: -6.4145,
  silentRow: -0.001,
  statementWhole: -6.6797,
};

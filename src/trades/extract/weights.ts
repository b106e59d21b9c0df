// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -5.0278,
  titleMargin: 1.2752,
  cashMargin: -2.1754,
  product: 2.0519,
  sum: 1.5155,
  netLabel: 1.8489,
  priceLabel: 0.4934,
  directionNone: -1.3453,
  code: 1.277,
  dateScore: 0.2846,
  statementRow: -6.4052,
  silentRow: -0.001,
  statementWhole: -6.6685,
};

// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * That a candidate is a trade at all, from its evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on real documents, each read with the words
 * that banks of other folds use, from opinions whose signs stay.
 */
export type Weights = Readonly<Record<string, number>>;

export const TRADE_WEIGHTS: Weights = {
  bias: -4.1131,
  titleMargin: 0.5459,
  cashMargin: -0.2372,
  product: 2.5768,
  sum: 1.1742,
  netLabel: 1.1697,
  priceLabel: 0.9971,
  quantityLabel: 0.2975,
  directionNone: -2.3314,
  code: 0.9827,
  nameless: -2.6816,
  dateScore: 0.4594,
  dayNone: -1.5,
  netNoise: -0.9708,
  section: 0.8055,
  payout: -1.1238,
  statementRow: -5.0052,
  statementWhole: -5.2396,
};

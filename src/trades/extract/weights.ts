/**
 * Weights of the two fitted models, from evidence features to log odds. Fitted with every family of
 * banks left out in turn; signs are fixed beforehand, so that no weight contradicts its feature.
 */
export type Weights = Readonly<Record<string, number>>;

/** That the candidate is a trade at all. */
export const TRADE_WEIGHTS: Weights = {
  bias: -5.0488,
  titleMargin: 0.7954,
  cashMargin: -1.994,
  product: 2.0284,
  sum: 1.5893,
  netLabel: 2.3311,
  priceLabel: 1.2021,
  quantityLabel: 0.208,
  directionNone: -2.2648,
  code: 1.0214,
  tradeDate: 1.0896,
};

/** That its core fields are right. */
export const CORRECT_WEIGHTS: Weights = {
  bias: -10.1127,
  cashMargin: -4.4783,
  product: 0.9754,
  sum: 2.2433,
  netLabel: 1.9054,
  quantityLabel: 0.3164,
  directionNone: -2.4091,
  isin: 0.1146,
  code: 3.1956,
  dateScore: 0.1235,
  dateGap: 0.217,
  directionGap: 1.9959,
  margin: 0.5786,
  netCurrency: 0.2809,
  part: -0.538,
};

/**
 * Weights of the two fitted models, from evidence features to log odds. Fitted with every family of
 * banks left out in turn; signs are fixed beforehand, so that no weight contradicts its feature.
 */
export type Weights = Readonly<Record<string, number>>;

/** That the candidate is a trade at all. */
export const TRADE_WEIGHTS: Weights = {
  bias: -5.932,
  titleMargin: 0.7806,
  cashMargin: -2.0439,
  product: 2.7928,
  sum: 1.5404,
  netLabel: 2.3743,
  priceLabel: 1.4479,
  quantityLabel: 0.2653,
  directionNone: -2.3362,
  code: 1.2059,
  tradeDate: 1.039,
};

/** That its core fields are right. */
export const CORRECT_WEIGHTS: Weights = {
  bias: -10.4964,
  cashMargin: -4.7639,
  product: 0.6171,
  sum: 3.0926,
  netLabel: 2.3438,
  directionNone: -2.8584,
  code: 4.2394,
  dateGap: 0.3966,
  netNoise: -4.2738,
  directionGap: 1.3068,
  margin: 0.5561,
  netCurrency: 0.1908,
  part: -0.262,
};

/**
 * Weights of the two fitted models, from evidence features to log odds. Fitted with every family of
 * banks left out in turn; signs are fixed beforehand, so that no weight contradicts its feature.
 */
export type Weights = Readonly<Record<string, number>>;

/** That the candidate is a trade at all. */
export const TRADE_WEIGHTS: Weights = {
  bias: -6.9347,
  titleMargin: 0.8232,
  cashMargin: -2.016,
  product: 3.749,
  sum: 0.7383,
  netLabel: 2.9834,
  priceLabel: 1.8289,
  quantityLabel: 0.4389,
  directionNone: -1.8044,
  code: 1.0725,
  tradeDate: 0.6821,
};

/** That its core fields are right. */
export const CORRECT_WEIGHTS: Weights = {
  bias: -10.8884,
  cashMargin: -4.4641,
  product: 1.3842,
  sum: 2.2741,
  netLabel: 1.8866,
  priceLabel: 0.0482,
  directionNone: -3.2399,
  code: 4.386,
  dateGap: 0.553,
  grossLabel: 0.0338,
  directionGap: 2.2007,
  margin: 0.5088,
  part: -1.0089,
};

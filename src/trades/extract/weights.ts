/**
 * Weights of the two fitted models, from evidence features to log odds. Fitted with every family of
 * banks left out in turn; signs are fixed beforehand, so that no weight contradicts its feature.
 */
export type Weights = Readonly<Record<string, number>>;

/** That the candidate is a trade at all. */
export const TRADE_WEIGHTS: Weights = {
  bias: -6.9589,
  titleMargin: 0.855,
  cashMargin: -2.3254,
  product: 3.8782,
  sum: 0.6747,
  netLabel: 2.7737,
  priceLabel: 1.4079,
  quantityLabel: 0.9625,
  directionNone: -1.6245,
  code: 1.041,
  dateScore: 0.1763,
  tradeDate: 0.05,
  statementRow: -5.9134,
};

/** That its core fields are right. */
export const CORRECT_WEIGHTS: Weights = {
  bias: -10.8348,
  cashMargin: -3.4461,
  product: 1.1552,
  sum: 2.3071,
  netLabel: 1.7745,
  directionNone: -3.3161,
  code: 4.4003,
  dateGap: 0.3917,
  grossLabel: 0.2246,
  directionGap: 2.6298,
  margin: 0.5479,
  part: -0.7199,
};

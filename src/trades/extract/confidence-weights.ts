// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: these are fitted, not pi.
/**
 * How sure the extractor may be, from the evidence to log odds.
 * Made by `node --import tsx bench/fit/main.ts`, not by hand. Fitted on the families of real documents that may
 * be looked at, from opinions whose signs stay.
 */
import type { Weights } from "./weights.ts";

/** That a trade as it was cut out is one. */
export const BOOKED_WEIGHTS: Weights = {
  bias: -2.52,
  titleMargin: 0.7706,
  cashMargin: -1.8127,
  product: 3.765,
  bothHold: 1.2185,
  priceLabel: 0.4123,
  wordsSay: 1.7553,
  statementRow: -2,
  statementWhole: -3.3156,
  lonely: -1,
  many: -0.0717,
  spaced: -0.3915,
  dayOutside: -2.4303,
};

/** That each field of a trade is right. */
export const FIELD_WEIGHTS: Readonly<Record<string, Weights>> = {
  direction: {
    bias: 2.4673,
    spaced: -0.932,
    lonely: -1,
    wordsSay: 1.4074,
    wordsAgree: 2.548,
    sideAgrees: 0.9184,
    directionMargin: 1.8219,
    directionNone: -0.5188,
    wordsElsewhere: -1.2466,
  },
  date: {
    bias: 2.658,
    spaced: -0.2766,
    lonely: -1,
    dayNone: -6,
    daySays: 1.7214,
    dayMargin: 2.0047,
    dayOnly: 1.2178,
    dayRivals: -1.4709,
    dayOpen: -2.4835,
    dayOutside: -1.4072,
    daySettled: 1.7952,
    dayAfterSettled: -0.8344,
    dayPeriod: -3,
    dayTorn: -3.6502,
  },
  security: {
    bias: 5.4315,
    spaced: -2.1347,
    lonely: -1,
    isinChecked: 1.9463,
    isinSays: 0.6081,
    codesAgree: 0.9951,
    codeRivals: -6.2632,
    codeOutside: -0.8076,
    codeFar: -2.0633,
    codeTicker: -2.5084,
    codeNone: -5.676,
  },
  shares: {
    bias: 0.625,
    spaced: -1.2403,
    lonely: -1,
    productHolds: 0.6956,
    bothHold: 1.3151,
    quantitySays: 2.9123,
    quantityMargin: 2.089,
    quantityRival: -2.518,
    quantityMoney: -1.7648,
    percent: -2.7674,
  },
  currency: {
    bias: 4.622,
    lonely: -1,
    currencyBeside: 1.8508,
    currencyNone: -6,
    currencies: -4.2644,
    foreignNet: -4.9804,
    rateLeft: -2.9098,
    sumHolds: 1.0435,
  },
  amount: {
    bias: 0.4453,
    spaced: -0.6237,
    lonely: -1,
    netLabel: 1.8672,
    netMargin: 1.19,
    sumHolds: 1.4692,
    bothHold: 0.6399,
    productHolds: 0.5106,
    netRepeated: 0.7071,
    chargesUnused: -1.1444,
    sumOff: -4.7292,
    taxLeft: -0.826,
    taxNamed: -0.2885,
    feeLeft: -0.9543,
    netLeft: -0.2881,
    laterNet: -2.2636,
    rateLeft: -1.4734,
    foreignNet: -2.4373,
    netReadings: -0.3,
    netSaysTax: -1.3748,
    taxPending: -1.5608,
  },
  gross: {
    bias: -0.2356,
    productHolds: 0.7386,
    sumHolds: 1.0631,
    netMargin: 1.8397,
    chargesUnused: -0.6209,
    feeLeft: -2.035,
    rateLeft: -1.2131,
    converted: -0.6824,
  },
  fees: {
    bias: -0.1303,
    productHolds: 0.4108,
    sumHolds: 0.0391,
    netMargin: 2.913,
    feeLeft: -2.0789,
  },
  taxes: {
    bias: 0.3336,
    productHolds: 0.1884,
    netMargin: 3.6754,
    taxLeft: -2.5389,
    netBeforeTax: -0.6651,
    netSaysTax: -0.13,
    converted: -0.4611,
  },
};

/** From the product of these to the share that came true. */
export const TRADE_SCALE = { bias: 1.3288, slope: 0.2986 };

/** Confidence from which a trade needs no person: of families left out 134 of 136 were right, 18 % of all. */
export const AUTO_CONFIRM = 0.914;

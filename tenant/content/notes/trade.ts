import type { Random } from "../../random.ts";
import { addWorkingDays } from "./locale.ts";
import type { Kind, NoteRequest, TradeTruth, Trap } from "./note.ts";
import { localIdFor, SECURITIES, type Security } from "./securities.ts";

/** A trade whose figures are consistent to the cent, and the lines that its note prints. */
export interface InventedTrade {
  truth: TradeTruth;
  time: string;
  venue: string;
  /** Value of the holding without accrued interest, in the security's currency. */
  marketValue: number;
  commission: number;
  exchangeFee: number;
  transactionTax: number;
  capitalGainsTax: number;
  /** `rate` units of the security's currency per unit of the account's, or the reverse. */
  ratePair: string;
  closingPrice: number;
  orderNumber: string;
  quantityPlaces: number;
  pricePlaces: number;
}

export interface TradeWish {
  kind: Kind;
  currency: string;
  localIdLabel: string;
  request: NoteRequest;
  /** Distinguishes the trades of one document. */
  index: number;
}

/** What one euro buys; only the ratios matter. */
const PER_EURO: Record<string, number> = {
  EUR: 1,
  USD: 1.0842,
  GBP: 0.8561,
  CHF: 0.9436,
  DKK: 7.4582,
  SEK: 11.274,
};
const VENUES = ["XFAB", "Quay Exchange", "Nordhafen MTF", "OTC", "Lantern ATS", "Campanile MTF"];

export function inventTrade(random: Random, wish: TradeWish): InventedTrade {
  const security = chooseSecurity(random, wish);
  const direction = directionOf(random, wish.kind);
  const tradeDate = wish.request.tradeDate ?? inventDay(random, wish.request.traps ?? []);
  const prices = inventPrice(random, security, wish.kind);
  const amount = inventAmount(random, security, wish, prices.factor * prices.price);
  const rate = inventRate(random, security.currency, wish.currency);
  const costs = inventCosts(
    random,
    wish.kind,
    direction,
    rate.toAccount(amount.marketValue),
    security,
  );
  const accrued =
    security.type === "bond" ? round2(amount.marketValue * (0.001 + random.next() * 0.02)) : 0;
  const foreignGross = round2(amount.marketValue + accrued);
  const gross =
    wish.kind === "savings-plan" ? round2(amount.spent - costs.fees) : rate.toAccount(foreignGross);
  const sign = direction === "BUY" ? 1 : -1;
  const settlementDate = addWorkingDays(tradeDate, security.currency === "USD" ? 1 : 2);
  const isForeign = security.currency !== wish.currency;
  const truth: TradeTruth = {
    direction,
    tradeDate,
    settlementDate,
    name: security.name,
    isin: security.isin,
    localId: localIdFor(security, wish.localIdLabel),
    ticker: security.ticker,
    quantity:
      wish.kind === "savings-plan" ? roundTo(gross / prices.price, amount.places) : amount.quantity,
    price: prices.price,
    priceCurrency: wish.kind === "pence" ? "GBX" : security.currency,
    isPercentQuoted: security.type === "bond",
    forexGross: isForeign ? foreignGross : null,
    fxRate: isForeign ? rate.printed : null,
    accruedInterest: accrued === 0 ? null : accrued,
    gross,
    fees: costs.fees,
    taxes: costs.taxes,
    net: round2(gross + sign * (costs.fees + costs.taxes)),
    currency: wish.currency,
    reference: wish.request.reference ?? inventReference(random),
    account:
      wish.request.account ?? `${1000 + random.below(9000)}-${100000 + random.below(900000)}`,
    isCancelled: wish.kind === "cancellation",
    refersTo:
      wish.kind === "cancellation" || wish.kind === "amendment"
        ? (wish.request.refersTo ?? inventReference(random))
        : null,
    sources: {},
  };
  return {
    truth,
    time: `${String(8 + random.below(9)).padStart(2, "0")}:${String(random.below(60)).padStart(2, "0")}`,
    venue: random.pick(VENUES),
    marketValue: wish.kind === "savings-plan" ? gross : amount.marketValue,
    ...costs,
    ratePair: rate.pair,
    closingPrice: roundTo(prices.price * (0.97 + random.next() * 0.06), prices.places),
    orderNumber: String(10_000_000 + random.below(89_999_999)),
    quantityPlaces: amount.places,
    pricePlaces: prices.places,
  };
}

function chooseSecurity(random: Random, wish: TradeWish): Security {
  const asked = wish.request.security;
  const named =
    asked === undefined
      ? undefined
      : SECURITIES.find((one) => one.isin === asked || one.name.includes(asked));
  if (named !== undefined && wish.index === 0) return named;
  const type =
    wish.kind === "bond" ? ["bond"] : wish.kind === "savings-plan" ? ["fund"] : ["share", "fund"];
  const typed = SECURITIES.filter((one) => type.includes(one.type));
  const isForeign = wish.kind === "fx";
  const fitting = typed.filter((one) => (one.currency === wish.currency) !== isForeign);
  return random.pick(fitting.length > 0 ? fitting : typed);
}

function directionOf(random: Random, kind: Kind): "BUY" | "SELL" {
  if (kind === "buy" || kind === "savings-plan") return "BUY";
  if (kind === "sell") return "SELL";
  return random.chance(0.6) ? "BUY" : "SELL";
}

/** A working day in the years around the sample data. */
function inventDay(random: Random, traps: readonly Trap[]): string {
  // The first days of February to April are valid dates of another month if day and month are swapped.
  const isAmbiguous = traps.includes("ambiguous-date");
  if (isAmbiguous) return addWorkingDays(`2026-0${2 + random.below(3)}-0${4 + random.below(5)}`, 1);
  const start = Date.UTC(2025, 0, 2);
  const day = new Date(start + random.below(680) * 86_400_000).toISOString().slice(0, 10);
  return addWorkingDays(day, 1);
}

function inventPrice(random: Random, security: Security, kind: Kind) {
  const places = security.type === "bond" ? random.pick([2, 3]) : random.pick([2, 2, 3, 4]);
  const drift = security.type === "bond" ? 0.98 + random.next() * 0.04 : 0.8 + random.next() * 0.4;
  if (kind === "pence")
    return { price: roundTo(security.price * 100 * drift, 2), places: 2, factor: 0.01 };
  return {
    price: roundTo(security.price * drift, places),
    places,
    factor: security.type === "bond" ? 0.01 : 1,
  };
}

function inventAmount(random: Random, security: Security, wish: TradeWish, unitValue: number) {
  const spent = random.pick([25, 50, 100, 150, 250, 500]);
  const isFraction = wish.kind === "fraction" || wish.kind === "savings-plan";
  const places = isFraction ? random.pick([4, 5, 6]) : 0;
  let quantity = 1 + random.below(random.pick([20, 400, 3000]));
  if (security.type === "bond") quantity = 1000 * (1 + random.below(60));
  if (isFraction) quantity = roundTo(random.next() * random.pick([1, 5, 40]) + 0.05, places);
  return { spent, places, quantity, marketValue: round2(quantity * unitValue) };
}

function inventRate(random: Random, from: string, to: string) {
  if (from === to) return { printed: 1, pair: "", toAccount: round2 };
  const perAccount = (PER_EURO[from]! / PER_EURO[to]!) * (0.98 + random.next() * 0.04);
  if (random.chance(0.6)) {
    const printed = roundTo(perAccount, 4);
    return {
      printed,
      pair: `${to}/${from}`,
      toAccount: (value: number) => round2(value / printed),
    };
  }
  const printed = roundTo(1 / perAccount, 6);
  return { printed, pair: `${from}/${to}`, toAccount: (value: number) => round2(value * printed) };
}

function inventCosts(
  random: Random,
  kind: Kind,
  direction: string,
  value: number,
  security: Security,
) {
  const isSmall = kind === "savings-plan" || kind === "fraction";
  const commission = isSmall
    ? random.pick([0, 0, 0.99, 1])
    : round2(Math.max(4.9, value * random.pick([0.001, 0.0025, 0.01])));
  const exchangeFee = !isSmall && random.chance(0.4) ? round2(0.75 + random.next() * 6) : 0;
  const country = security.isin.slice(0, 2);
  const dutyShare = { GB: 0.005, CH: 0.00075, FR: 0.003 }[country] ?? 0;
  const isDutiable = direction === "BUY" && security.type === "share" && kind !== "savings-plan";
  const transactionTax = isDutiable ? round2(value * dutyShare) : 0;
  const capitalGainsTax =
    direction === "SELL" && country === "DE" && random.chance(0.6)
      ? round2(value * (0.01 + random.next() * 0.06))
      : 0;
  return {
    commission,
    exchangeFee,
    transactionTax,
    capitalGainsTax,
    fees: round2(commission + exchangeFee),
    taxes: round2(transactionTax + capitalGainsTax),
  };
}

function inventReference(random: Random): string {
  const number = 100_000 + random.below(899_999);
  return random.pick([
    `${number}${random.below(1000)}`,
    `CN-${number}`,
    `A${number}/${10 + random.below(89)}`,
    `${2020 + random.below(7)}-${number}`,
  ]);
}

export function round2(value: number): number {
  return roundTo(value, 2);
}

export function roundTo(value: number, places: number): number {
  return Number(`${Math.round(Number(`${value.toFixed(9)}e${places}`))}e-${places}`);
}

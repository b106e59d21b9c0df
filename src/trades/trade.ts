import { canonicalNumber } from "./canonical-number.ts";

export type Direction = "BUY" | "SELL";

export type AccountType = "individual" | "joint" | "trust" | "corporate" | "other";

/**
 * What a document says about one trade. Amounts are positive. `gross`, `fees`, `taxes` and `net` are in `currency`,
 * the account's; `price` is in `priceCurrency`, in whole units (pounds, never pence). Null means that the document
 * does not say.
 */
export interface TradeFacts {
  readonly direction: Direction | null;
  /** YYYY-MM-DD */
  readonly tradeDate: string | null;
  /** HH:MM or HH:MM:SS */
  readonly tradeTime: string | null;
  readonly settlementDate: string | null;
  readonly name: string | null;
  readonly isin: string | null;
  readonly sedol: string | null;
  readonly cusip: string | null;
  readonly wkn: string | null;
  readonly valor: string | null;
  readonly ticker: string | null;
  readonly quantity: number | null;
  readonly price: number | null;
  readonly priceCurrency: string | null;
  /** The price is a percentage of the nominal value, and `quantity` is the nominal value. */
  readonly isPercentQuoted: boolean;
  readonly gross: number | null;
  readonly fees: number | null;
  readonly taxes: number | null;
  readonly net: number | null;
  readonly currency: string | null;
  /** Gross in the currency of the price, if that is not the account's. */
  readonly forexGross: number | null;
  readonly fxRate: number | null;
  readonly reference: string | null;
  readonly account: string | null;
  readonly broker: string | null;
  readonly holder: string | null;
  readonly accountType: AccountType | null;
  readonly isCancelled: boolean;
  /** It replaces an earlier trade. */
  readonly isAmendment: boolean;
  /** The reference of the trade that is cancelled or replaced. */
  readonly refersTo: string | null;
}

export const NO_FACTS: TradeFacts = {
  direction: null,
  tradeDate: null,
  tradeTime: null,
  settlementDate: null,
  name: null,
  isin: null,
  sedol: null,
  cusip: null,
  wkn: null,
  valor: null,
  ticker: null,
  quantity: null,
  price: null,
  priceCurrency: null,
  isPercentQuoted: false,
  gross: null,
  fees: null,
  taxes: null,
  net: null,
  currency: null,
  forexGross: null,
  fxRate: null,
  reference: null,
  account: null,
  broker: null,
  holder: null,
  accountType: null,
  isCancelled: false,
  isAmendment: false,
  refersTo: null,
};

/** The part before the @, which identifies people in trade keys. */
export function usernameOf(email: string): string {
  return email.split("@")[0]!.trim().toLowerCase();
}

/** The best identifier of the security that the document gives; the ticker comes first. */
export function tickerOf(facts: TradeFacts): string | null {
  return (
    facts.ticker ?? facts.isin ?? facts.sedol ?? facts.cusip ?? facts.wkn ?? facts.valor ?? null
  );
}

/**
 * `{username}-{date}-{ticker}-{direction}-{qty}`, as in `ldeburna-20260204-AAPL-BUY-100`. Null if a part is unknown.
 */
export function tradeKeyOf(facts: TradeFacts, username: string): string | null {
  const ticker = tickerOf(facts);
  const { direction, quantity, tradeDate } = facts;
  if (ticker === null || direction === null || quantity === null || tradeDate === null) return null;
  const date = tradeDate.replaceAll("-", "");
  return [username, date, ticker, direction, canonicalNumber(quantity)].join("-");
}

/** The value of the shares in the currency of the price. */
export function sharesValueOf(facts: TradeFacts): number | null {
  if (facts.quantity === null || facts.price === null) return null;
  return (facts.quantity * facts.price) / (facts.isPercentQuoted ? 100 : 1);
}

/** Currencies by code, sign and word; folded. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set(
  "eur usd chf gbp gbx gbp gbpence sek nok dkk pln czk huf aud nzd cad jpy hkd sgd zar ils try ron bgn hrk isk rub cny cnh inr brl mxn krw twd thb idr myr php aed sar kwd qar clp cop pen ars uah kzt rsd vnd".split(
    " ",
  ),
);

/** Older units and spellings that banks still print. */
export const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  euro: "EUR",
  euros: "EUR",
  dollar: "USD",
  dollars: "USD",
  franken: "CHF",
  sfr: "CHF",
  kc: "CZK",
  zl: "PLN",
  kr: "",
  pence: "GBX",
  gbp: "GBP",
  gbx: "GBX",
  penny: "GBX",
};

/** Signs, the longer first. An empty value means: a dollar or crown of a country that other evidence names. */
export const CURRENCY_SIGNS: readonly (readonly [string, string])[] = [
  ["us$", "USD"],
  ["a$", "AUD"],
  ["au$", "AUD"],
  ["c$", "CAD"],
  ["ca$", "CAD"],
  ["nz$", "NZD"],
  ["hk$", "HKD"],
  ["s$", "SGD"],
  ["r$", "BRL"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["$", ""],
];

/** Folded words of supervisors, exchanges and tax offices, by the currency of their country. */
export const COUNTRY_WORDS: Readonly<Record<string, string>> = {
  AUD: "abn acn afsl asx chess",
  CAD: "cipf iiroc ciro tsx tfsa rrsp",
  NZD: "nzx",
  SGD: "sgx cdp",
  HKD: "hkex sehk ccass",
  INR: "sebi gstin nsdl cdsl",
  USD: "sipc finra cusip",
  GBP: "crest sedol sipp ptm sdrt",
};

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
  zloty: "PLN",
  zlotych: "PLN",
  kr: "KR",
  kronor: "SEK",
  ft: "HUF",
  lei: "RON",
  rs: "INR",
  rand: "ZAR",
  rands: "ZAR",
  reais: "BRL",
  rm: "MYR",
  p: "GBX",
  pence: "GBX",
  gbp: "GBP",
  gbx: "GBX",
  penny: "GBX",
};

/** Signs, longest first. An empty value means that other evidence must name the country. */
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
  ["₹", "INR"],
  ["₺", "TRY"],
  ["₪", "ILS"],
  ["₩", "KRW"],
  ["฿", "THB"],
  ["₱", "PHP"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["$", ""],
];

/** Signs that several countries share, by the codes that they may stand for. */
const SHARED: Readonly<Record<string, ReadonlySet<string>>> = {
  $: new Set("USD AUD NZD CAD HKD SGD TWD".split(" ")),
  KR: new Set("SEK NOK DKK ISK".split(" ")),
};

export function isShared(code: string): boolean {
  return SHARED[code] !== undefined;
}

/** True if both may be the same currency: equal, a shared sign and one of its codes, or pence and pounds. */
export function isCompatible(a: string, b: string): boolean {
  if (a === b || SHARED[a]?.has(b) || SHARED[b]?.has(a)) return true;
  return (a === "GBX" && b === "GBP") || (a === "GBP" && b === "GBX");
}

/** Folded words for regulators, exchanges and tax offices, by the currency of their country. */
export const COUNTRY_WORDS: Readonly<Record<string, string>> = {
  AUD: "abn acn afsl asx chess",
  CAD: "cipf iiroc ciro tsx tfsa rrsp",
  NZD: "nzx",
  SGD: "sgx cdp",
  HKD: "hkex sehk ccass",
  INR: "sebi gstin nsdl cdsl",
  USD: "sipc finra cusip",
  GBP: "crest sedol sipp ptm sdrt",
  ZAR: "jse strate fsca fais",
  SEK: "courtage avrakningsnota bankgiro plusgiro depa finansinspektionen likviddag",
  NOK: "kurtasje sluttseddel finanstilsynet oppgjor vps foretaksregisteret oppgjorsdato",
  DKK: "kurtage cvr fondsnota finanstilsynet handelsnota vaerdipapir valordato",
  PLN: "knf krs regon",
  CZK: "cnb ico",
};

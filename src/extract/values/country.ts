/** Guesses the country of a document that names no currency, from the offices and exchanges it mentions. */
import type { TextLine } from "../layout/text-line.ts";
import { COUNTRY_WORDS } from "../lexicon/currencies.ts";

const CURRENCY_OF = new Map(
  Object.entries(COUNTRY_WORDS).flatMap(([currency, words]) =>
    words.split(" ").map((word) => [word, currency] as const),
  ),
);

/** The currency of the country that most words point to; null if there is no such word or a tie. */
export function countryCurrency(lines: readonly TextLine[]): string | null {
  const counts = new Map<string, number>();
  for (const line of lines) {
    for (const word of line.words) {
      const currency = CURRENCY_OF.get(word.text);
      if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1);
    }
  }
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && first[1] !== second?.[1] ? first[0] : null;
}

/** The currency in which securities of a country are usually traded at home. */
const HOME: Readonly<Record<string, string>> = Object.fromEntries([
  ..."AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK"
    .split(" ")
    .map((country) => [country, "EUR"]),
  ...Object.entries({
    AU: "AUD",
    BR: "BRL",
    CA: "CAD",
    CH: "CHF",
    CZ: "CZK",
    DK: "DKK",
    GB: "GBP",
    HK: "HKD",
    HU: "HUF",
    IN: "INR",
    JP: "JPY",
    NO: "NOK",
    NZ: "NZD",
    PL: "PLN",
    RO: "RON",
    SE: "SEK",
    SG: "SGD",
    US: "USD",
    ZA: "ZAR",
  }),
]);

/** The currency of the country that issued the ISIN. */
export function isinCurrency(isin: string): string | null {
  return HOME[isin.slice(0, 2)] ?? null;
}

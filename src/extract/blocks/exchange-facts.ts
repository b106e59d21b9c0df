/**
 * Finds the trades in the history of an exchange for cryptocurrencies: a row gives coins for money or money for coins,
 * with a charge beside them. It prints neither the price nor the total.
 */
import type { TextLine } from "../layout/text-line.ts";
import { type Amount, coinAt, computedFrom } from "../values/amount.ts";
import { PLAIN, SURE } from "../values/clue-strength.ts";
import type { Fact } from "./fact.ts";
import { isTradeRow } from "./row-facts.ts";

/** Charges are at most a fifth of the amount. */
const CHARGE_SHARE = 0.2;
const SCORE = 1.8;

export function findExchangeFacts(lines: readonly TextLine[], amounts: readonly Amount[]): Fact[] {
  const found: Fact[] = [];
  let at = 0;
  for (const line of lines) {
    const own: Amount[] = [];
    for (; at < amounts.length && amounts[at]!.line <= line.index; at++)
      if (amounts[at]!.line === line.index && amounts[at]!.reading === 0) own.push(amounts[at]!);
    if (line.dates.length === 0 || !isTradeRow(line)) continue;
    const fact = factOf(
      line,
      own.filter(({ value }) => value > 0),
    );
    if (fact) found.push(fact);
  }
  return found;
}

/** A row holds one number of coins, one amount of money and at most one charge, each with its unit behind it. */
function factOf(line: TextLine, own: readonly Amount[]): Fact | null {
  const coins = own.filter(({ token }) => coinAt(line, token));
  const money = own.filter(({ currency }) => currency !== null);
  const [gross, charge] = money;
  const [coin] = coins;
  if (!coin || coins.length > 1 || !gross || money.length > 2) return null;
  if (charge && (charge.currency !== gross.currency || charge.value > gross.value * CHARGE_SHARE))
    return null;
  const isPurchase = line.directions.find(({ value }) => value !== "CANCEL")?.value === "BUY";
  // The coin behind the number is its unit.
  const quantity = { ...coin, clues: { ...coin.clues, quantity: SURE } };
  const cost = (charge?.value ?? 0) * (isPurchase ? 1 : -1);
  return {
    quantity,
    price: computedFrom(gross, gross.value / quantity.value, gross.currency),
    gross,
    ...(charge && { net: totalOf(gross, gross.value + cost) }),
    isPercent: false,
    first: line.index,
    last: line.index,
    score: SCORE,
  };
}

/** What the money of a row adds up to was paid, as if a label said so. */
function totalOf(gross: Amount, value: number): Amount {
  return { ...computedFrom(gross, value, gross.currency), clues: { net: PLAIN } };
}

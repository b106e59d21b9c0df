/** Which three values of a block are quantity, price and gross: pairs that multiply to a third. */
import type { Fact } from "../blocks/fact.ts";
import { type Amount, computedFrom, differ } from "../values/amount.ts";
import {
  grossClue,
  netClue,
  noise,
  overlap,
  priceScore,
  quantityScore,
} from "../values/amount-scores.ts";

/** How far apart the numbers of an unlabelled product stand. */
const BARE_REACH = 6;
const BARE_LINES = 4;

/** Strength of a clue from which a value is called what it is. */
const NAMED = 0.5;
/** Largest share of a trade that charges make up. */
const CHARGED = 0.15;

export interface Product {
  quantity: Amount | null;
  price: Amount | null;
  isPercent: boolean;
  gross: Amount | null;
  product: number;
  score: number;
}

export function productOf(fact: Fact): Product {
  const { quantity, price, gross, isPercent } = fact;
  return { quantity, price, gross, isPercent, product: 1, score: 2.6 + fact.score };
}

export function findProducts(
  quantities: Amount[],
  prices: Amount[],
  money: Amount[],
  usable: readonly Amount[],
): Product[] {
  const found: Product[] = [];
  const sorted = [...money].sort((a, b) => a.value - b.value);
  for (const quantity of quantities) {
    found.push(loose(quantity, prices, money));
    for (const price of prices) {
      if (overlap(quantity, price)) continue;
      productsOf(quantity, price, sorted, found);
    }
  }
  findQuantities(prices, money, usable, found);
  findPrices(quantities, money, usable, found);
  findConverted(quantities, prices, money, usable, found);
  findContracts(quantities, prices, sorted, usable, found);
  findUnprinted(quantities, prices, money, found);
  if (!found.some((one) => one.product > 0)) findBare(money, usable, found);
  if (quantities.length === 0 && money.length > 0)
    found.push({
      quantity: null,
      price: prices[0] ?? null,
      isPercent: false,
      gross: null,
      product: 0,
      score: -1,
    });
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, 14);
}

/** A quantity without any label betrays itself: it is what gross divided by price gives. */
function findQuantities(
  prices: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const sorted = usable
    .filter((amount) => !amount.currency && !amount.token.isPercent && noise(amount) < 0.5)
    .sort((a, b) => a.value - b.value);
  for (const price of prices) {
    if ((price.clues.price ?? 0) < 0.3) continue;
    for (const gross of money) {
      if (overlap(price, gross) || gross.value === price.value) continue;
      const isNamed = grossClue(gross) + netClue(gross) >= 0.3;
      const target = gross.value / (price.token.isPercent ? price.value / 100 : price.value);
      for (const quantity of within(sorted, target, target * (isNamed ? 0.002 : 0.0005))) {
        if (overlap(quantity, price) || overlap(quantity, gross) || quantityScore(quantity) > 0)
          continue;
        if ((quantity.clues.fx ?? 0) > 0.3 || quantity.value === 1) continue;
        productsOf(quantity, price, [gross], found);
      }
    }
  }
}

/** So does a price: it is what gross divided by quantity gives. */
function findPrices(
  quantities: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const sorted = usable
    .filter((amount) => amount.decimals >= 2 && priceScore(amount) === 0)
    .sort((a, b) => a.value - b.value);
  for (const quantity of quantities) {
    if ((quantity.clues.quantity ?? 0) < 0.3 || quantity.value === 1) continue;
    if (noise(quantity) >= 0.5) continue;
    for (const gross of money) {
      if (overlap(quantity, gross)) continue;
      const target = gross.value / quantity.value;
      for (const price of within(sorted, target, target * 0.0005 + 0.00501)) {
        if (overlap(quantity, price) || overlap(price, gross)) continue;
        if ((price.clues.fx ?? 0) > 0.3) continue;
        productsOf(quantity, price, [gross], found);
      }
    }
  }
}

/** Only the converted money is printed: quantity times price times rate gives it. */
function findConverted(
  quantities: readonly Amount[],
  prices: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const rates = usable.filter(
    (amount) => (amount.clues.fx ?? 0) > 0.3 && amount.decimals >= 3 && amount.value !== 1,
  );
  if (rates.length === 0) return;
  for (const quantity of quantities) {
    if (quantity.value === 1 && (quantity.clues.quantity ?? 0) < 0.8) continue;
    for (const price of prices) {
      if (overlap(quantity, price) || !price.currency || (price.clues.price ?? 0) < 0.5) continue;
      const foreign = quantity.value * price.value;
      for (const rate of rates) {
        const met = money.find(
          (amount) =>
            amount.currency !== null &&
            differ(amount.currency, price.currency) &&
            [foreign * rate.value, foreign / rate.value].some(
              (home) => Math.abs(amount.value - home) < 0.006 + home * 10 ** -rate.decimals,
            ),
        );
        if (!met) continue;
        const gross = computedFrom(price, foreign, price.currency);
        const score = 2.3 + 1.4 * quantityScore(quantity) + 0.8 * priceScore(price);
        found.push({ quantity, price, isPercent: false, gross, product: 0.9, score });
      }
    }
  }
}

/** Contracts stand for many units: their number times the multiplier is the quantity. */
function findContracts(
  quantities: readonly Amount[],
  prices: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const multipliers = usable.filter(
    ({ clues, value, decimals }) => (clues.multiplier ?? 0) > 0.4 && value > 1 && decimals === 0,
  );
  for (const multiplier of multipliers) {
    for (const contracts of quantities) {
      if (contracts === multiplier || (contracts.clues.quantity ?? 0) < 0.4) continue;
      const units = { ...contracts, value: contracts.value * multiplier.value, decimals: 0 };
      for (const price of prices)
        if (!overlap(contracts, price))
          productsOf({ ...units, isComputed: true }, price, money, found);
    }
  }
}

/** The product is printed nowhere: a labelled net near it must then be explained by the charges. */
function findUnprinted(
  quantities: readonly Amount[],
  prices: readonly Amount[],
  money: readonly Amount[],
  found: Product[],
): void {
  if (found.some((one) => one.product > 0)) return;
  // A gross that is printed and is not the product speaks against the numbers, not for another gross.
  if (money.some((amount) => (amount.clues.gross ?? 0) >= 0.8)) return;
  for (const quantity of quantities) {
    if ((quantity.clues.quantity ?? 0) < NAMED || noise(quantity) >= 0.5) continue;
    for (const price of prices) {
      if (overlap(quantity, price) || (price.clues.price ?? 0) < NAMED) continue;
      const isPercent = price.token.isPercent;
      const value = quantity.value * price.value * (isPercent ? 0.01 : 1);
      const isMet = money.some(
        (net) =>
          netClue(net) >= NAMED &&
          !differ(net.currency, price.currency) &&
          Math.abs(net.value / value - 1) < CHARGED,
      );
      if (!isMet) continue;
      const gross = computedFrom(price, value, price.currency);
      const score = 1.6 + 1.4 * quantityScore(quantity) + 0.8 * priceScore(price);
      found.push({ quantity, price, isPercent, gross, product: 0.8, score });
    }
  }
}

/** Nothing is labelled, but three numbers close together multiply to the cent. */
function findBare(money: readonly Amount[], usable: readonly Amount[], found: Product[]): void {
  const plain = usable.filter(
    (amount) => !amount.token.isPercent && amount.reading === 0 && noise(amount) < 0.5,
  );
  const sorted = [...money].sort((a, b) => a.value - b.value);
  plain.forEach((quantity, i) => {
    if (quantity.currency || quantity.value === 1 || quantity.decimals === 2) return;
    for (const price of plain.slice(Math.max(0, i - BARE_REACH), i + BARE_REACH + 1)) {
      if (price.decimals < 2 || Math.abs(price.line - quantity.line) > BARE_LINES) continue;
      if (overlap(quantity, price) || (price.clues.fx ?? 0) > 0.3) continue;
      const target = quantity.value * price.value;
      const near = within(sorted, target, Math.min(target * 0.0005, 0.02) + 0.00501);
      const close = near.filter((gross) => Math.abs(gross.line - quantity.line) <= BARE_LINES);
      if (close.length > 0) productsOf(quantity, price, close, found);
    }
  });
}

/** No identity holds: the labels alone speak. */
function loose(quantity: Amount, prices: Amount[], money: Amount[]): Product {
  const price =
    prices.find(
      (candidate) => !overlap(candidate, quantity) && (candidate.clues.price ?? 0) > 0.4,
    ) ?? null;
  let gross: Amount | null = null;
  for (const candidate of money) {
    if (overlap(candidate, quantity) || (price && overlap(candidate, price))) continue;
    if ((candidate.clues.gross ?? 0) < 0.6) continue;
    if (!gross || grossClue(candidate) - noise(candidate) > grossClue(gross) - noise(gross))
      gross = candidate;
  }
  return {
    quantity,
    price,
    isPercent: price?.token.isPercent ?? false,
    gross,
    product: 0,
    score:
      1.4 * quantityScore(quantity) +
      0.4 * (price ? priceScore(price) : 0) +
      0.4 * (gross ? grossClue(gross) : 0),
  };
}

function productsOf(
  quantity: Amount,
  price: Amount,
  sorted: readonly Amount[],
  found: Product[],
): void {
  const factors: (readonly [number, boolean])[] = price.token.isPercent
    ? [[0.01, true]]
    : [
        [1, false],
        [0.01, true],
      ];
  for (const [factor, isPercent] of factors) {
    const target = quantity.value * price.value * factor;
    if (target <= 0) continue;
    const half = 0.5 * factor;
    const slack =
      half * quantity.value * 10 ** -price.decimals +
      half * price.value * 10 ** -quantity.decimals * (quantity.decimals > 0 ? 1 : 0) +
      0.0101;
    const limit = Math.min(slack, target * 0.04 + 0.02);
    for (const gross of within(sorted, target, limit)) {
      if (overlap(gross, quantity) || overlap(gross, price)) continue;
      const tight = limit / target < 0.002 ? 1 : limit / target < 0.01 ? 0.8 : 0.5;
      if (differ(price.currency, gross.currency)) continue;
      const plainness = Math.min(quantity.clues.quantity ?? 0, price.clues.price ?? 0);
      // One share at its own price proves nothing; then one of the two must be named plainly.
      const isTrivial = quantity.value === 1 || price.value === 1;
      const named = Math.max(quantity.clues.quantity ?? 0, price.clues.price ?? 0);
      if (isTrivial && named < 0.6) continue;
      const product = tight * (isTrivial ? (plainness >= 0.8 ? 0.8 : 0.4) : 1);
      const percentCost =
        isPercent && !price.token.isPercent ? (isPence(price, gross) ? 0.1 : 0.6) : 0;
      found.push({
        quantity,
        price,
        isPercent,
        gross,
        product,
        score:
          2.6 * product -
          percentCost +
          1.4 * quantityScore(quantity) +
          0.8 * priceScore(price) +
          0.7 * grossClue(gross) -
          0.6 * noise(gross) +
          likeness(quantity, price),
      });
    }
  }
}

/** Shares are whole and stand before their price; a whole number beside a broken one is not the price. */
function likeness(quantity: Amount, price: Amount): number {
  const isBroken = quantity.decimals > 0 && quantity.decimals <= 2;
  return (
    (quantity.decimals === 0 && price.decimals > 0 ? 0.2 : 0) +
    (quantity.line === price.line && quantity.token.start < price.token.start ? 0.15 : 0) -
    (isBroken && price.decimals === 0 ? 0.5 : 0) -
    (Math.abs(quantity.line - price.line) > 6 ? 0.15 : 0)
  );
}

function isPence(price: Amount, gross: Amount): boolean {
  return price.currency === "GBX" || (price.currency === "GBP" && gross.currency === "GBP");
}

function within(sorted: readonly Amount[], target: number, limit: number): Amount[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.value < target - limit) low = middle + 1;
    else high = middle;
  }
  const out: Amount[] = [];
  for (let i = low; i < sorted.length && sorted[i]!.value <= target + limit && out.length < 8; i++)
    out.push(sorted[i]!);
  return out;
}

/** As `best`, each value once: executions of an order repeat theirs. */
export function bestValues(
  amounts: readonly Amount[],
  score: (amount: Amount) => number,
  max: number,
): Amount[] {
  const seen = new Set<number>();
  const all = best(amounts, score, amounts.length);
  return all.filter(({ value }) => !seen.has(value) && seen.add(value)).slice(0, max);
}

export function best(
  amounts: readonly Amount[],
  score: (amount: Amount) => number,
  max: number,
): Amount[] {
  const scored: { amount: Amount; score: number }[] = [];
  for (const amount of amounts) {
    const value = score(amount);
    if (value > 0) scored.push({ amount, score: value });
  }
  scored.sort(
    (a, b) =>
      b.score - a.score ||
      a.amount.line - b.amount.line ||
      a.amount.token.start - b.amount.token.start,
  );
  return scored.slice(0, max).map((entry) => entry.amount);
}

/** Decides which values of a block are quantity, price and gross: two numbers whose product is a third. */

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
import { HINTED, LIKELY, NAMED, PLAIN, SURE } from "../values/clue-strength.ts";
import { CENT, HALF_CENT, HUNDREDTH, TIGHT_MAX, TIGHT_SHARE } from "../values/rounding.ts";

/** Score of a product: most for the product being exact, the rest for how its numbers are labelled. */
const SCORE = {
  product: 2.6,
  converted: 2.3,
  unprinted: 1.6,
  quantity: 1.4,
  price: 0.8,
  gross: 0.7,
  grossNoise: 0.6,
  /** For a price or a gross that is not part of any product. */
  alone: 0.4,
  /** Penalties for a quotation in percent or pence that is not marked as one. */
  unsaidPercent: 0.6,
  pence: 0.1,
} as const;
/** How much a product proves, given how much slack rounding leaves. */
const FIT = {
  converted: 0.9,
  unprinted: 0.8,
  rounded: 0.8,
  loose: 0.5,
  trivialNamed: 0.8,
  trivial: 0.4,
} as const;
/** How quantity and price usually look side by side. */
const LOOKS = { wholeShares: 0.2, order: 0.15, fractionalShares: 0.5, apart: 0.15 } as const;
/** By what share a product may miss: with labels, within rounding, at most. */
const NAMED_SHARE = 0.002;
const ROUNDED_SHARE = 0.01;
const LOOSE_SHARE = 0.04;
/** Rounding of a single amount. */
const ROUNDED = 0.00501;
const CONVERTED = 0.006;
const HALF_PLACE = 0.5;

const PRICE_DECIMALS_MIN = 4;
/** Decimals that rates are printed with. */
const RATE_DECIMALS_MIN = 5;
const RATE_DECIMALS_MAX = 6;

/** How far apart the numbers of an unlabelled product may be. */
const BARE_REACH = 6;
const BARE_LINES = 4;

/** A bond quoted below this many percent would be nearly worthless, so such a number is something else. */
const QUOTED_LEAST = 10;
/** Largest share of a trade that charges can make up. */
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
  // A price that was computed from the other two proves nothing.
  const product = price.isComputed ? 0 : 1;
  return { quantity, price, gross, isPercent, product, score: SCORE.product + fact.score };
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

/** An unlabelled quantity can be recognised: it is the gross divided by the price. */
function findQuantities(
  prices: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const sorted = usable
    .filter((amount) => !amount.currency && !amount.token.isPercent && noise(amount) < NAMED)
    .sort((a, b) => a.value - b.value);
  for (const price of prices) {
    if ((price.clues.price ?? 0) < HINTED) continue;
    for (const gross of money) {
      if (overlap(price, gross) || gross.value === price.value) continue;
      const isNamed = grossClue(gross) + netClue(gross) >= HINTED;
      const target = gross.value / (price.token.isPercent ? price.value / 100 : price.value);
      for (const quantity of within(
        sorted,
        target,
        target * (isNamed ? NAMED_SHARE : TIGHT_SHARE),
      )) {
        if (overlap(quantity, price) || overlap(quantity, gross) || quantityScore(quantity) > 0)
          continue;
        if ((quantity.clues.fx ?? 0) > HINTED || quantity.value === 1) continue;
        productsOf(quantity, price, [gross], found);
      }
    }
  }
}

/** An unlabelled price can be recognised in the same way: it is the gross divided by the quantity. */
function findPrices(
  quantities: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const sorted = usable
    .filter((amount) => amount.decimals >= 2 && priceScore(amount) === 0 && noise(amount) < 1)
    .filter(({ clues }) => Math.max(clues.fee ?? 0, clues.tax ?? 0) < PLAIN)
    .sort((a, b) => a.value - b.value);
  for (const quantity of quantities) {
    if ((quantity.clues.quantity ?? 0) < HINTED || quantity.value === 1) continue;
    if (noise(quantity) >= NAMED) continue;
    for (const gross of money) {
      if (overlap(quantity, gross)) continue;
      const target = gross.value / quantity.value;
      for (const price of within(sorted, target, target * TIGHT_SHARE + ROUNDED)) {
        if (overlap(quantity, price) || overlap(price, gross)) continue;
        if ((price.clues.fx ?? 0) > HINTED) continue;
        productsOf(quantity, price, [gross], found);
      }
    }
  }
}

/** Only the converted amount is printed: it equals quantity times price times rate. */
function findConverted(
  quantities: readonly Amount[],
  prices: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const named = usable.filter(
    (amount) => (amount.clues.fx ?? 0) > HINTED && amount.decimals >= 3 && amount.value !== 1,
  );
  const rates = named.length > 0 ? named : usable.filter(looksLikeRate);
  if (rates.length === 0) return;
  for (const quantity of quantities) {
    if (quantity.value === 1 && (quantity.clues.quantity ?? 0) < SURE) continue;
    for (const price of prices) {
      if (overlap(quantity, price) || !price.currency) continue;
      // More decimals than money has are a price, whatever their column is called.
      if ((price.clues.price ?? 0) < NAMED && price.decimals < PRICE_DECIMALS_MIN) continue;
      const foreign = quantity.value * price.value;
      for (const rate of rates) {
        const met = money.find(
          (amount) =>
            amount.currency !== null &&
            differ(amount.currency, price.currency) &&
            [foreign * rate.value, foreign / rate.value].some(
              (home) => Math.abs(amount.value - home) < CONVERTED + home * 10 ** -rate.decimals,
            ),
        );
        if (!met) continue;
        const gross = computedFrom(price, foreign, price.currency);
        const score =
          SCORE.converted +
          SCORE.quantity * quantityScore(quantity) +
          SCORE.price * priceScore(price);
        found.push({ quantity, price, isPercent: false, gross, product: FIT.converted, score });
      }
    }
  }
}

/** So many decimals without a currency are a rate or a fraction of a share. */
function looksLikeRate({ decimals, currency, value, token }: Amount): boolean {
  if (currency || token.isPercent || token.isNegative || token.isPositive || value === 1)
    return false;
  return decimals >= RATE_DECIMALS_MIN && decimals <= RATE_DECIMALS_MAX;
}

/** A contract stands for many units: the number of contracts times the multiplier is the quantity. */
function findContracts(
  quantities: readonly Amount[],
  prices: readonly Amount[],
  money: readonly Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const named = usable.filter(
    ({ clues, value, decimals }) => (clues.multiplier ?? 0) > LIKELY && value > 1 && decimals === 0,
  );
  const isOpen = named.length === 0 && !found.some(({ product }) => product > 0);
  const multipliers = isOpen ? usable.filter(looksLikeMultiplier).slice(0, 1) : named;
  for (const multiplier of multipliers) {
    for (const contracts of quantities) {
      if (contracts === multiplier || (contracts.clues.quantity ?? 0) < LIKELY) continue;
      const units = { ...contracts, value: contracts.value * multiplier.value, decimals: 0 };
      for (const price of prices)
        if (!overlap(contracts, price))
          productsOf({ ...units, isComputed: true }, price, money, found);
    }
  }
}

/** A contract usually stands for a hundred units; its size is printed even if its label is unknown. */
function looksLikeMultiplier({ value, decimals, currency, token }: Amount): boolean {
  return value === 100 && decimals === 0 && !currency && !token.isPercent && !token.isJoined;
}

/** The gross is not printed; the charges must then explain a labelled net close to the product. */
function findUnprinted(
  quantities: readonly Amount[],
  prices: readonly Amount[],
  money: readonly Amount[],
  found: Product[],
): void {
  if (found.some((one) => one.product > 0)) return;
  // A printed gross that differs from the product is evidence against these numbers.
  if (money.some((amount) => (amount.clues.gross ?? 0) >= SURE)) return;
  for (const quantity of quantities) {
    if ((quantity.clues.quantity ?? 0) < NAMED || noise(quantity) >= NAMED) continue;
    for (const price of prices) {
      if (overlap(quantity, price) || (price.clues.price ?? 0) < NAMED) continue;
      const isPercent = price.token.isPercent;
      const value = quantity.value * price.value * (isPercent ? HUNDREDTH : 1);
      const isMet = money.some(
        (net) =>
          netClue(net) >= NAMED &&
          !differ(net.currency, price.currency) &&
          Math.abs(net.value / value - 1) < CHARGED,
      );
      if (!isMet) continue;
      const gross = computedFrom(price, value, price.currency);
      const score =
        SCORE.unprinted +
        SCORE.quantity * quantityScore(quantity) +
        SCORE.price * priceScore(price);
      found.push({ quantity, price, isPercent, gross, product: FIT.unprinted, score });
    }
  }
}

/** Nothing is labelled, but three numbers close together form a product that is exact to the cent. */
function findBare(money: readonly Amount[], usable: readonly Amount[], found: Product[]): void {
  const plain = usable.filter(
    (amount) => !amount.token.isPercent && amount.reading === 0 && noise(amount) < NAMED,
  );
  const sorted = [...money].sort((a, b) => a.value - b.value);
  plain.forEach((quantity, i) => {
    if (quantity.currency || quantity.value === 1 || quantity.decimals === 2) return;
    for (const price of plain.slice(Math.max(0, i - BARE_REACH), i + BARE_REACH + 1)) {
      if (price.decimals < 2 || Math.abs(price.line - quantity.line) > BARE_LINES) continue;
      if (overlap(quantity, price) || (price.clues.fx ?? 0) > HINTED) continue;
      const target = quantity.value * price.value;
      const near = within(sorted, target, Math.min(target * TIGHT_SHARE, TIGHT_MAX) + ROUNDED);
      const close = near.filter((gross) => Math.abs(gross.line - quantity.line) <= BARE_LINES);
      if (close.length > 0) productsOf(quantity, price, close, found);
    }
  });
}

/** No product holds, so only the labels decide. */
function loose(quantity: Amount, prices: Amount[], money: Amount[]): Product {
  const price =
    prices.find(
      (candidate) => !overlap(candidate, quantity) && (candidate.clues.price ?? 0) > LIKELY,
    ) ?? null;
  let gross: Amount | null = null;
  for (const candidate of money) {
    if (overlap(candidate, quantity) || (price && overlap(candidate, price))) continue;
    if ((candidate.clues.gross ?? 0) < PLAIN) continue;
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
      SCORE.quantity * quantityScore(quantity) +
      SCORE.alone * (price ? priceScore(price) : 0) +
      SCORE.alone * (gross ? grossClue(gross) : 0),
  };
}

function productsOf(
  quantity: Amount,
  price: Amount,
  sorted: readonly Amount[],
  found: Product[],
): void {
  // Bonds are quoted near a hundred; small percentages are rates of tax and commission.
  if (price.token.isPercent && price.value < QUOTED_LEAST) return;
  const factors: (readonly [number, boolean])[] = price.token.isPercent
    ? [[HUNDREDTH, true]]
    : [
        [1, false],
        [HUNDREDTH, true],
      ];
  for (const [factor, isPercent] of factors) {
    const target = quantity.value * price.value * factor;
    if (target <= 0) continue;
    const half = HALF_PLACE * factor;
    // A price without decimals is exact.
    const step = price.decimals === 0 ? HUNDREDTH : 10 ** -price.decimals;
    const slack =
      half * quantity.value * step +
      half * price.value * 10 ** -quantity.decimals * (quantity.decimals > 0 ? 1 : 0) +
      CENT;
    // The price of a contract is exact: what differs from it by more than a cent includes a charge.
    const limit = quantity.isComputed ? CENT : Math.min(slack, target * LOOSE_SHARE + TIGHT_MAX);
    for (const gross of within(sorted, target, limit)) {
      if (overlap(gross, quantity) || overlap(gross, price)) continue;
      // Few digits leave much room, but a product that is exact to the cent is hardly chance.
      const isExact = Math.abs(gross.value - target) < HALF_CENT && gross.decimals === 2;
      const isRounded = isExact || limit / target < ROUNDED_SHARE;
      const tight = limit / target < NAMED_SHARE ? 1 : isRounded ? FIT.rounded : FIT.loose;
      if (differ(price.currency, gross.currency)) continue;
      const plainness = Math.min(quantity.clues.quantity ?? 0, price.clues.price ?? 0);
      // One share at its own price proves nothing, so one of the two needs a clear label.
      const isTrivial =
        quantity.value === 1 || price.value === 1 || (isPercent && price.value === 100);
      const named = Math.max(quantity.clues.quantity ?? 0, price.clues.price ?? 0);
      if (isTrivial && named < PLAIN) continue;
      const product =
        tight * (isTrivial ? (plainness >= SURE ? FIT.trivialNamed : FIT.trivial) : 1);
      const percentCost =
        isPercent && !price.token.isPercent
          ? isPence(price, gross)
            ? SCORE.pence
            : SCORE.unsaidPercent
          : 0;
      found.push({
        quantity,
        price,
        isPercent,
        gross,
        product,
        score:
          SCORE.product * product -
          percentCost +
          SCORE.quantity * quantityScore(quantity) +
          SCORE.price * priceScore(price) +
          SCORE.gross * grossClue(gross) -
          SCORE.grossNoise * noise(gross) +
          likeness(quantity, price),
      });
    }
  }
}

/**
 * Rewards what is usual: shares are whole numbers and precede their price. A whole number beside a fraction
 * is not the price.
 */
function likeness(quantity: Amount, price: Amount): number {
  const isFractional = quantity.decimals > 0 && quantity.decimals <= 2;
  return (
    (quantity.decimals === 0 && price.decimals > 0 ? LOOKS.wholeShares : 0) +
    (quantity.line === price.line && quantity.token.start < price.token.start ? LOOKS.order : 0) -
    (isFractional && price.decimals === 0 ? LOOKS.fractionalShares : 0) -
    (Math.abs(quantity.line - price.line) > BARE_REACH ? LOOKS.apart : 0)
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

/** Like `best`, but keeps each value once, because the executions of an order repeat their values. */
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

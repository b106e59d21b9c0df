/**
 * The heart: which values of a block are quantity, price, gross, charges and net. Every combination
 * of likely candidates gets a score of label evidence plus the identities it satisfies, and the best
 * one wins:  quantity × price = gross,  gross ± charges = net,  foreign gross × rate = gross.
 */
import {
  grossEvidence,
  isCode,
  moneyScore,
  netEvidence,
  noise,
  overlap,
  priceScore,
  quantityScore,
} from "./amount-scores.ts";
import { type Charges, explain, type Item, isConvertedOn, itemsOf, rowItems } from "./charges.ts";
import { type Amount, differ } from "./evidence.ts";
import type { Fact } from "./facts.ts";
import type { DocLine } from "./lines.ts";

export interface Assignment {
  quantity: Amount | null;
  price: Amount | null;
  isPercent: boolean;
  gross: Amount | null;
  net: Amount | null;
  /** Rate between the gross's and the net's currency, when they differ. */
  rate: Amount | null;
  charges: Charges | null;
  /** How well quantity × price meets the gross: 0 none, up to 1. */
  product: number;
  /** How well gross and charges meet the net: 0 none, up to 1. */
  sum: number;
  score: number;
}

export interface Block {
  lines: readonly DocLine[];
  amounts: readonly Amount[];
}

const CANDIDATES_MAX = 9;
const MONEY_MAX = 60;

/**
 * `fact` holds quantity, price and gross fast where the block was cut around them; `side` is +1
 * where the words speak of a purchase, -1 of a sale, 0 where they leave it open.
 */
export function solve(block: Block, fact: Fact | null, side: number): Assignment[] {
  const usable = block.amounts.filter((amount) => !isCode(amount));
  const quantities = best(usable, quantityScore, CANDIDATES_MAX);
  const prices = best(usable, priceScore, CANDIDATES_MAX);
  const money = best(usable, moneyScore, MONEY_MAX);
  const labelled = itemsOf(usable);
  const items = fact ? [...labelled, ...rowItems(fact, usable, labelled)] : labelled;
  const total = sumOfQuantities(usable);
  const products = fact ? [productOf(fact)] : findProducts(quantities, prices, money, usable);
  const open: Assignment[] = [];
  for (const product of products) {
    // The quantity that the other printed quantities add up to is the order's, they are its executions.
    const { quantity } = product;
    if (quantity && total > 0 && Math.abs(total - 2 * quantity.value) < 1e-6 * total)
      product.score += 1.4;
  }
  for (const product of products) open.push(...withNet(product, money, items, usable, side));
  open.sort((a, b) => b.score - a.score);
  return open.slice(0, 6);
}

function sumOfQuantities(usable: readonly Amount[]): number {
  let total = 0;
  let count = 0;
  for (const amount of usable) {
    if (amount.reading > 0 || amount.token.isJoined || quantityScore(amount) < 0.6) continue;
    total += amount.value;
    count += 1;
  }
  return count >= 3 ? total : 0;
}

function best(
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

interface Product {
  quantity: Amount | null;
  price: Amount | null;
  isPercent: boolean;
  gross: Amount | null;
  product: number;
  score: number;
}

function productOf(fact: Fact): Product {
  const { quantity, price, gross, isPercent } = fact;
  return { quantity, price, gross, isPercent, product: 1, score: 2.6 + fact.score };
}

function findProducts(
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
  findUnlabelled(prices, money, usable, found);
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
function findUnlabelled(
  prices: Amount[],
  money: Amount[],
  usable: readonly Amount[],
  found: Product[],
): void {
  const sorted = usable
    .filter((amount) => !amount.currency && !amount.token.isPercent)
    .sort((a, b) => a.value - b.value);
  const grosses = best(money, (amount) => grossEvidence(amount) + 0.2 * netEvidence(amount), 12);
  for (const price of prices) {
    if ((price.evidence.price ?? 0) < 0.3) continue;
    for (const gross of grosses) {
      if (overlap(price, gross)) continue;
      const target = gross.value / (price.token.isPercent ? price.value / 100 : price.value);
      for (const quantity of within(sorted, target, target * 0.002)) {
        if (overlap(quantity, price) || overlap(quantity, gross) || quantityScore(quantity) > 0)
          continue;
        if ((quantity.evidence.fx ?? 0) > 0.3) continue;
        productsOf(quantity, price, [gross], found);
      }
    }
  }
}

/** No identity holds: the labels alone speak. */
function loose(quantity: Amount, prices: Amount[], money: Amount[]): Product {
  const price =
    prices.find(
      (candidate) => !overlap(candidate, quantity) && (candidate.evidence.price ?? 0) > 0.4,
    ) ?? null;
  let gross: Amount | null = null;
  for (const candidate of money) {
    if (overlap(candidate, quantity) || (price && overlap(candidate, price))) continue;
    if ((candidate.evidence.gross ?? 0) < 0.6) continue;
    if (!gross || grossEvidence(candidate) - noise(candidate) > grossEvidence(gross) - noise(gross))
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
      0.4 * (gross ? grossEvidence(gross) : 0),
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
      const isPlain =
        (quantity.evidence.quantity ?? 0) >= 0.8 && (price.evidence.price ?? 0) >= 0.8;
      const trivial = quantity.value === 1 || price.value === 1 ? (isPlain ? 0.8 : 0.4) : 1;
      const product = tight * trivial;
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
          0.7 * grossEvidence(gross) -
          0.6 * noise(gross),
      });
    }
  }
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

/** Unlabelled amounts that close the sum of gross and all charges. */
function closers(product: Product, money: Amount[], items: Item[]): Amount[] {
  if (!product.gross || items.length === 0) return [];
  const total = items.reduce((sum, item) => sum + item.amount.value, 0);
  const targets = [product.gross.value + total, product.gross.value - total];
  for (const item of items)
    targets.push(product.gross.value + item.amount.value, product.gross.value - item.amount.value);
  return money
    .filter(
      (amount) =>
        amount !== product.gross &&
        targets.some((target) => Math.abs(amount.value - target) < 0.0101),
    )
    .slice(0, 4);
}

/** Charges are a small part of a trade: a net far from the gross belongs to something else. */
function strangeness(gross: Amount | null, net: Amount, isConverted: boolean): number {
  if (!gross || isConverted) return 0;
  if (differ(gross.currency, net.currency)) return 0.6;
  const ratio = net.value / gross.value;
  if (ratio > 0.9 && ratio < 1.1) return 0;
  return ratio > 0.65 && ratio < 1.5 ? 0.5 : 2;
}

function withNet(
  product: Product,
  money: Amount[],
  items: Item[],
  usable: readonly Amount[],
  side: number,
): Assignment[] {
  const out: Assignment[] = [];
  const nets = best(
    money,
    (amount) => {
      if (product.quantity && overlap(amount, product.quantity)) return 0;
      if (product.price && overlap(amount, product.price)) return 0;
      const near = netEvidence(amount) - noise(amount) * 0.8;
      return near > 0.12 ? near : 0;
    },
    CANDIDATES_MAX,
  );
  const { gross } = product;
  if (gross && !gross.isComputed && !nets.includes(gross)) nets.push(gross);
  for (const candidate of closers(product, money, items))
    if (!nets.includes(candidate)) nets.push(candidate);
  const first = Math.min(...nets.map((net) => net.line));
  const reach = Math.max(1, Math.max(...nets.map((net) => net.line)) - first);
  const printings = new Map<number, number>();
  for (const amount of money) printings.set(amount.value, (printings.get(amount.value) ?? 0) + 1);
  for (const net of nets) {
    // What is booked is often printed a second time with the account and the value date.
    const isRepeated = printings.get(net.value)! > 1 && net.value !== product.gross?.value;
    const found = explain({ gross: product.gross, net, items, amounts: usable });
    // Charges lift what a buyer pays and lower what a seller gets.
    const contradicts = side !== 0 && found.side === -side && found.charges.length > 0;
    const label = netEvidence(net) - 0.7 * noise(net) - (isConvertedOn(net, usable) ? 1 : 0);
    out.push({
      ...product,
      net,
      rate: found.rate,
      charges: found,
      sum: found.fit,
      score:
        product.score -
        strangeness(product.gross, net, found.rate !== null) +
        1.6 * label +
        2.4 * found.fit +
        (net.currency ? 0.15 : 0) +
        (isRepeated ? 0.3 : 0) -
        (contradicts ? 1.8 : 0) +
        0.5 * ((net.line - first) / reach),
    });
  }
  return out;
}

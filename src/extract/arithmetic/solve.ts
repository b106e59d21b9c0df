/**
 * The core of the extractor: decides which values of a block are quantity, price, gross, charges and net.
 * Every combination of likely values is scored by its clues and by the equations that hold for it, and the
 * best one wins: quantity × price = gross, gross ± charges = net, foreign gross × rate = gross.
 */

import type { Fact } from "../blocks/fact.ts";
import type { TextLine } from "../layout/text-line.ts";
import { type Amount, differ } from "../values/amount.ts";
import {
  isCode,
  moneyScore,
  netClue,
  noise,
  overlap,
  priceScore,
  quantityScore,
} from "../values/amount-scores.ts";
import { NAMED, PLAIN } from "../values/clue-strength.ts";
import { CENT, HALF_CENT } from "../values/rounding.ts";
import { type Charges, explain, type Item, isConvertedOn, itemsOf, rowItems } from "./charges.ts";
import { best, bestValues, findProducts, type Product, productOf } from "./products.ts";
import { type RunningTotal, walk } from "./running-totals.ts";

/**
 * Score of an assignment beyond its product. A sum that closes counts more than any label; charges on the
 * wrong side cancel nearly all of that.
 */
const SCORE = {
  sum: 2.4,
  net: 1.6,
  netNoise: 0.7,
  noise: 0.8,
  sumOfParts: 1.4,
  contradiction: 1.8,
  /** The last total of the page is usually the one that was booked. */
  last: 0.5,
  /** Lead over the total before taxes. */
  continued: 0.2,
  repeated: 0.3,
  currency: 0.15,
} as const;
const NET_MIN = 0.12;
/** Fit from which printed charges close the sum. */
const CLOSED = 0.84;
/** Charges are usually at most a tenth of a trade; a third or a half if the trade is tiny or taxed. */
const USUAL_LEAST = 0.9;
const USUAL_MOST = 1.1;
const POSSIBLE_LEAST = 0.65;
const POSSIBLE_MOST = 1.5;
const STRANGE = { unusual: 0.5, otherCurrency: 0.6, absurd: 2 } as const;

export interface Assignment {
  quantity: Amount | null;
  price: Amount | null;
  isPercent: boolean;
  gross: Amount | null;
  net: Amount | null;
  /** Rate between the currencies of gross and net, if they differ. */
  rate: Amount | null;
  charges: Charges | null;
  /** How well quantity × price matches the gross: 0 not at all, up to 1. */
  product: number;
  /** How well gross and charges match the net: 0 not at all, up to 1. */
  sum: number;
  score: number;
}

export interface Block {
  lines: readonly TextLine[];
  amounts: readonly Amount[];
}

const CANDIDATES_MAX = 9;
const MONEY_MAX = 60;
const TOTALS_MAX = 4;

/**
 * `fact` fixes quantity, price and gross if the block was cut around them. `side` is +1 if the words indicate
 * a purchase, -1 if they indicate a sale, and 0 if they leave it open.
 */
export function solve(block: Block, fact: Fact | null, side: number): Assignment[] {
  const usable = block.amounts.filter((amount) => !isCode(amount));
  const quantities = bestValues(usable, quantityScore, CANDIDATES_MAX);
  const prices = bestValues(usable, priceScore, CANDIDATES_MAX);
  const money = best(usable, moneyScore, MONEY_MAX);
  const labelled = itemsOf(usable);
  const items = fact ? [...labelled, ...rowItems(fact, usable, labelled)] : labelled;
  const charged = { items, rowItems: itemsOf(usable, true) };
  const total = sumOfQuantities(usable);
  const products = fact ? [productOf(fact)] : findProducts(quantities, prices, money, usable);
  const open: Assignment[] = [];
  for (const product of products) {
    // A quantity that equals the sum of the other quantities is that of the order; the others are its
    // executions.
    const { quantity } = product;
    if (quantity && total > 0 && Math.abs(total - 2 * quantity.value) < 1e-6 * total)
      product.score += SCORE.sumOfParts;
  }
  const asked = askedOf(fact?.net ? [...money, fact.net] : money);
  for (const product of products)
    open.push(...withNet(product, money, charged, usable, side, asked, fact?.net ?? null));
  open.sort((a, b) => b.score - a.score);
  return open.slice(0, 6);
}

function sumOfQuantities(usable: readonly Amount[]): number {
  let total = 0;
  let count = 0;
  for (const amount of usable) {
    if (amount.reading > 0 || amount.token.isJoined || quantityScore(amount) < PLAIN) continue;
    total += amount.value;
    count += 1;
  }
  return count >= 3 ? total : 0;
}

/** Finds unlabelled amounts that equal the gross with all charges applied. */
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
        targets.some((target) => Math.abs(amount.value - target) < CENT),
    )
    .slice(0, 4);
}

/** Charges are a small part of a trade, so a net far from the gross belongs to something else. */
function strangeness(gross: Amount | null, net: Amount, isConverted: boolean): number {
  if (!gross || isConverted) return 0;
  if (differ(gross.currency, net.currency)) return STRANGE.otherCurrency;
  const ratio = net.value / gross.value;
  if (ratio > USUAL_LEAST && ratio < USUAL_MOST) return 0;
  return ratio > POSSIBLE_LEAST && ratio < POSSIBLE_MOST ? STRANGE.unusual : STRANGE.absurd;
}

/** Answers that do not change while a block is solved: many products share their gross. */
interface Asked {
  explained: Map<Amount | null, Map<Amount, Charges>>;
  walked: Map<Amount, RunningTotal[]>;
  converted: Map<Amount, boolean>;
  /** The amounts that may be the net, the likeliest first. */
  nets: readonly Amount[];
  /** How often each value is printed. */
  printings: ReadonlyMap<number, number>;
}

function askedOf(money: readonly Amount[]): Asked {
  const printings = new Map<number, number>();
  for (const { value } of money) printings.set(value, (printings.get(value) ?? 0) + 1);
  const likeliness = (amount: Amount) => {
    const near = netClue(amount) - noise(amount) * SCORE.noise;
    return near > NET_MIN ? near : 0;
  };
  return {
    explained: new Map(),
    walked: new Map(),
    converted: new Map(),
    nets: best(money, likeliness, money.length),
    printings,
  };
}

function isConvertedOnce({ converted }: Asked, net: Amount, usable: readonly Amount[]): boolean {
  const found = converted.get(net) ?? isConvertedOn(net, usable);
  converted.set(net, found);
  return found;
}

/** The likeliest nets that are neither the quantity nor the price. */
function netsBeside({ quantity, price }: Product, { nets }: Asked): Amount[] {
  const out: Amount[] = [];
  for (const net of nets) {
    if ((quantity && overlap(net, quantity)) || (price && overlap(net, price))) continue;
    out.push(net);
    if (out.length === CANDIDATES_MAX) break;
  }
  return out;
}

function explainOnce(
  { explained }: Asked,
  gross: Amount | null,
  net: Amount,
  ask: () => Charges,
): Charges {
  const known = explained.get(gross) ?? new Map<Amount, Charges>();
  explained.set(gross, known);
  const found = known.get(net) ?? ask();
  known.set(net, found);
  return found;
}

function walkOnce({ walked }: Asked, gross: Amount, usable: readonly Amount[]): RunningTotal[] {
  const found = walked.get(gross) ?? walk(gross, usable);
  walked.set(gross, found);
  return found;
}

function withNet(
  product: Product,
  money: Amount[],
  all: { items: Item[]; rowItems: Item[] },
  usable: readonly Amount[],
  side: number,
  asked: Asked,
  computed: Amount | null,
): Assignment[] {
  const out: Assignment[] = [];
  // A header may reach the wrong column: what is the quantity or the price is no charge.
  const isFree = ({ amount }: Item) => amount !== product.quantity && amount !== product.price;
  const isAllFree = all.items.every(isFree) && all.rowItems.every(isFree);
  const charged = isAllFree
    ? all
    : { items: all.items.filter(isFree), rowItems: all.rowItems.filter(isFree) };
  const nets = netsBeside(product, asked);
  const { gross } = product;
  if (computed) nets.push(computed);
  if (gross && !gross.isComputed && !nets.includes(gross)) nets.push(gross);
  const steps = gross && !gross.isComputed ? walkOnce(asked, gross, usable) : [];
  const totals = steps.filter((step) => step.charges.length > 0 || step.rate).slice(-TOTALS_MAX);
  for (const candidate of [
    ...closers(product, money, charged.items),
    ...totals.map((step) => step.net),
  ])
    if (!nets.includes(candidate)) nets.push(candidate);
  const first = Math.min(...nets.map((net) => net.line));
  const reach = Math.max(1, Math.max(...nets.map((net) => net.line)) - first);
  for (const net of nets) {
    // The booked amount is often printed a second time, with the account and the value date.
    const isRepeated = asked.printings.get(net.value)! > 1 && net.value !== product.gross?.value;
    const ask = () => explain({ gross, net, ...charged, amounts: usable });
    const named = isAllFree ? explainOnce(asked, gross, net, ask) : ask();
    const step = steps.find((one) => one.net === net);
    const found = step && step.fit > named.fit ? step : named;
    // Charges raise what a buyer pays and lower what a seller receives.
    const contradicts = side !== 0 && found.side === -side && found.charges.length > 0;
    const label =
      netClue(net) - SCORE.netNoise * noise(net) - (isConvertedOnce(asked, net, usable) ? 1 : 0);
    out.push({
      ...product,
      net,
      rate: found.rate,
      charges: found,
      sum: found.fit,
      score:
        product.score -
        strangeness(product.gross, net, found.rate !== null) +
        SCORE.net * label +
        SCORE.sum * found.fit +
        (net.currency ? SCORE.currency : 0) +
        (isRepeated ? SCORE.repeated : 0) -
        (contradicts ? SCORE.contradiction : 0) +
        SCORE.last * ((net.line - first) / reach),
    });
  }
  for (const last of out)
    for (const before of out)
      if (continues(before, last)) {
        // The total before taxes may be printed again below them, where the taxes are explained.
        const same = out.filter(({ net }) => net!.value === before.net!.value);
        const top = Math.max(...same.map(({ score }) => score));
        last.score = Math.max(last.score, top + SCORE.continued);
      }
  return out;
}

function isExact({ gross, net, charges }: Assignment): boolean {
  const total = charges!.charges.reduce((sum, { value }) => sum + value, 0);
  return Math.abs(Math.abs(net!.value - gross!.value) - Math.abs(total)) < HALF_CENT;
}

/** True if taxes printed between them lead from a total called one before taxes to another total. */
function continues(before: Assignment, last: Assignment): boolean {
  if (Math.min(before.sum, last.sum) < CLOSED || last.rate || before.rate || !isExact(last))
    return false;
  const [first, second] = [before.net!, last.net!];
  if ((first.clues.subtotal ?? 0) < NAMED || netClue(first) > (first.clues.subtotal ?? 0))
    return false;
  if (second.value < first.value * POSSIBLE_LEAST || second.value === first.value) return false;
  const known = new Set(before.charges!.charges.map(({ amount }) => amount));
  const taxes = last.charges!.charges.filter(({ amount }) => !known.has(amount));
  return (
    taxes.length > 0 &&
    taxes.every(
      ({ kind, amount }) => kind === "tax" && amount.line > first.line && amount.line < second.line,
    )
  );
}

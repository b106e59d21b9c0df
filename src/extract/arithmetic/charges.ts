/**
 * Explains the difference between gross and net: fees, taxes and accrued interest. Each is printed on its own
 * line; some are repeated elsewhere for information, some are in another currency.
 */

import type { Fact } from "../blocks/fact.ts";
import { within } from "../layout/within.ts";
import { isShared } from "../lexicon/currencies.ts";
import { type Amount, differ } from "../values/amount.ts";
import { HINTED, LIKELY } from "../values/clue-strength.ts";
import { conversionSlack, HALF_CENT } from "../values/rounding.ts";

/**
 * How well gross, charges and net fit, depending on what had to be assumed. From 0.84 on, printed charges
 * close the sum. Below 0.5, the net equals the gross although charges are printed.
 */
const FIT = {
  /** Charges close the sum. The share of printed charges that take part earns the rest up to 1. */
  closed: 0.85,
  convertedClosed: 0.88,
  converted: 0.8,
  /** Net and gross are printed separately with the same value, without and with charges beside them. */
  equal: 0.75,
  equalBesideCharges: 0.5,
  /** One printed number is both gross and net. */
  gross: 0.55,
  grossBesideCharges: 0.25,
  /** The difference counts as a charge that is not printed. */
  hidden: 0.4,
  /** Bonus if the converted gross is printed too; penalty if no label names the rate. */
  grossPrinted: 0.1,
  unnamedRate: 0.15,
} as const;
/** Charges and a spread keep a converted sum within these shares of the original. */
const CONVERTED_LEAST = 0.6;
const CONVERTED_MOST = 1.6;
/** Extra slack because several charges are rounded before they are converted. */
const CHARGES_SLACK = 0.011;

export interface Item {
  kind: "fee" | "tax" | "interest";
  amount: Amount;
  label: string;
}

export interface Charge {
  kind: Item["kind"];
  label: string;
  /** In the net's currency; positive is a cost, negative a refund. */
  value: number;
  amount: Amount;
}

export interface Charges {
  charges: Charge[];
  rate: Amount | null;
  /** Units of the net's currency per unit of the gross's. */
  factor: number;
  /** 1 if gross, charges and net agree to the cent, 0 if they do not. */
  fit: number;
  /** +1 if the net is above the gross (a purchase), -1 if below, 0 if equal or unknown. */
  side: number;
}

const ITEMS_MAX = 14;
const STEPS_MAX = 6_000;
const CENT = 0.0151;
/** The charges of a table row are a small part of its gross. */
const ROW_SHARE = 0.2;
const ROW_ITEMS_MAX = 4;
const WRAPPED_LINES = 2;
/** A charge and its refund are at most this many lines apart; farther away, a charge is repeated for information. */
const WAIVED_LINES = 2;

/** With `isRow`, a table row may have charges in several columns; otherwise a line has at most one charge. */
export function itemsOf(usable: readonly Amount[], isRow = false): Item[] {
  const out: Item[] = [];
  for (const amount of usable) {
    const kind = kindOf(amount);
    if (!kind || amount.token.isPercent) continue;
    if (amount.reading > 0) continue;
    if (amount.decimals === 0 && !amount.currency) continue;
    const last = out.at(-1);
    const isRepeat = out.some(
      (item) =>
        item.kind === kind &&
        item.amount.value === amount.value &&
        item.amount.line !== amount.line,
    );
    if (isRepeat) continue;
    // If a line has several amounts, the rightmost is the one that was booked.
    const isSame = !isRow || differ(last?.amount.currency ?? null, amount.currency);
    if (isSame && last && last.amount.line === amount.line && last.kind === kind) {
      const keepsCurrency = last.amount.currency !== null && amount.currency === null;
      if (!keepsCurrency) out[out.length - 1] = { kind, amount, label: amount.label };
      continue;
    }
    out.push({ kind, amount, label: amount.label });
  }
  return out.slice(0, ITEMS_MAX);
}

/**
 * Finds possible charges of a table row: small amounts after the gross whose column headers were not
 * understood. On the further lines of a row that wraps, they have a minus.
 */
export function rowItems(fact: Fact, usable: readonly Amount[], labelled: readonly Item[]): Item[] {
  const { gross, quantity, price } = fact;
  if (quantity.line !== gross.line) return [];
  const out: Item[] = [];
  for (const amount of usable) {
    const isBeside = amount.line === gross.line && amount.token.start >= gross.token.end;
    const isBelow = amount.line > gross.line && amount.line <= gross.line + WRAPPED_LINES;
    if (!isBeside && !(isBelow && amount.token.isNegative)) continue;
    if (amount === quantity || amount === price || amount.reading > 0) continue;
    // Cents may lack a zero at their end: "0.2 EUR".
    const isMoney = amount.decimals === 2 || (amount.decimals === 1 && amount.currency !== null);
    if (!isMoney || amount.token.isPercent || amount.value > gross.value * ROW_SHARE) continue;
    if (labelled.some((item) => item.amount === amount)) continue;
    out.push({ kind: kindOf(amount) ?? "fee", amount, label: amount.label });
  }
  return out.slice(0, ROW_ITEMS_MAX);
}

export function kindOf(amount: Amount): Item["kind"] | null {
  const { clues } = amount;
  const fee = clues.fee ?? 0;
  const tax = clues.tax ?? 0;
  const interest = clues.interest ?? 0;
  const top = Math.max(fee, tax, interest);
  const other = Math.max(
    clues.net ?? 0,
    clues.debit ?? 0,
    clues.credit ?? 0,
    clues.gross ?? 0,
    clues.quantity ?? 0,
    clues.noise ?? 0,
  );
  if (top < LIKELY || other > top) return null;
  if (interest === top) return "interest";
  return tax >= fee ? "tax" : "fee";
}

interface Question {
  gross: Amount | null;
  net: Amount;
  items: readonly Item[];
  /** Used only if `items` do not explain the net. */
  rowItems: readonly Item[];
  amounts: readonly Amount[];
}

const NOTHING: Charges = { rate: null, factor: 1, fit: 0, side: 0, charges: [] };

export function explain({ gross, net, items, rowItems, amounts }: Question): Charges {
  const found = explainWith(gross, net, items, amounts);
  if (found.fit > 0 || rowItems.length === items.length) return found;
  const inRow = explainWith(gross, net, rowItems, amounts);
  return inRow.fit > 0 ? inRow : found;
}

function explainWith(
  gross: Amount | null,
  net: Amount,
  items: readonly Item[],
  amounts: readonly Amount[],
): Charges {
  if (!gross) return NOTHING;
  const isForeign = differ(gross.currency, net.currency);
  if (isForeign) return explainForeign(gross, net, items, amounts);
  const isEqual = Math.abs(net.value - gross.value) < CENT;
  const same = explainSame(gross, net, isEqual ? withoutWaived(items, amounts) : items, 1, null);
  if (gross.isComputed && same.fit === 0) return hiddenCharge(gross, net);
  if (same.fit > 0 || (isKnown(gross.currency) && isKnown(net.currency))) return same;
  // One of the two is printed without its currency, or with a sign that several currencies share.
  return explainForeign(gross, net, items, amounts, true);
}

/** Without charges that are printed again with the opposite sign close by: they were waived or refunded. */
function withoutWaived(items: readonly Item[], amounts: readonly Amount[]): readonly Item[] {
  const isWaived = ({ amount }: Item) =>
    within(amounts, amount.line - WAIVED_LINES, amount.line + WAIVED_LINES + 1).some(
      ({ value, line, token, decimals }) =>
        value === amount.value &&
        decimals === amount.decimals &&
        line !== amount.line &&
        token.isNegative !== amount.token.isNegative,
    );
  return items.some(isWaived) ? items.filter((item) => !isWaived(item)) : items;
}

function isKnown(currency: string | null): boolean {
  return currency !== null && !isShared(currency);
}

/** The gross is computed and no printed charge explains the net, so the difference counts as the charge. */
function hiddenCharge(gross: Amount, net: Amount): Charges {
  const difference = net.value - gross.value;
  const charge: Charge = { kind: "fee", label: "", value: Math.abs(difference), amount: net };
  return { rate: null, factor: 1, fit: FIT.hidden, side: Math.sign(difference), charges: [charge] };
}

function explainSame(
  gross: Amount,
  net: Amount,
  items: readonly Item[],
  factor: number,
  rate: Amount | null,
): Charges {
  const target = net.value - gross.value * factor;
  const base = { rate, factor, side: Math.abs(target) < CENT ? 0 : Math.sign(target) };
  const usable = items.filter((item) => item.amount !== gross && item.amount !== net);
  // A cent may be all that the charges come to.
  const isCharged =
    Math.abs(target) > HALF_CENT &&
    usable.some(({ amount }) => Math.abs(amount.value - Math.abs(target)) < HALF_CENT);
  if (Math.abs(target) < CENT && !isCharged) {
    const hasCharges = usable.some((item) => item.amount.value > 0);
    return {
      ...base,
      charges: [],
      fit:
        gross === net
          ? hasCharges
            ? FIT.grossBesideCharges
            : FIT.gross
          : hasCharges
            ? FIT.equalBesideCharges
            : FIT.equal,
    };
  }
  const values = usable.map(
    (item) =>
      item.amount.value *
      (item.amount.currency !== null && item.amount.currency === gross.currency ? factor : 1),
  );
  const tolerance = factor === 1 ? CENT : CENT * 2;
  const subset = findSubset(values, Math.abs(target), tolerance, usable, Math.sign(target));
  if (!subset) return { ...base, charges: [], fit: 0 };
  const charges = subset.map(({ index, sign }) => ({
    kind: usable[index]!.kind,
    label: usable[index]!.label,
    value: sign * values[index]!,
    amount: usable[index]!.amount,
  }));
  const share = charges.length / Math.max(1, usable.length);
  const fit = FIT.closed + (1 - FIT.closed) * share;
  return { ...base, ...asOfSale(charges, base.side), fit };
}

interface Choice {
  index: number;
  sign: number;
}

/**
 * Finds the charges that explain the difference. Charges are costs, so they all raise the net of a purchase
 * and lower that of a sale; a charge with the opposite printed sign is a refund. Tries all charges first,
 * then fewer.
 */
export function findSubset(
  values: readonly number[],
  target: number,
  tolerance: number,
  items: readonly Item[],
  side: number,
): Choice[] | null {
  const signs = items.map((item) => (item.kind === "interest" ? side : 1));
  const all = values.reduce((sum, value, i) => sum + value * signs[i]!, 0);
  if (values.length > 0 && Math.abs(all - target) < tolerance)
    return values.map((_, index) => ({ index, sign: signs[index]! }));
  // A header may call a charge interest that is none; then all of them are costs.
  const costs = values.reduce((sum, value) => sum + value, 0);
  if (signs.includes(-1) && Math.abs(costs - target) < tolerance)
    return values.map((_, index) => ({ index, sign: 1 }));
  const earned = interestLessCosts(values, target, tolerance, items);
  if (earned) return earned;
  let steps = 0;
  let found: Choice[] | null = null;
  const chosen: Choice[] = [];
  const visit = (at: number, rest: number, skips: number): boolean => {
    steps += 1;
    if (steps > STEPS_MAX) return true;
    if (Math.abs(rest) < tolerance && chosen.length > 0) {
      found = [...chosen];
      return true;
    }
    if (at >= values.length) return false;
    chosen.push({ index: at, sign: signs[at]! });
    if (visit(at + 1, rest - values[at]! * signs[at]!, skips)) return true;
    chosen.pop();
    if (visit(at + 1, rest, skips + 1)) return true;
    return false;
  };
  visit(0, target, 0);
  return found ?? findRefund(values, target, tolerance);
}

/** A seller of a bond may earn more interest than the charges cost: then the net is above the gross. */
function interestLessCosts(
  values: readonly number[],
  target: number,
  tolerance: number,
  items: readonly Item[],
): Choice[] | null {
  const isEarned = (index: number) => items[index]!.kind === "interest";
  const signs = values.map((_, index) => (isEarned(index) ? 1 : -1));
  if (!signs.includes(1) || !signs.includes(-1)) return null;
  const sum = values.reduce((total, value, i) => total + value * signs[i]!, 0);
  return Math.abs(sum - target) < tolerance ? signs.map((sign, index) => ({ index, sign })) : null;
}

/** If interest lifts the net of a sale above its gross, the charges are costs all the same, and the interest is none. */
function asOfSale(charges: Charge[], side: number): Pick<Charges, "charges" | "side"> {
  const costs = charges.filter(({ kind }) => kind !== "interest");
  const isEarned = side > 0 && costs.length > 0 && costs.length < charges.length;
  if (!isEarned || costs.some(({ value }) => value >= 0)) return { charges, side };
  return { charges: charges.map((charge) => ({ ...charge, value: -charge.value })), side: -1 };
}

/** Tries all charges, with one of them refunded. */
function findRefund(values: readonly number[], target: number, tolerance: number): Choice[] | null {
  const all = values.reduce((sum, value) => sum + value, 0);
  for (let skip = 0; skip < values.length; skip++) {
    if (Math.abs(all - 2 * values[skip]! - target) < tolerance) {
      return values.map((_, index) => ({ index, sign: index === skip ? -1 : 1 }));
    }
  }
  return null;
}

/** The net is in another currency than the gross: finds the rate, or the gross in the net's currency. */
function explainForeign(
  gross: Amount,
  net: Amount,
  items: readonly Item[],
  amounts: readonly Amount[],
  isNamed = false,
): Charges {
  let best = NOTHING;
  const named = ratesIn(amounts);
  for (const rate of named.length > 0 || isNamed ? named : unnamedRatesIn(amounts)) {
    if (rate.token.isPercent || rate === gross || rate === net) continue;
    const labelled = rate.clues.fx ?? 0;
    for (const factor of [rate.value, 1 / rate.value, rate.value / 100, 100 / rate.value]) {
      const found = explainRate(gross, net, items, factor, rate, labelled, amounts);
      if (found.fit > best.fit) best = found;
    }
  }
  return best;
}

const ratesBefore = new WeakMap<readonly Amount[], Amount[]>();

/** The amounts that may be rates; cached, because every net of a block asks for them. */
function ratesIn(amounts: readonly Amount[]): Amount[] {
  const known = ratesBefore.get(amounts);
  if (known) return known;
  const found = amounts.filter(({ clues, decimals }) => (clues.fx ?? 0) >= HINTED && decimals >= 2);
  ratesBefore.set(amounts, found);
  return found;
}

const unnamedBefore = new WeakMap<readonly Amount[], Amount[]>();

/** Where no rate has a label: the amounts with as many decimals as rates have. */
function unnamedRatesIn(amounts: readonly Amount[]): Amount[] {
  const known = unnamedBefore.get(amounts);
  if (known) return known;
  const found = amounts.filter(({ decimals }) => decimals >= 4);
  unnamedBefore.set(amounts, found);
  return found;
}

function explainRate(
  gross: Amount,
  net: Amount,
  items: readonly Item[],
  factor: number,
  rate: Amount,
  labelled: number,
  amounts: readonly Amount[],
): Charges {
  const converted = gross.value * factor;
  const ratio = net.value / converted;
  if (ratio < CONVERTED_LEAST || ratio > CONVERTED_MOST) return NOTHING;
  const bonus = labelled > HINTED ? 0 : -FIT.unnamedRate;
  // The rate is rounded, so look for the gross as it is printed in the net's currency.
  const slack = conversionSlack(converted, rate);
  const printed = amounts.find(
    (amount) =>
      amount !== gross &&
      amount !== net &&
      amount.decimals === 2 &&
      Math.abs(amount.value - converted) < slack,
  );
  if (printed) {
    const exact = explainSame(
      { ...printed, currency: net.currency },
      net,
      foreignItems(items, gross, factor),
      1,
      rate,
    );
    if (exact.fit > 0)
      return { ...exact, rate, factor, fit: Math.min(1, exact.fit + FIT.grossPrinted) + bonus };
  }
  const usable = items.filter(
    (item) => item.amount !== gross && item.amount !== net && item.amount !== rate,
  );
  const side = Math.sign(net.value - converted);
  if (Math.abs(net.value - converted) < slack)
    return { charges: [], rate, factor, fit: FIT.converted + bonus, side: 0 };
  for (const isForeign of [false, true]) {
    const charges = usable.map((item) => chargeOf(item, gross, factor, isForeign));
    const subset = findSubset(
      charges.map((charge) => charge.value),
      Math.abs(net.value - converted),
      slack + CHARGES_SLACK,
      usable,
      side,
    );
    if (!subset) continue;
    const chosen = subset.map(({ index, sign }) => ({
      ...charges[index]!,
      value: sign * charges[index]!.value,
    }));
    const fit = FIT.convertedClosed + bonus;
    return { ...asOfSale(chosen, side), rate, factor, fit };
  }
  return NOTHING;
}

function foreignItems(items: readonly Item[], gross: Amount, factor: number): Item[] {
  return items.map((item) =>
    item.amount.currency === gross.currency
      ? { ...item, amount: { ...item.amount, value: item.amount.value * factor } }
      : item,
  );
}

function chargeOf(item: Item, gross: Amount, factor: number, isForeignByDefault: boolean): Charge {
  const isForeign =
    item.amount.currency === gross.currency ||
    (item.amount.currency === null && isForeignByDefault);
  return {
    kind: item.kind,
    label: item.label,
    value: item.amount.value * (isForeign ? factor : 1),
    amount: item.amount,
  };
}

/**
 * True if the page converts this amount into another currency further down; then it is not what was booked.
 */
export function isConvertedOn(net: Amount, amounts: readonly Amount[]): boolean {
  if (net.currency === null) return false;
  const named = ratesIn(amounts).filter(({ clues, value }) => clues.fx! > HINTED && value !== 1);
  // Without a label, only so many decimals make a conversion that is met by chance unlikely.
  const rates =
    named.length > 0 ? named : unnamedRatesIn(amounts).filter(({ decimals }) => decimals >= 5);
  if (rates.length === 0) return false;
  return amounts.some((later) => {
    if (
      later.currency === null ||
      !differ(later.currency, net.currency) ||
      later.line < net.line ||
      later.decimals !== 2
    )
      return false;
    return rates.some((rate) => {
      const slack = conversionSlack(later.value, rate);
      return (
        Math.abs(net.value * rate.value - later.value) < slack ||
        Math.abs(net.value / rate.value - later.value) < slack
      );
    });
  });
}

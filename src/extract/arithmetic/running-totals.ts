/**
 * Walks down the page from the gross as one reads a settlement: amounts are charges until one of them
 * is the total so far, with those charges or converted at a printed rate. No label is needed; every
 * total that is met may be the net.
 */

import { type Amount, differ } from "../values/amount.ts";
import { overlap } from "../values/amount-scores.ts";
import { BESIDE, HINTED, NAMED, PLAIN, SURE } from "../values/clue-strength.ts";
import { CENT, conversionSlack } from "../values/rounding.ts";
import { type Charge, type Charges, findSubset, type Item, kindOf } from "./charges.ts";

export interface RunningTotal extends Charges {
  net: Amount;
}

const LINES_MAX = 60;
const PENDING_MAX = 8;
/** A total that the page goes on from is less likely the one that was booked. */
const PASSED = 0.15;
/** Charges and taxes together stay below this share of the total. */
const CHARGE_MOST = 0.4;
/** How well a total fits; see charges.ts for the meaning of the steps. */
const FIT = {
  /** All pending amounts close it, one does, some do; the rest is earned by labels. */
  all: 0.85,
  one: 0.75,
  some: 0.6,
  labelled: 0.15,
  /** The tax between two totals could not be read. */
  taxed: 0.92,
  /** The total is printed again, at once, after a conversion, beside charges. */
  equal: 0.75,
  converted: 0.8,
  besideCharges: 0.5,
} as const;

interface State {
  total: number;
  currency: string | null;
  /** Units of the total's currency for one of the gross's. */
  factor: number;
  rate: Amount | null;
  charges: Charge[];
  pending: Item[];
  side: number;
  /** The last total was named as the one before taxes. */
  isBeforeTax: boolean;
  /** Worst of the closings so far. */
  fit: number;
}

export function walk(gross: Amount, amounts: readonly Amount[]): RunningTotal[] {
  const below = amounts.filter((amount) => follows(gross, amount));
  const rates = below.filter(isRate);
  let state: State = {
    total: gross.value,
    currency: gross.currency,
    factor: 1,
    rate: null,
    charges: [],
    pending: [],
    side: 0,
    isBeforeTax: false,
    fit: 1,
  };
  const steps: RunningTotal[] = [];
  for (const amount of below) {
    if (amount.token.isPercent || rates.includes(amount) || amount.decimals > 2) continue;
    const next =
      repeat(state, amount) ??
      close(state, amount) ??
      convert(state, amount, rates) ??
      closeLater(state, amount, below) ??
      tax(state, amount);
    if (next) {
      state = { ...next, isBeforeTax: (amount.clues.subtotal ?? 0) >= SURE };
      steps.push(stepOf(state, amount));
    } else state = hold(state, amount);
  }
  return steps.map((step) => lowered(step, state.total));
}

/** A total that the page goes on from is less likely the one that was booked. */
function lowered(step: RunningTotal, last: number): RunningTotal {
  const isPassed = Math.abs(step.net.value - last) >= CENT;
  return isPassed ? { ...step, fit: step.fit - PASSED } : step;
}

function follows(gross: Amount, amount: Amount): boolean {
  if (amount.reading > 0 || amount.value === 0 || amount === gross) return false;
  if (amount.line === gross.line) return amount.token.start >= gross.token.end;
  return amount.line > gross.line && amount.line <= gross.line + LINES_MAX;
}

function isRate(amount: Amount): boolean {
  if (amount.token.isPercent || amount.value === 1) return false;
  return amount.decimals >= 4 || ((amount.clues.fx ?? 0) > HINTED && amount.decimals >= 2);
}

/** The total is printed again. */
function repeat(state: State, amount: Amount): State | null {
  if (differ(amount.currency, state.currency)) return null;
  if (Math.abs(amount.value - state.total) >= CENT) return null;
  return { ...state, currency: state.currency ?? amount.currency };
}

/** The charges since the last total lead to this one. */
function close(state: State, amount: Amount): State | null {
  if (state.pending.length === 0 || differ(amount.currency, state.currency)) return null;
  const pending = state.pending.filter((item) => !overlap(item.amount, amount));
  const difference = amount.value - state.total;
  if (Math.abs(difference) < CENT || Math.abs(difference) > state.total * CHARGE_MOST) return null;
  const side = Math.sign(difference);
  // What a buyer pays only grows, what a seller gets only shrinks.
  if (state.side !== 0 && side !== state.side) return null;
  // Of one line the last amount counts, unless it is a row with a charge in each column.
  const ends = pending.filter((item, i) => pending[i + 1]?.amount.line !== item.amount.line);
  const closed =
    chargesFor(ends, Math.abs(difference), side) ??
    (ends.length < pending.length ? chargesFor(pending, Math.abs(difference), side) : null);
  if (!closed) return null;
  return {
    ...state,
    total: amount.value,
    currency: amount.currency ?? state.currency,
    charges: [...state.charges, ...closed.charges],
    pending: [],
    side,
    fit: Math.min(state.fit, closed.fit),
  };
}

/** The charge that leads to this total is printed further down. */
function closeLater(state: State, amount: Amount, below: readonly Amount[]): State | null {
  const isTotal = Math.max(amount.clues.net ?? 0, amount.clues.subtotal ?? 0) >= PLAIN;
  if (!isTotal || differ(amount.currency, state.currency)) return null;
  const charge = below.find(
    (later) =>
      later.line > amount.line &&
      kindOf(later) !== null &&
      !differ(later.currency, amount.currency) &&
      Math.abs(later.value - Math.abs(amount.value - state.total)) < CENT,
  );
  if (!charge) return null;
  const item: Item = { kind: kindOf(charge)!, amount: charge, label: charge.label };
  return close({ ...state, pending: [item] }, amount);
}

/** After the total before taxes the one that is booked, though not every tax between could be read. */
function tax(state: State, amount: Amount): State | null {
  const { credit = 0, debit = 0 } = amount.clues;
  if (!state.isBeforeTax || Math.max(credit, debit) < BESIDE) return null;
  if (differ(amount.currency, state.currency)) return null;
  const taxed = state.pending.find((item) => item.kind === "tax");
  const difference = amount.value - state.total;
  if (!taxed || Math.abs(difference) > state.total * CHARGE_MOST) return null;
  const value = Math.abs(difference);
  const charge: Charge = { kind: "tax", label: taxed.label, value, amount: taxed.amount };
  return {
    ...state,
    total: amount.value,
    charges: [...state.charges, charge],
    pending: [],
    side: Math.sign(difference),
    fit: Math.min(state.fit, FIT.taxed),
  };
}

function chargesFor(
  pending: readonly Item[],
  target: number,
  side: number,
): { charges: Charge[]; fit: number } | null {
  const values = pending.map((item) => item.amount.value);
  const chosen = findSubset(values, target, CENT, pending, side);
  if (!chosen || chosen.length === 0) return null;
  const charges = chosen.map(({ index, sign }) => {
    const { kind, label, amount } = pending[index]!;
    return { kind, label, value: sign * amount.value, amount };
  });
  const labelled = charges.filter(({ amount }) => kindOf(amount) !== null).length;
  const isWhole = charges.length === pending.length;
  // Of many amounts some will always add up; those that all do, or that are labelled, mean it.
  const base = isWhole ? FIT.all : charges.length === 1 ? FIT.one : FIT.some;
  return { charges, fit: base + (FIT.labelled * labelled) / charges.length };
}

/** The total, with the charges since the last one, in another currency. */
function convert(state: State, amount: Amount, rates: readonly Amount[]): State | null {
  if (amount.currency === null || !differ(amount.currency, state.currency)) return null;
  // Money is changed once; what follows at the same rate is the same sum for information.
  if (state.rate) return null;
  for (const rate of rates) {
    for (const factor of [rate.value, 1 / rate.value, rate.value / 100, 100 / rate.value]) {
      const converted = state.total * factor;
      const slack = conversionSlack(converted, rate);
      if (Math.abs(amount.value - converted) > slack) continue;
      return {
        ...state,
        total: amount.value,
        currency: amount.currency,
        factor: state.factor * factor,
        rate,
        charges: state.charges.map((charge) => ({ ...charge, value: charge.value * factor })),
        pending: [],
      };
    }
  }
  return null;
}

/** Small amounts may be charges of the next total. */
function hold(state: State, amount: Amount): State {
  const isCharge =
    amount.decimals === 2 &&
    amount.value < state.total * CHARGE_MOST &&
    (amount.clues.noise ?? 0) < NAMED &&
    !differ(amount.currency, state.currency);
  if (!isCharge || state.pending.length >= PENDING_MAX) return state;
  const charged = state.pending.reduce((sum, one) => sum + one.amount.value, 0);
  // "Total charges" repeats what was counted already.
  if (state.pending.length > 1 && Math.abs(charged - amount.value) < CENT) return state;
  const item: Item = { kind: kindOf(amount) ?? "fee", amount, label: amount.label };
  const last = state.pending.at(-1);
  // The groups of a joined number are no charges of their own.
  if (last?.amount.token.isJoined && overlap(last.amount, amount)) return state;
  return { ...state, pending: [...state.pending, item] };
}

function stepOf(state: State, net: Amount): RunningTotal {
  const { charges, rate, factor, side } = state;
  const isBare = charges.length === 0;
  const isCharged = state.pending.some((item) => kindOf(item.amount) !== null);
  const fit = isBare
    ? isCharged
      ? FIT.besideCharges
      : rate
        ? FIT.converted
        : FIT.equal
    : state.fit;
  return { net, charges, rate, factor, fit, side: isBare ? 0 : side };
}

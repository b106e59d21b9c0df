/**
 * Reads down the page from the gross, as a person reads a settlement: amounts count as charges until one of
 * them equals the total so far, including those charges or converted at a printed rate. This needs no labels.
 * Every total found may be the net.
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
/** Penalty for a total that the page calculates on from: it is less likely to be the booked one. */
const PASSED = 0.15;
/** Charges and taxes together stay below this share of the total. */
const CHARGE_MOST = 0.4;
/** How well a total fits; charges.ts explains the scale. */
const FIT = {
  /** All pending amounts close the total, one does, or some do; labels earn the rest. */
  all: 0.85,
  one: 0.75,
  some: 0.6,
  labelled: 0.15,
  /** Some tax between two totals could not be read. */
  taxed: 0.92,
  /** The total is repeated: immediately, after a conversion, or beside charges. */
  equal: 0.75,
  converted: 0.8,
  besideCharges: 0.5,
} as const;

interface State {
  total: number;
  currency: string | null;
  /** Units of the total's currency per unit of the gross's. */
  factor: number;
  rate: Amount | null;
  charges: Charge[];
  pending: Item[];
  side: number;
  /** The last total was labelled as the one before taxes. */
  isBeforeTax: boolean;
  /** The worst fit of all steps so far. */
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

/** The charges since the last total add up to this one. */
function close(state: State, amount: Amount): State | null {
  if (state.pending.length === 0 || differ(amount.currency, state.currency)) return null;
  const pending = state.pending.filter((item) => !overlap(item.amount, amount));
  const difference = amount.value - state.total;
  if (Math.abs(difference) < CENT || Math.abs(difference) > state.total * CHARGE_MOST) return null;
  const side = Math.sign(difference);
  // What a buyer pays only grows; what a seller receives only shrinks.
  if (state.side !== 0 && side !== state.side) return null;
  // On each line only the last amount counts, unless the line is a table row with charges in several columns.
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

/** Accepts the booked total after the total before taxes, even if some tax between them could not be read. */
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
  // Among many amounts, some always add up by chance. It is evidence if all of them do, or if they are
  // labelled.
  const base = isWhole ? FIT.all : charges.length === 1 ? FIT.one : FIT.some;
  return { charges, fit: base + (FIT.labelled * labelled) / charges.length };
}

/** The total, with the charges since the last one, converted into another currency. */
function convert(state: State, amount: Amount, rates: readonly Amount[]): State | null {
  if (amount.currency === null || !differ(amount.currency, state.currency)) return null;
  // A trade is converted once; a second conversion at the same rate only repeats the sum for information.
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

/** Keeps a small amount as a possible charge of the next total. */
function hold(state: State, amount: Amount): State {
  const isCharge =
    amount.decimals === 2 &&
    amount.value < state.total * CHARGE_MOST &&
    (amount.clues.noise ?? 0) < NAMED &&
    !differ(amount.currency, state.currency);
  if (!isCharge || state.pending.length >= PENDING_MAX) return state;
  const charged = state.pending.reduce((sum, one) => sum + one.amount.value, 0);
  // "Total charges" repeats what is already counted.
  if (state.pending.length > 1 && Math.abs(charged - amount.value) < CENT) return state;
  const item: Item = { kind: kindOf(amount) ?? "fee", amount, label: amount.label };
  const last = state.pending.at(-1);
  // The single groups of a joined number are not charges.
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

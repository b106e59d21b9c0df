/**
 * What a block prints that the assignment does not explain. An assignment may agree with everything that was
 * recognised and still be wrong, because the amount that was really booked is also printed there,
 * unrecognised.
 */
import type { TextLine } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import { type Amount, type Day, differ } from "../values/amount.ts";
import { isCode, netClue, overlap } from "../values/amount-scores.ts";
import { BESIDE, HINTED, NAMED, PLAIN } from "../values/clue-strength.ts";
import { ROLES } from "../values/label-model.ts";
import { CENT, conversionSlack } from "../values/rounding.ts";
import type { Candidate, Features } from "./candidate.ts";
import { isOtherwiseNamed } from "./day-certainty.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Number of lines above and below the numbers of a trade that still belong to it. */
const REACH = 14;
/** A total that differs by charges and taxes is between these shares of the net. */
const NEAR_LEAST = 0.6;
const NEAR_MOST = 1.6;
const COUNT_MAX = 5;
/** Fit from which printed charges close the sum. */
const CLOSED = 0.84;
/** Fit from which the net is the gross, or the sum of gross and charges. */
const EQUAL = 0.7;
/** Probability from which an unexplained amount is taken for something else, if both equations hold; */
const SURELY_OTHER = 0.5;
/** and if they do not hold exactly, this many lines below the net. */
const ALMOST_SURELY_OTHER = 0.9;
const FAR = 5;
/** The gain of a sale is printed on one of this many lines from what was paid. */
const GAIN_BELOW = 4;
/** Fit of a product that rounding leaves no other explanation for. */
const EXACT = 0.99;
/** The same of few digits. */
const ROUNDED = 0.75;
/** Longer numbers are those of accounts and positions, even with decimals. */
const MONEY_MOST = 1e10;
/** Clue strength of a date that the lexicon recognises as the trade date, in its column or beside it. */
const SAID_DAY = 0.85;

export function explainedOf(document: ParsedText, candidate: Candidate): Features {
  const { net, gross } = candidate.assignment;
  if (!net) return {};
  const own = amountsAround(document, candidate);
  const known = knownValues(candidate);
  known.push(...executionsOf(own, candidate));
  const isNear = ({ value }: Amount) =>
    value > net.value * NEAR_LEAST && value < net.value * NEAR_MOST;
  const open = own.filter(
    (amount) =>
      isMoney(amount) &&
      !isKnown(amount, known, candidate) &&
      (isNear(amount) || !isOfOrder(amount)),
  );
  const all = own.filter(isMoney);
  const near = open.filter(isNear);
  const isBare = (candidate.assignment.charges?.charges.length ?? 0) === 0;
  const small = open.filter(
    ({ value, line }) => value < net.value * (1 - NEAR_LEAST) && line >= (gross?.line ?? 0),
  );
  const opinion = opinionOf(
    document,
    candidate,
    own,
    own.filter((amount) => !isKnown(amount, known, candidate)),
  );
  return {
    open: Math.min(COUNT_MAX, open.length) / COUNT_MAX,
    openNear: near.some((one) => !isExcused(one, { document, candidate, all, opinion })) ? 1 : 0,
    openNearSame: near.some(
      ({ currency }) => !currency || !net.currency || currency === net.currency,
    )
      ? 1
      : 0,
    openCloses:
      closes(open, net.value) || (gross && gross.value !== net.value && closes(open, gross.value))
        ? 1
        : 0,
    openUnlabelled:
      Math.min(COUNT_MAX, open.filter((one) => isUnlabelled(document.lines, one)).length) /
      COUNT_MAX,
    openBelow: Math.min(COUNT_MAX, open.filter(({ line }) => line > net.line).length) / COUNT_MAX,
    bare: isBare ? 1 : 0,
    bareOpen: isBare && small.length > 0 ? 1 : 0,
    ...opinion,
  };
}

interface Surroundings {
  document: ParsedText;
  candidate: Candidate;
  /** The sums of money around the trade. */
  all: readonly Amount[];
  opinion: Features;
}

/** True if the unexplained amount is none that could have been booked instead of the net. */
function isExcused(one: Amount, { document, candidate, all, opinion }: Surroundings): boolean {
  const isOpen = isRivalled(opinion);
  if (!isOpen && isSettled(candidate, EXACT))
    if (isOther(one, SURELY_OTHER) || isOutOfReach(one, all, candidate)) return true;
  if (isSettled(candidate, ROUNDED) && isCostOfSale(one, document, candidate)) return true;
  return isFarOther(one, all, candidate);
}

/** True if the label model does not take the amount for part of a trade, such as what was once paid for the shares. */
function isOther({ roles }: Amount, from: number): boolean {
  return (roles?.[ROLES.length - 1] ?? 0) >= from;
}

/**
 * True if it is printed well below the net, no label and hardly any learnt word takes it for part of a trade, and no
 * printed amount leads to it.
 */
function isFarOther(one: Amount, all: readonly Amount[], { assignment }: Candidate): boolean {
  const { net, product, sum } = assignment;
  if (product < ROUNDED || sum < EQUAL || one.line <= net!.line + FAR) return false;
  if (Math.max(netClue(one), one.clues.gross ?? 0) >= HINTED) return false;
  return isOther(one, ALMOST_SURELY_OTHER) && !isReached(one, all, assignment);
}

/** True for what was once paid for the units of a sale: it and a printed gain or loss add up to the gross. */
function isCostOfSale(
  one: Amount,
  { values }: ParsedText,
  { assignment: { gross, net, rate }, direction }: Candidate,
): boolean {
  if (direction !== "SELL" || !gross || one.line <= net!.line || netClue(one) >= HINTED)
    return false;
  const grosses = rate
    ? [gross.value, gross.value * rate.value, gross.value / rate.value]
    : [gross.value];
  return within(values.amounts, one.line, one.line + GAIN_BELOW).some(
    (gain) =>
      gain.token !== one.token &&
      grosses.some((total) => Math.abs(Math.abs(total - one.value) - gain.value) < CENT),
  );
}

/**
 * True for a tax or a balance below the net, such as the taxes of the year: its label says so, and no other printed
 * amount leads to it from the gross or the net.
 */
function isOutOfReach(one: Amount, all: readonly Amount[], { assignment }: Candidate): boolean {
  const { gross, net } = assignment;
  const { clues, line, currency } = one;
  if (line <= net!.line || differ(currency, net!.currency)) return false;
  const asOther = Math.max(clues.tax ?? 0, clues.fee ?? 0, clues.noise ?? 0);
  if (asOther < PLAIN || asOther <= Math.max(netClue(one), clues.gross ?? 0)) return false;
  return !isReached(one, all, { gross, net });
}

/** True if another printed amount leads to it from the gross or the net. */
function isReached(
  one: Amount,
  all: readonly Amount[],
  { gross, net }: Pick<Candidate["assignment"], "gross" | "net">,
): boolean {
  return [gross!.value, net!.value].some((total) =>
    all.some(({ value }) => Math.abs(Math.abs(total - one.value) - value) < CENT),
  );
}

/** True if both equations hold with printed charges, the sum to the cent. */
function isSettled({ assignment }: Candidate, least: number): boolean {
  const { product, sum, charges } = assignment;
  return product >= least && sum >= CLOSED && !!charges && charges.charges.length > 0;
}

/** True if another amount is labelled like the net. */
function isRivalled(opinion: Features): boolean {
  return (opinion["modelNetRival"] ?? 0) >= NAMED || opinion["modelNetAgainst"] !== 0;
}

/**
 * The amounts of the block; if the block is the whole document, only those around the numbers of the trade.
 */
function amountsAround({ values }: ParsedText, candidate: Candidate): Amount[] {
  const { assignment, from, to } = candidate;
  const { quantity, price, gross, net } = assignment;
  const places = [quantity, price, gross, net].flatMap((part) => (part ? [part.line] : []));
  const first = Math.max(from, Math.min(...places) - REACH);
  const last = Math.min(to, Math.max(...places) + REACH);
  return within(values.amounts, first, last).filter(
    ({ reading, value }) => reading === 0 && value !== 0,
  );
}

/** The limit of an order is labelled like its number or its account, and the price of an execution like any other. */
function isOfOrder(amount: Amount): boolean {
  const { account = 0, reference = 0, price = 0 } = amount.clues;
  return Math.max(account, reference, price) >= BESIDE && netClue(amount) < NAMED;
}

function isMoney(amount: Amount): boolean {
  const { decimals, token, currency, clues, value } = amount;
  if (token.isPercent || token.isJoined || isCode(amount) || value >= MONEY_MOST) return false;
  if ((clues.fx ?? 0) > HINTED || (clues.noise ?? 0) >= NAMED) return false;
  return decimals === 2 || (currency !== null && decimals <= 2);
}

/** The values of the assignment, the same in the other currency, and the totals between them. */
function knownValues({ assignment }: Candidate): number[] {
  const { quantity, price, gross, net, charges } = assignment;
  const out = [quantity, price, gross, net].flatMap((part) => (part ? [part.value] : []));
  const costs = (charges?.charges ?? []).map(({ value, amount }) => {
    out.push(amount.value);
    return Math.abs(value);
  });
  const total = costs.reduce((sum, value) => sum + value, 0);
  out.push(total, ...costs);
  const base = gross?.value ?? net!.value;
  out.push(...beforeConversion(assignment));
  let sum = 0;
  for (const cost of costs) {
    sum += cost;
    // After a conversion, the totals before the last charges are in the currency of the net.
    for (const total of [base, net!.value])
      out.push(total + sum, total - sum, total + cost, total - cost);
  }
  for (const [i, one] of costs.entries())
    for (const two of costs.slice(i + 1)) out.push(one + two, base + one + two, base - one - two);
  return out;
}

/** The totals of the gross and the charges in its own currency, before the net was converted. */
function beforeConversion({ gross, rate, charges }: Candidate["assignment"]): number[] {
  if (!gross || !rate) return [];
  const out: number[] = [];
  let [more, less] = [gross.value, gross.value];
  for (const { amount } of charges?.charges ?? []) {
    if (differ(amount.currency, gross.currency)) continue;
    // The amount was converted already; its token still has the printed value.
    const printed = amount.token.readings[amount.reading]!.value;
    more += printed;
    less -= printed;
    out.push(more, less);
  }
  return out;
}

/** The amounts of the executions that the order consists of: each is a number on its line times the price, and their sum is the gross. */
function executionsOf(own: readonly Amount[], { assignment }: Candidate): number[] {
  const { price, gross, quantity } = assignment;
  if (!price || !gross || !quantity || assignment.isPercent) return [];
  const found = own.filter(
    (amount) =>
      isMoney(amount) &&
      amount.value < gross.value &&
      own.some(
        (units) =>
          units !== amount &&
          units.line === amount.line &&
          units.value < quantity.value &&
          Math.abs(units.value * price.value - amount.value) < CENT,
      ),
  );
  // One share costs its price, which stands on the same line.
  const parts = found.filter((amount, i) => found[i + 1]?.line !== amount.line);
  const sum = parts.reduce((total, { value }) => total + value, 0);
  return parts.length > 1 && Math.abs(sum - gross.value) < parts.length * CENT
    ? parts.map(({ value }) => value)
    : [];
}

function isKnown(amount: Amount, known: readonly number[], { assignment }: Candidate): boolean {
  const { rate, quantity, price, gross, net } = assignment;
  // "7 994,33" could be two numbers, but it is one if it was used as one.
  if ([quantity, price, gross, net].some((part) => part && overlap(part, amount))) return true;
  return known.some((value) => {
    if (Math.abs(value - amount.value) < CENT) return true;
    if (!rate) return false;
    return [value * rate.value, value / rate.value].some(
      (converted) => Math.abs(converted - amount.value) < conversionSlack(converted, rate) + CENT,
    );
  });
}

/** True if two unexplained amounts lead to or from the total. */
function closes(open: readonly Amount[], total: number): boolean {
  return open.some((one, i) =>
    open.some(
      (two, k) =>
        k !== i &&
        one.value < total &&
        (Math.abs(total + one.value - two.value) < CENT ||
          Math.abs(total - one.value - two.value) < CENT),
    ),
  );
}

function isUnlabelled(lines: readonly TextLine[], { line, clues }: Amount): boolean {
  return (
    Object.values(clues).every((strength) => (strength ?? 0) < HINTED) &&
    lines[line]!.labels.length === 0
  );
}

const [QUANTITY, PRICE, GROSS, NET, TRADE_DATE] = (
  ["quantity", "price", "gross", "net", "tradeDate"] as const
).map((role) => ROLES.indexOf(role)) as [number, number, number, number, number];

/** If the product is exact, no other sum of the same currency is the net than one that charges can lead to. */
function isPossibleNet(
  { value, currency }: Amount,
  { product, gross, net }: Candidate["assignment"],
) {
  if (product < EXACT || !gross || differ(currency, net?.currency ?? null)) return true;
  return value > gross.value * NEAR_LEAST && value < gross.value * NEAR_MOST;
}

/** What the label model says about the chosen values and about others that could replace them. */
function opinionOf(
  document: ParsedText,
  { assignment, days, from, to }: Candidate,
  own: readonly Amount[],
  unknown: readonly Amount[],
): Features {
  const { quantity, net, gross, price } = assignment;
  const same = (value: number | undefined, role: number) =>
    Math.max(0, ...own.filter((one) => one.value === value).map((one) => one.roles?.[role] ?? 0));
  const other = (value: number | undefined, role: number, among = unknown) =>
    Math.max(0, ...among.filter((one) => one.value !== value).map((one) => one.roles?.[role] ?? 0));
  const rivals = unknown.filter(
    (one) => (one.decimals === 2 || one.currency !== null) && isPossibleNet(one, assignment),
  );
  const netRival = other(net?.value, NET, rivals);
  const all: readonly Day[] = within(document.values.days, from, to);
  const dayOf = (is: boolean) =>
    Math.max(
      0,
      ...all
        .filter((day) => (day.iso === days.trade?.iso) === is && (is || !isOtherwiseNamed(day)))
        .map((day) => day.roles?.[TRADE_DATE] ?? 0),
    );
  const asNet = Math.max(
    same(net?.value, NET),
    net?.value === gross?.value ? same(net?.value, GROSS) : 0,
  );
  return {
    modelNet: asNet,
    modelNetRival: netRival,
    modelNetMargin: asNet - netRival,
    // Charges that close the sum to the cent count more than a label.
    modelNetAgainst: asNet < netRival && assignment.sum < CLOSED ? 1 : 0,
    modelQuantity: same(quantity?.value, QUANTITY),
    modelQuantityMargin: same(quantity?.value, QUANTITY) - other(quantity?.value, QUANTITY),
    modelPrice: same(price?.value, PRICE),
    modelGross: same(gross?.value, GROSS),
    modelDay: dayOf(true),
    modelDayMargin: dayOf(true) - dayOf(false),
    modelDayAgainst:
      dayOf(true) < dayOf(false) && (days.trade?.clues.tradeDate ?? 0) < SAID_DAY ? 1 : 0,
  };
}

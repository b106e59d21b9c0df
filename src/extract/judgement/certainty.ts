/**
 * The evidence for and against a finished assignment, as named numbers between -1 and 1, from which
 * confidence is computed. A doubt is something printed in the block that the assignment does not explain, or
 * that another reading would explain as well.
 */

import type { TextLine } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import { isShared } from "../lexicon/currencies.ts";
import { COINS } from "../lexicon/exchanges.ts";
import type { Concept } from "../lexicon/labels.ts";
import { nationalNumber } from "../text/identifiers.ts";
import { type Amount, differ } from "../values/amount.ts";
import { netClue, priceScore, quantityScore } from "../values/amount-scores.ts";
import { HINTED, NAMED, SURE } from "../values/clue-strength.ts";
import { CANCELLED, cancelWord } from "../values/direction.ts";
import { ROLES as MODEL_ROLES } from "../values/label-model.ts";
import { CENT, HALF_CENT, TIGHT_MAX, TIGHT_SHARE } from "../values/rounding.ts";
import type { SecurityCode } from "../values/security-code.ts";
import type { Candidate, Features } from "./candidate.ts";
import { completenessOf } from "./completeness.ts";
import { daysOf } from "./day-certainty.ts";
import { signedUnits } from "./direction-sign.ts";
import { explainedOf } from "./explained.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Thresholds on fits that products.ts and charges.ts compute. */
const FIT = {
  exactProduct: 0.99,
  roundedProduct: 0.75,
  looseProduct: 0.4,
  closedSum: 0.84,
  equalSum: 0.7,
  chargesUnused: 0.5,
  grossAsNet: 0.25,
} as const;
const HALF = 0.5;
/** By how much the chosen day must lead the next best one. */
const DAY_LEAD = 0.15;
/** The value of `sumHolds` if net equals gross: without charges, and with charges that no sum uses. */
const SUM_EQUAL = 0.7;
const SUM_LEFT = 0.4;
/** Notes of purchases mention taxes for information; few purchases are taxed. */
const TAX_ON_PURCHASE = 0.3;
/**
 * Evidence for which factor is the price: a currency counts most, then the shape of the other number, then
 * decimals.
 */
const ROLES = { currency: 0.5, shape: 0.4, decimals: 0.3, open: 0.25, clear: 0.4 } as const;
/** Word score from which a document is a statement. */
const STATEMENT = 1.5;
/** Weight of a direction word in a heading of four words. */
const HEADING = 2.2;
/** A single mention is not a majority; a fifth of the votes is a passing mention too. */
const VOTES_MIN = 0.5;
const IN_PASSING = 0.2;
const TIED = 0.3;
/** The net is printed at most this many lines below the other numbers of a trade, unless learnt words name it. */
const NET_BELOW = 12;
/** A trade with more rates than this is a table of rates. */
const RATES_MAX = 8;
/** A heading with a security applies to rows up to this many lines below. */
const FAR_LINES = 25;

const QUANTITY = MODEL_ROLES.indexOf("quantity");
const PRICE = MODEL_ROLES.indexOf("price");

export function certaintyOf(
  document: ParsedText,
  candidate: Candidate,
  siblings: readonly Candidate[],
): Features {
  const lines = document.lines.slice(candidate.from, candidate.to);
  const amounts = within(document.values.amounts, candidate.from, candidate.to).filter(
    ({ value }) => value !== 0,
  );
  // A plain object: growing one by spreading costs more than computing all the evidence.
  const all = Object.assign(
    Object.create(null) as Features,
    candidate.features,
    identitiesOf(candidate),
    moneyOf(candidate, amounts, lines),
    quantityOf(candidate, amounts),
    daysOf(document, candidate),
    securityOf(document, candidate, lines),
    directionOf(document, candidate),
    neighboursOf(candidate, siblings),
    completenessOf(document, candidate, siblings),
    explainedOf(document, candidate),
    {
      unsaid: unsaidOf(candidate),
      inStatement: isStatement(document) ? 1 : 0,
      reinvested: isOutscored(candidate) ? 1 : 0,
      cancelSaid: cancelWord(withoutCancelled(document, candidate, siblings)).weight,
    },
  );
  all["dayDoubted"] = isDayDoubted(all) ? 1 : 0;
  all["netStray"] = isFarFromTrade(candidate) && (all["modelNet"] ?? 0) < HINTED ? 1 : 0;
  all["netOutsaid"] = (all["netLeft"] ?? 0) >= SURE && (all["netLabel"] ?? 0) < NAMED ? 1 : 0;
  if (all["unitsAgree"] === 1 || all["balanced"] === 1) all["rolesOpen"] = 0;
  // The days of other lines are not those of the row, and where the page shows the order of its days, they need no label.
  if (all["dayOfRow"] === 1 || all["dayTimely"] === 1 || all["dayBeforeLetter"] === 1)
    all["modelDayAgainst"] = 0;
  return all;
}

/** The lines of the page without the rows that cancel another trade: those of other units leave this one as it is. */
function withoutCancelled(
  { lines }: ParsedText,
  candidate: Candidate,
  siblings: readonly Candidate[],
): readonly TextLine[] {
  const rows = siblings.filter((other) => other !== candidate && isCancelled(other));
  const isOther = (other: Candidate) =>
    other.assignment.quantity!.value !== candidate.assignment.quantity!.value;
  if (rows.length === 0 || !rows.every(isOther)) return lines;
  return lines.filter(({ index }) => !rows.some(({ from, to }) => index >= from && index < to));
}

/** True for a row that cancels a trade. */
function isCancelled({ fact, features }: Candidate): boolean {
  return fact !== null && (features["cancelled"] ?? 0) >= CANCELLED;
}

/**
 * A day without a label is in doubt, unless the rules and the label model both prefer it clearly. In a document with
 * one trade, which cannot be cut wrongly, a lead is enough if the model is sure.
 */
function isDayDoubted(all: Features): boolean {
  const { dayUnsaid = 0, dayMargin = 0, modelDay = 0, modelDayMargin = 0, part = 0 } = all;
  if (dayUnsaid < HINTED) return false;
  if (modelDayMargin <= HINTED) return true;
  return dayMargin < HALF && !(part === 0 && dayMargin >= DAY_LEAD && modelDay >= SURE);
}

/** True if the net is printed well below quantity and price, and no printed charges lead to it. */
function isFarFromTrade({ assignment: { quantity, price, net, sum } }: Candidate): boolean {
  const last = Math.max(quantity!.line, price?.line ?? 0);
  return sum < FIT.closedSum && net!.line > last + NET_BELOW;
}

/** True if the chosen assignment is not the best-scored one, but the one that fits reinvested income. */
function isOutscored({ assignment, others }: Candidate): boolean {
  return others.some(({ score }) => score > assignment.score);
}

/**
 * True if the document is a statement of account and not a note: it lists trades that are also reported
 * elsewhere.
 */
function isStatement({ kinds }: ParsedText): boolean {
  const { score } = kinds["account-statement"];
  return score >= STATEMENT && score > kinds.trade.score;
}

/** Which equations hold, how tightly, and whether a different assignment fits nearly as well. */
function identitiesOf({ assignment, others }: Candidate): Features {
  const { product, sum, score, quantity, gross, net, rate, isPercent } = assignment;
  const rival = (differs: (other: (typeof others)[number]) => boolean) => {
    const best = others.find(differs);
    return best ? Math.min(1, Math.max(0, (score - best.score) / 3)) : 1;
  };
  return {
    productHolds: product >= FIT.exactProduct ? 1 : product >= FIT.roundedProduct ? HALF : 0,
    sumHolds:
      sum >= FIT.closedSum
        ? 1
        : sum >= FIT.equalSum
          ? SUM_EQUAL
          : sum >= FIT.chargesUnused
            ? SUM_LEFT
            : 0,
    bothHold: product >= FIT.roundedProduct && sum >= FIT.equalSum ? 1 : 0,
    sumOff: offBy(assignment) > HALF_CENT ? 1 : 0,
    sumDoubted: isOffDoubted(assignment) ? 1 : 0,
    productFails: product >= FIT.roundedProduct || isLooseButNamed(assignment) ? 0 : 1,
    sumFails: sum > 0 ? 0 : 1,
    chargesUnused: sum === FIT.chargesUnused || sum === FIT.grossAsNet ? 1 : 0,
    quantityMargin: rival((other) => other.quantity?.value !== quantity?.value),
    netMargin: rival((other) => other.net?.value !== net?.value),
    grossHidden: gross?.isComputed && sum < FIT.closedSum ? 1 : 0,
    converted: rate ? 1 : 0,
    percent: isPercent ? 1 : 0,
  };
}

/**
 * A product of few digits may hold by chance, but not if labels name both factors and the net equals the gross or the sum
 * of gross and charges.
 */
function isLooseButNamed({ product, sum, quantity, price }: Candidate["assignment"]): boolean {
  if (product < FIT.looseProduct || sum < FIT.equalSum || !quantity || !price) return false;
  return Math.min(quantityScore(quantity), priceScore(price)) >= SURE;
}

/** By how much the sum misses the net; it may hold within the slack for rounding, but not to the cent. */
function offBy({ gross, net, charges, rate }: Candidate["assignment"]): number {
  if (!gross || !net || !charges || charges.fit === 0 || rate) return 0;
  const total = charges.charges.reduce((sum, charge) => sum + charge.value, 0);
  return Math.abs(Math.abs(net.value - gross.value) - Math.abs(total));
}

/** Banks round: a net that its label names may miss the sum by one cent. */
function isOffDoubted(assignment: Candidate["assignment"]): boolean {
  const off = offBy(assignment);
  return off > HALF_CENT && (off > CENT + HALF_CENT || netClue(assignment.net!) < SURE);
}

/** Amounts of the block that the assignment does not explain. */
function moneyOf(
  { assignment, currency, from, direction, fact }: Candidate,
  amounts: readonly Amount[],
  lines: readonly TextLine[],
): Features {
  const { quantity, net, gross, price, rate, charges } = assignment;
  // Gains are taxed at a sale; a purchase only mentions taxes for information.
  const taxed = direction === "SELL" ? 1 : TAX_ON_PURCHASE;
  const rates = [rate, fact?.rate ?? null];
  const used = new Set([quantity, net, gross, price, ...rates].map((amount) => amount?.value));
  for (const charge of charges?.charges ?? []) used.add(charge.amount.value);
  const currencies = new Set<string>();
  const out = {
    taxLeft: 0,
    taxNamed: 0,
    feeLeft: 0,
    netLeft: 0,
    laterNet: 0,
    rateLeft: 0,
    foreignNet: 0,
    netRepeated: 0,
    netReadings: 0,
  };
  for (const amount of amounts) {
    const { clues, value, decimals, token } = amount;
    const noise = clues.noise ?? 0;
    if (amount.reading === 0 && amount.currency && decimals === 2) currencies.add(amount.currency);
    if (net && value === net.value && amount.line !== net.line) out.netRepeated = 1;
    if (net && amount.token === net.token && amount !== net) out.netReadings = 1;
    if (used.has(value) || amount.reading > 0 || token.isPercent) continue;
    if ((clues.fx ?? 0) > NAMED && value !== 1 && !rate && decimals >= 3) out.rateLeft = 1;
    if (decimals !== 2) continue;
    const claims = (concept: Concept) => Math.max(0, (clues[concept] ?? 0) - noise);
    out.taxLeft = Math.max(out.taxLeft, taxed * claims("tax"));
    out.taxNamed = Math.max(out.taxNamed, taxed * Math.min(1, clues.tax ?? 0));
    out.feeLeft = Math.max(out.feeLeft, claims("fee"));
    const asNet = Math.min(1, Math.max(0, netClue(amount) - noise));
    if (differ(amount.currency, net?.currency ?? null))
      out.foreignNet = Math.max(out.foreignNet, isConverted(amount, assignment) ? 0 : asNet);
    else out.netLeft = Math.max(out.netLeft, asNet);
    if (net && amount.line > net.line) out.laterNet = Math.max(out.laterNet, asNet);
  }
  const home = net ? lines[net.line - from] : undefined;
  const above = net ? lines[net.line - from - 1] : undefined;
  const isBefore = [home, above].some((line) => line && BEFORE_TAX.test(line.folded));
  return {
    ...out,
    // "before taxes" beside the net: the booked amount may be lower.
    netSaysTax: home && says(home, "tax") ? 1 : 0,
    netBeforeTax: isBefore ? taxed : 0,
    taxPending: isBefore ? out.taxLeft : 0,
    currencies: Math.min(3, Math.max(0, currencies.size - 1)) / 3,
    currencyBeside: net?.currency && !isShared(net.currency) ? 1 : 0,
    currencyNone: currency ? 0 : 1,
    rateLeft: out.rateLeft && !isRateOfBase(amounts, assignment) ? 1 : 0,
    chargeShare: net && gross && !rate ? Math.min(1, 5 * Math.abs(1 - net.value / gross.value)) : 0,
  };
}

/** True if every rate only translates the gross or the net into what a label calls a tax or a balance. */
function isRateOfBase(
  amounts: readonly Amount[],
  { gross, net }: Candidate["assignment"],
): boolean {
  const rates = amounts.filter(({ clues, decimals }) => (clues.fx ?? 0) > NAMED && decimals >= 3);
  if (rates.length === 0 || rates.length > RATES_MAX) return false;
  const bases = amounts.filter(
    (one) =>
      one.decimals === 2 &&
      differ(one.currency, net?.currency ?? null) &&
      Math.max(one.clues.tax ?? 0, one.clues.noise ?? 0) >= NAMED &&
      netClue(one) < HINTED,
  );
  return rates.every((rate) =>
    bases.some((base) =>
      [gross, net].some((total) => total && isConverted(base, { net: total, rate })),
    ),
  );
}

/** True if the amount is the net before its conversion with the printed rate. */
function isConverted(
  { value }: Amount,
  { net, rate }: Pick<Candidate["assignment"], "net" | "rate">,
): boolean {
  if (!net || !rate) return false;
  const slack = TIGHT_SHARE * net.value + TIGHT_MAX;
  return (
    Math.abs(value * rate.value - net.value) < slack ||
    Math.abs(value / rate.value - net.value) < slack
  );
}

const BEFORE_TAX =
  /vor steuer|before tax|pre-tax|pretax|avant impot|ante imposte|al lordo|antes de impuesto|voor belasting|antes de imposto|for skat|fore skatt/;

function says(line: TextLine, concept: Concept): boolean {
  return line.labels.some((label) => label.value.some((hit) => hit.concept === concept));
}

function quantityOf({ assignment }: Candidate, amounts: readonly Amount[]): Features {
  const { quantity } = assignment;
  let rival = 0;
  let repeated = 0;
  let readings = 0;
  for (const amount of amounts) {
    if (!quantity) break;
    if (amount.token === quantity.token && amount !== quantity) readings = 1;
    if (amount.value === quantity.value && amount.line !== quantity.line) repeated = 1;
    if (amount.value !== quantity.value && amount.reading === 0 && amount.token !== quantity.token)
      rival = Math.max(rival, Math.min(1, quantityScore(amount)));
  }
  const roles = rolesOf(assignment);
  return {
    rolesSay: roles,
    // A number with a percent sign is no quantity.
    rolesOpen:
      roles < ROLES.open && !assignment.price?.token.isPercent && !isPriceLearnt(assignment)
        ? 1
        : 0,
    quantitySays: quantity ? Math.min(1, quantity.clues.quantity ?? 0) : 0,
    quantityRival: rival,
    quantityRepeated: repeated,
    quantityReadings: readings,
    // For a bond, the nominal is an amount of money. Beside a clear quantity, the currency is that of the price.
    quantityMoney: quantity?.currency && !assignment.isPercent && roles < ROLES.clear ? 1 : 0,
  };
}

/**
 * How clearly the page shows which factor of the product is the price: labels, a currency, a sign or the
 * number of decimals must. Near 1 if they do, negative if they suggest the opposite.
 */
function rolesOf({ quantity, price }: Candidate["assignment"]): number {
  if (!quantity || !price) return 0;
  const labels =
    (quantity.clues.quantity ?? 0) -
    (quantity.clues.price ?? 0) +
    (price.clues.price ?? 0) -
    (price.clues.quantity ?? 0);
  const isSigned = quantity.token.isNegative || quantity.token.isPositive;
  // Many decimals may be those of a price, unless only the other number has a currency.
  const isMarked = price.currency !== null && quantity.currency === null;
  const forms =
    (isMarked ? ROLES.currency : 0) -
    (quantity.currency && !price.currency ? ROLES.currency : 0) +
    (isSigned || price.token.isPercent || quantity.decimals === 0 ? ROLES.shape : 0) +
    (quantity.decimals >= 4 && quantity.decimals > price.decimals && !isMarked
      ? -ROLES.decimals
      : 0);
  return Math.max(-1, Math.min(1, labels / 2 + forms));
}

/** True if only the price has a currency, and the label model takes both factors for what they were taken for. */
function isPriceLearnt({ quantity, price }: Candidate["assignment"]): boolean {
  if (!quantity || !price?.currency || quantity.currency) return false;
  return (quantity.roles?.[QUANTITY] ?? 0) >= SURE && (price.roles?.[PRICE] ?? 0) >= HALF;
}

function securityOf(
  document: ParsedText,
  { security, from, to, fact }: Candidate,
  lines: readonly TextLine[],
): Features {
  const { isin, wkn, valor } = security;
  const codes = new Set<string>();
  for (const line of lines)
    for (const code of line.codes) if (code.kind === "isin") codes.add(code.text);
  const home = isin ? document.lines[isin.line] : undefined;
  const national = isin ? nationalNumber(isin.text) : {};
  const agrees =
    (wkn && national.wkn === wkn.text) ||
    (valor && Object.values(national).some((code) => code?.replace(/^0+/, "") === valor.text));
  const nationals = wkn ?? valor ?? security.sedol ?? security.cusip;
  return {
    isinChecked: home?.codes.some((code) => code.kind === "isin" && code.text === isin!.text)
      ? 1
      : 0,
    isinSays: home && (says(home, "isin") || says(home, "wkn") || says(home, "valor")) ? 1 : 0,
    codesAgree: agrees ? 1 : 0,
    codeRivals: codes.size > 1 ? 1 : 0,
    codeOutside: isin && (isin.line < from || isin.line >= to) ? 1 : 0,
    codeFar: isin && fact ? Math.min(1, Math.max(0, fact.first - isin.line) / 20) : 0,
    codeElsewhere: isElsewhere(security, from, to) ? 1 : 0,
    codeNational: !isin && nationals ? 1 : 0,
    codeTicker: !isin && !nationals && security.ticker ? (isNamed(security.ticker) ? HALF : 1) : 0,
    codeNone: isin || nationals || security.ticker ? 0 : 1,
  };
}

/** A code without a check digit, or one far away, may belong to the previous trade. */
function isElsewhere(
  { isin, wkn, valor, sedol, cusip, ticker }: Candidate["security"],
  from: number,
  to: number,
): boolean {
  const code = isin ?? wkn ?? valor ?? sedol ?? cusip ?? ticker;
  if (!code) return false;
  const distance = Math.max(from - code.line, code.line - to + 1);
  return distance > (code === isin ? FAR_LINES : 0);
}

/**
 * True if a label or an exchange is beside it, or if it is a cryptocurrency, which has no other identifier.
 */
function isNamed({ text, score }: SecurityCode): boolean {
  return score >= SURE || COINS.has(text);
}

/** Words, the side of the charges and the booking should agree on one direction. */
function directionOf(document: ParsedText, candidate: Candidate): Features {
  const { words, buy, sell, direction, assignment } = candidate;
  const isBuy = direction === "BUY";
  const spoken = isBuy ? words.buy : words.sell;
  const against = isBuy ? words.sell : words.buy;
  const side = (assignment.charges?.side ?? 0) * (isBuy ? 1 : -1);
  const whole = document.words;
  const elsewhere = isBuy ? whole.sell : whole.buy;
  const margin = Math.abs(buy - sell) / Math.max(1, buy + sell);
  return {
    wordsOwn: spoken > 0 && against < IN_PASSING * spoken ? 1 : 0,
    wordsSay: Math.min(1, words.top / HEADING),
    wordsAgree: Math.max(
      -1,
      Math.min(1, (spoken - against) / Math.max(VOTES_MIN, spoken + against)),
    ),
    sideAgrees: side,
    signSays: signedUnits(candidate) ? 1 : 0,
    signAlone: signedUnits(candidate) && !isBooked(document.lines, candidate.fact) ? 1 : 0,
    directionMargin: margin,
    directionTied: margin < TIED ? 1 : 0,
    wordsElsewhere: Math.min(1, elsewhere / Math.max(VOTES_MIN, whole.buy + whole.sell)),
  };
}

/** True if a word of the row says that money was paid or received, so that its units were traded and not delivered. */
function isBooked(lines: readonly TextLine[], fact: Candidate["fact"]): boolean {
  const row = fact ? lines.slice(fact.first, fact.last + 1) : [];
  return row.some((line) => says(line, "debit") || says(line, "credit"));
}

/** Clue strength from which a label names a value. */
const SAID = NAMED;

/** Share of quantity, price, net and trade date that no label names; high if a layout is not understood. */
function unsaidOf({ assignment: { quantity, price, net }, days }: Candidate): number {
  const named = [
    quantity?.clues.quantity,
    price?.clues.price,
    net ? netClue(net) : 0,
    days.trade?.clues.tradeDate,
  ];
  return named.filter((clue) => (clue ?? 0) < SAID).length / named.length;
}

/** One trade among several was cut out of the document; the cut is credible if all of them look alike. */
function neighboursOf(candidate: Candidate, siblings: readonly Candidate[]): Features {
  const count = siblings.length;
  const same = (value: (sibling: Candidate) => unknown) =>
    siblings.filter((sibling) => value(sibling) === value(candidate)).length / Math.max(1, count);
  const key = ({ assignment }: Candidate) => assignment.quantity?.label ?? "";
  return {
    many: Math.min(1, Math.log2(Math.max(1, count)) / 5),
    alike: count > 1 ? same(key) : 1,
    lonely: count === 1 && candidate.fact ? 1 : 0,
  };
}

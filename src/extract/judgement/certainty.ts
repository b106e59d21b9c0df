/**
 * What speaks for and against a finished assignment, as numbers between -1 and 1 with names: the evidence
 * that confidence is computed from. A doubt is something printed in the block that the assignment leaves
 * unexplained, or that another reading would explain as well.
 */

import type { TextLine } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import { isShared } from "../lexicon/currencies.ts";
import { COINS } from "../lexicon/exchanges.ts";
import type { Concept } from "../lexicon/labels.ts";
import { nationalNumber } from "../text/identifiers.ts";
import { type Amount, differ } from "../values/amount.ts";
import { netClue, quantityScore } from "../values/amount-scores.ts";
import { NAMED, SURE } from "../values/clue-strength.ts";
import { cancelWord } from "../values/direction.ts";
import { HALF_CENT, TIGHT_MAX, TIGHT_SHARE } from "../values/rounding.ts";
import type { SecurityCode } from "../values/security-code.ts";
import type { Candidate, Features } from "./candidate.ts";
import { daysOf } from "./day-certainty.ts";
import { explainedOf } from "./explained.ts";
import type { ParsedText } from "./parsed-text.ts";

/** Fits as the arithmetic gives them: see products.ts and charges.ts. */
const FIT = {
  exactProduct: 0.99,
  roundedProduct: 0.75,
  closedSum: 0.84,
  equalSum: 0.7,
  chargesUnused: 0.5,
  grossAsNet: 0.25,
} as const;
const HALF = 0.5;
/** What a net that equals the gross says for itself, without charges and beside unused ones. */
const SUM_EQUAL = 0.7;
const SUM_LEFT = 0.4;
/** Taxes on a purchase are named for information; few purchases pay one. */
const TAX_ON_PURCHASE = 0.3;
/** Which factor is the price: a currency says most, then the shape of the other, then its decimals. */
const ROLES = { currency: 0.5, shape: 0.4, decimals: 0.3, open: 0.25 } as const;
/** Score of words from which a document calls itself a statement. */
const STATEMENT = 1.5;
/** Weight of a word of direction in a heading of four words. */
const HEADING = 2.2;
/** One vote in passing is no majority; a fifth against the rest is in passing too. */
const VOTES_MIN = 0.5;
const IN_PASSING = 0.2;
const TIED = 0.3;
/** A heading with a security speaks for rows this far below. */
const FAR_LINES = 25;

export function certaintyOf(
  document: ParsedText,
  candidate: Candidate,
  siblings: readonly Candidate[],
): Features {
  const lines = document.lines.slice(candidate.from, candidate.to);
  const amounts = within(document.values.amounts, candidate.from, candidate.to).filter(
    ({ value }) => value !== 0,
  );
  // A plain dictionary: an object that grows by spreading costs more than all of the evidence.
  return Object.assign(
    Object.create(null) as Features,
    candidate.features,
    identitiesOf(candidate),
    moneyOf(candidate, amounts, lines),
    quantityOf(candidate, amounts),
    daysOf(document, candidate),
    securityOf(document, candidate, lines),
    directionOf(document, candidate),
    neighboursOf(candidate, siblings),
    explainedOf(document, candidate),
    {
      unsaid: unsaidOf(candidate),
      inStatement: isStatement(document) ? 1 : 0,
      reinvested: isOutscored(candidate) ? 1 : 0,
      cancelSaid: cancelWord(document.lines).weight,
    },
  );
}

/** Not the assignment that explains most was taken, but the one that fits reinvested income. */
function isOutscored({ assignment, others }: Candidate): boolean {
  return others.some(({ score }) => score > assignment.score);
}

/** It calls itself a statement of account, and no note: what it lists was told before or is told elsewhere. */
function isStatement({ kinds }: ParsedText): boolean {
  const { score } = kinds["account-statement"];
  return score >= STATEMENT && score > kinds.trade.score;
}

/** Which identities hold, how tightly, and whether a different answer holds nearly as well. */
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
    sumOff: isOff(assignment) ? 1 : 0,
    productFails: product >= FIT.roundedProduct ? 0 : 1,
    sumFails: sum > 0 ? 0 : 1,
    chargesUnused: sum === FIT.chargesUnused || sum === FIT.grossAsNet ? 1 : 0,
    quantityMargin: rival((other) => other.quantity?.value !== quantity?.value),
    netMargin: rival((other) => other.net?.value !== net?.value),
    grossHidden: gross?.isComputed && sum < FIT.closedSum ? 1 : 0,
    converted: rate ? 1 : 0,
    percent: isPercent ? 1 : 0,
  };
}

/** The sum holds within the slack for rounding, but not to the cent. */
function isOff({ gross, net, charges, rate }: Candidate["assignment"]): boolean {
  if (!gross || !net || !charges || charges.fit === 0 || rate) return false;
  const total = charges.charges.reduce((sum, charge) => sum + charge.value, 0);
  const off = Math.abs(Math.abs(net.value - gross.value) - Math.abs(total));
  return off > HALF_CENT;
}

/** Amounts of the block that the answer does not account for. */
function moneyOf(
  { assignment, currency, from, direction }: Candidate,
  amounts: readonly Amount[],
  lines: readonly TextLine[],
): Features {
  const { net, gross, price, rate, charges } = assignment;
  // Gains are taxed when they are made; a purchase names taxes for information.
  const taxed = direction === "SELL" ? 1 : TAX_ON_PURCHASE;
  const used = new Set([net, gross, price, rate].map((amount) => amount?.value));
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
    // "before taxes" beside the net: what is booked may be less.
    netSaysTax: home && says(home, "tax") ? 1 : 0,
    netBeforeTax: isBefore ? taxed : 0,
    taxPending: isBefore ? out.taxLeft : 0,
    currencies: Math.min(3, Math.max(0, currencies.size - 1)) / 3,
    currencyBeside: net?.currency && !isShared(net.currency) ? 1 : 0,
    currencyNone: currency ? 0 : 1,
    chargeShare: net && gross && !rate ? Math.min(1, 5 * Math.abs(1 - net.value / gross.value)) : 0,
  };
}

/** The net itself, before it was converted with the printed rate. */
function isConverted({ value }: Amount, { net, rate }: Candidate["assignment"]): boolean {
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
    rolesOpen: roles < ROLES.open ? 1 : 0,
    quantitySays: quantity ? Math.min(1, quantity.clues.quantity ?? 0) : 0,
    quantityRival: rival,
    quantityRepeated: repeated,
    quantityReadings: readings,
    // The nominal of a bond is an amount of money.
    quantityMoney: quantity?.currency && !assignment.isPercent ? 1 : 0,
  };
}

/**
 * A product does not say which of its factors is the price: labels, a currency, a sign or the number of
 * decimals must. Near one when they do, negative when they speak for the other way round.
 */
function rolesOf({ quantity, price }: Candidate["assignment"]): number {
  if (!quantity || !price) return 0;
  const labels =
    (quantity.clues.quantity ?? 0) -
    (quantity.clues.price ?? 0) +
    (price.clues.price ?? 0) -
    (price.clues.quantity ?? 0);
  const isSigned = quantity.token.isNegative || quantity.token.isPositive;
  const forms =
    (price.currency && !quantity.currency ? ROLES.currency : 0) -
    (quantity.currency && !price.currency ? ROLES.currency : 0) +
    (isSigned || price.token.isPercent || quantity.decimals === 0 ? ROLES.shape : 0) +
    (quantity.decimals >= 4 && quantity.decimals > price.decimals ? -ROLES.decimals : 0);
  return Math.max(-1, Math.min(1, labels / 2 + forms));
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

/** Without a check digit a code of the trade before may be taken for this one's; so may one that is far away. */
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

/** Its label or its exchange stands beside it, or it is a coin, which has no other number. */
function isNamed({ text, score }: SecurityCode): boolean {
  return score >= SURE || COINS.has(text);
}

/** Words, the side of the charges and the booking should name one direction. */
function directionOf(
  document: ParsedText,
  { words, buy, sell, direction, assignment }: Candidate,
): Features {
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
    directionMargin: margin,
    directionTied: margin < TIED ? 1 : 0,
    wordsElsewhere: Math.min(1, elsewhere / Math.max(VOTES_MIN, whole.buy + whole.sell)),
  };
}

/** Strength of a clue from which a label names a value. */
const SAID = NAMED;

/** Share of quantity, price, net and day that no label names: high where a layout is not understood. */
function unsaidOf({ assignment: { quantity, price, net }, days }: Candidate): number {
  const named = [
    quantity?.clues.quantity,
    price?.clues.price,
    net ? netClue(net) : 0,
    days.trade?.clues.tradeDate,
  ];
  return named.filter((clue) => (clue ?? 0) < SAID).length / named.length;
}

/** One trade among several is cut out; the cut is believed where all of them look alike. */
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

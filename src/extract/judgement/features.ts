/** The evidence for and against one possible trade, as named numbers. */

import type { Assignment } from "../arithmetic/solve.ts";
import type { Fact } from "../blocks/fact.ts";
import { isAbout, TITLE, voteKinds } from "../layout/document-kind.ts";
import type { TextLine } from "../layout/text-line.ts";
import { within } from "../layout/within.ts";
import { type KindWord, reinvestPhrases } from "../lexicon/index.ts";
import { coinAt } from "../values/amount.ts";
import { netClue, priceScore, quantityScore, slackOf } from "../values/amount-scores.ts";
import { LIKELY, NAMED, PLAIN, SURE } from "../values/clue-strength.ts";
import { cancelWord, type DirectionVote, holdingChange, signOf } from "../values/direction.ts";
import { ROLES } from "../values/label-model.ts";
import { HUNDREDTH } from "../values/rounding.ts";
import type { SecurityFound } from "../values/security-code.ts";
import type { Candidate, Features } from "./candidate.ts";
import type { ParsedText } from "./parsed-text.ts";

/**
 * A title such as "trades" counts a little less than a direction word: it is also used for lists of orders.
 */
const TITLE_SHARE = 0.8;
/** A tax section counts less in a note whose heading names the direction. */
const TAX_CHAPTER = 0.6;
/** Upper limits of what a label counts: beside the net, and beside another amount that could be the net. */
const NET_MOST = 1.2;
const RIVAL_NET_MOST = 1.15;
/** Votes that are weaker than this together are no majority, even if all agree. */
const VOTES_MIN = 0.5;
/** Score of an ISIN whose check digit is right. */
const CHECKED = 2;
const HALF = 0.5;
const BARE_TICKER = 0.4;
/** From here on, rounding leaves no other explanation than the product. */
const PROVEN_PRODUCT = 0.8;
/** A product that may be off by more than this share through rounding proves nothing. */
const LOOSE_SHARE = 0.02;
/** Votes that differ by less are tied. */
const TIED_SHARE = 0.3;
/** Half the weight of a word in a heading. */
const UNDECIDED = 1.5;

/** Weight of section titles below the net, where costs and taxes are explained. */
const APPENDED = 0.4;
/** Weight of a direction word in a sentence of its own. */
const SAID_IN_SENTENCE = 1.2;
const ROW_LINES = 4;
const SCATTERED = 12;
/**
 * Below this share, trades are rare among the rows of a cash account and are reported in notes of their own.
 */
const DIRECTED_SHARE = 0.34;

export function featuresOf(
  document: ParsedText,
  candidate: Omit<Candidate, "fees" | "taxes" | "currency" | "features">,
): Features {
  const { assignment, days, security, words, buy, sell } = candidate;
  const { quantity, price, gross, net } = assignment;
  const kinds = candidate.fact ? voteKinds(ownLines(document, candidate)) : document.kinds;
  const voted = words.buy + words.sell;
  const { amounts } = document.values;
  const isSigned =
    candidate.fact !== null && (isSignedRow(assignment) || holdingChange(amounts, quantity!) !== 0);
  // Income is printed with a plus too, so only money that was paid shows a trade.
  const isPaid = candidate.fact === null && signOf(amounts, net!) < 0;
  const runner = candidate.others.find(
    (other) => other.net?.value !== net?.value || other.quantity?.value !== quantity?.value,
  );
  const speaksFor = Math.max(
    isSigned ? Math.max(2, words.top) : Math.min(3, words.top),
    TITLE_SHARE * kinds.trade.score,
  );
  // A note whose heading names the direction may have a section on taxes.
  const isHeaded = words.top >= 2;
  const payout = Math.max(kinds.dividend.score, kinds.interest.score);
  const above = net && !candidate.fact ? voteKinds(document.lines.slice(0, net.line + 1)) : kinds;
  const against = (kind: KindWord) => {
    const { score } = kinds[kind];
    return Math.max(above[kind].score, APPENDED * score);
  };
  const reinvested = isReinvested(document.lines.slice(candidate.from, candidate.to));
  const speaksAgainst = Math.max(
    reinvested ? 0 : Math.max(against("dividend"), against("interest")),
    against("tax") * (isHeaded ? TAX_CHAPTER : 1),
    against("corporate-action"),
    against("transfer"),
    against("information"),
  );
  const cashScore = Math.max(kinds["account-statement"].score, kinds.cash.score);
  const isProven = isProvenRow(document, candidate);
  return {
    proven: isProven ? 1 : 0,
    titleMargin: Math.max(-3, Math.min(3, speaksFor - speaksAgainst)),
    // A product with a price is more than a cash booking.
    cashMargin:
      (isHeaded ? 0 : Math.max(0, Math.min(3, cashScore - speaksFor))) *
      (1 - assignment.product * Math.min(1, price?.clues.price ?? 0)),
    // In a statement of holdings or cash, many numbers multiply by chance, and its trades are reported in
    // notes of their own. Rows of trades have headers that say quantity and price, or a sign.
    statementRow:
      candidate.fact && !isSigned && !isProven
        ? (Math.min(4, document.kinds["account-statement"].score) / 4) *
          (1 - Math.min(1, price?.clues.price ?? 0, quantity?.clues.quantity ?? 0))
        : 0,
    statementWhole: candidate.fact
      ? 0
      : (Math.min(4, document.kinds["account-statement"].score) / 4) *
        (1 - Math.min(1, price?.clues.price ?? 0)),
    silentRow:
      candidate.fact && voted === 0 && !isSigned
        ? 1 + Math.min(3, document.kinds["account-statement"].score)
        : 0,
    section: candidate.fact
      ? sectionVote(document.sections[candidate.fact.first] ?? null, voted > 0)
      : 0,
    product: assignment.product,
    sum: assignment.sum,
    unfounded: assignment.product === 0 && assignment.sum === 0 ? 1 : 0,
    voteTied: Math.abs(buy - sell) < TIED_SHARE * Math.max(1, buy + sell) ? 1 : 0,
    ...opinionsOf(assignment),
    ...rivalsOf(document, candidate),
    charged: (assignment.charges?.charges.length ?? 0) > 0 ? 1 : 0,
    quantityLabel: quantity ? quantityScore(quantity) : 0,
    priceLabel: price ? priceScore(price) : 0,
    grossLabel: gross?.clues.gross ?? 0,
    // On a statement row the amount needs no label, because its column has one.
    netLabel: net
      ? Math.max(candidate.fact && net === gross ? SURE : 0, Math.min(NET_MOST, netClue(net)))
      : 0,
    netNoise: net?.clues.noise ?? 0,
    moneyAgainst: isPaidAgainst(candidate) ? 1 : 0,
    netCurrency: net?.currency ? 1 : 0,
    margin: Math.min(3, runner ? assignment.score - runner.score : 3),
    directionTop: isSigned ? Math.max(2, words.top) : Math.min(3, words.top),
    directionNone: voted === 0 && !isSigned && !isPaid ? 1 : 0,
    directionGap: (Math.max(buy, sell) - Math.min(buy, sell)) / Math.max(VOTES_MIN, buy + sell),
    dateScore: days.trade ? Math.max(-2, Math.min(4, days.tradeScore)) : -2,
    dateGap: days.trade ? Math.max(0, Math.min(3, days.tradeScore - days.runnerUp)) : 0,
    isin: security.isin ? (security.isin.score >= CHECKED ? 1 : HALF) : 0,
    code: codeStrength(security),
    dayNone: days.trade ? 0 : 1,
    // Shares times an amount that no label calls a price, among dividend words, is a dividend.
    payout:
      !reinvested && assignment.product > 0 && (price?.clues.price ?? 0) < LIKELY
        ? Math.min(3, payout)
        : 0,
    nameless:
      (1 - codeStrength(security)) * Math.min(1, document.kinds["account-statement"].score / 2),
    part: candidate.fact ? 1 : 0,
    trade: kinds.trade.score,
    dividend: kinds.dividend.score,
    interest: kinds.interest.score,
    tax: kinds.tax.score,
    action: kinds["corporate-action"].score,
    transfer: kinds.transfer.score,
    cash: kinds.cash.score,
    statement: kinds["account-statement"].score,
    documentStatement: document.kinds["account-statement"].score,
    documentDividend: document.kinds.dividend.score,
    documentTax: document.kinds.tax.score,
    price: price ? 1 : 0,
    tradeDate: days.trade?.clues.tradeDate ?? 0,
    time: days.trade?.time ? 1 : 0,
    signed: quantity && (quantity.token.isNegative || quantity.token.isPositive) ? 1 : 0,
    cancelled: cancelWord(
      document.lines.slice(candidate.from, candidate.to),
      candidate.fact === null,
    ).weight,
  };
}

/** True if a note says that a purchase is credited to the account, or a sale debited; rows have a column for each. */
function isPaidAgainst({
  assignment: { net },
  direction,
  fact,
}: Pick<Candidate, "assignment" | "direction" | "fact">): boolean {
  if (fact) return false;
  const credited = (net?.clues.credit ?? 0) - (net?.clues.debit ?? 0);
  return (direction === "BUY" ? credited : -credited) >= NAMED;
}

const [QUANTITY, PRICE, GROSS, NET] = (["quantity", "price", "gross", "net"] as const).map((role) =>
  ROLES.indexOf(role),
) as [number, number, number, number];

/** What the label model says about the values of an assignment. */
function opinionsOf({ quantity, price, net }: Assignment): Features {
  return {
    roleQuantity: quantity?.roles?.[QUANTITY] ?? 0,
    rolePrice: price?.roles?.[PRICE] ?? 0,
    roleNet: Math.max(net?.roles?.[NET] ?? 0, net?.roles?.[GROSS] ?? 0),
  };
}

/**
 * True if the row says bought or sold, or changes the account's running balance, has its own date, and has either a
 * quantity and a price whose product is its amount, or coins given for money: only a trade has all three.
 */
function isProvenRow(
  document: ParsedText,
  candidate: Pick<Candidate, "fact" | "from" | "to" | "words" | "days" | "assignment">,
): boolean {
  const { values, kinds } = document;
  const { fact, from, to, words, days, assignment } = candidate;
  if (!fact || !days.trade) return false;
  const isExchange =
    fact.price.isComputed && coinAt(document.lines[fact.first]!, fact.quantity.token);
  if (!isExchange && (assignment.product < PROVEN_PRODUCT || fact.quantity.value === 1))
    return false;
  if (fact.last - fact.first >= ROW_LINES || (!isExchange && isLoose(fact))) return false;
  if (isAbout(kinds, "account-statement") && document.directedShare < DIRECTED_SHARE) return false;
  const isBooked = values.accountRows.some(({ line }) => line >= fact.first && line <= fact.last);
  const isDirected = words.line !== null && words.line >= from && words.line <= fact.last;
  return (isDirected || isBooked) && days.trade.line >= from && days.trade.line < to;
}

function isLoose({ quantity, price, isPercent }: Fact): boolean {
  const target = quantity.value * price.value * (isPercent ? HUNDREDTH : 1);
  return slackOf(quantity, price, isPercent) > LOOSE_SHARE * target;
}

/** A row is described on its line and the few below; the rest of the page follows after them. */
function ownLines(
  { lines }: ParsedText,
  { from, to, fact }: Pick<Candidate, "from" | "to" | "fact">,
): TextLine[] {
  const isRow = fact !== null && fact.first === fact.last;
  return lines.slice(from, isRow ? Math.min(to, fact.last + ROW_LINES) : to);
}

/** In a table without direction words, the sign of the shares or of the amount shows the direction. */
function isSignedRow({ quantity, gross, net }: Assignment): boolean {
  const paid = gross?.isComputed ? net : gross;
  if (!quantity || !paid) return false;
  const isMarked = quantity.token.isNegative || quantity.token.isPositive;
  if (isMarked && (quantity.decimals >= 3 || (quantity.clues.quantity ?? 0) > NAMED)) return true;
  // Shares go out and money comes in, or the reverse.
  if (paid.line !== quantity.line) return false;
  return paid.token.isNegative || (quantity.token.isNegative && quantity.decimals !== 2);
}

/**
 * How sure it is that a security is named: an ISIN with a wrong check digit or a bare word in capitals may be
 * chance.
 */
function codeStrength({ isin, wkn, valor, sedol, cusip, ticker }: SecurityFound): number {
  if ((isin && isin.score >= 1) || wkn || valor || sedol || cusip) return 1;
  return Math.max(isin ? HALF : 0, ticker ? (ticker.score >= HALF ? 1 : BARE_TICKER) : 0);
}

/**
 * A row without a direction is a holding, unless the whole document names one side only. A document about
 * costs or open orders says so in its title. Numbers scattered over a statement of account do not form one
 * trade.
 */
export function isVetoed(document: ParsedText, candidate: Candidate): boolean {
  const start = Math.max(0, candidate.from - ROW_LINES);
  if (candidate.fact && isExample(document.lines.slice(start, candidate.to))) return true;
  if (candidate.fact && candidate.features["directionNone"] === 1) {
    const isUndecided = Math.abs(candidate.buy - candidate.sell) < UNDECIDED;
    return isUndecided && !isOneSided(document.words);
  }
  return isAnnounced(document, candidate) || (!candidate.fact && isScattered(document, candidate));
}

const PLACEHOLDER = /\b(tt|dd|jj|gg|aa)[./-]mm[./-](jjjj|yyyy|aaaa|jj|yy|aa)\b/;

/** "DD.MM.YYYY" in place of a date: a worked example that explains how to read the document. */
function isExample(lines: readonly TextLine[]): boolean {
  return lines.some(({ folded }) => PLACEHOLDER.test(folded));
}

/**
 * True if a title such as "Order received" or "Costs and charges" stands above the numbers, and above the direction
 * word if that is a heading: nothing was booked yet.
 */
function isAnnounced({ kinds }: ParsedText, candidate: Candidate): boolean {
  if (!isAbout(kinds, "information")) return false;
  const { information } = kinds;
  const { assignment, words, fact, features } = candidate;
  if (information.line > assignment.quantity!.line) return false;
  if (words.top >= TITLE) return information.line < (words.line ?? 0);
  // "Order received" may be the label of a date on a note that is headed by a sentence.
  const isSaid = words.top >= SAID_IN_SENTENCE && (features["tradeDate"] ?? 0) >= PLAIN;
  return !fact && !(isSaid && Math.max(assignment.product, assignment.sum) > 0);
}

function isScattered({ kinds, values }: ParsedText, { assignment, words }: Candidate): boolean {
  const { quantity, price, net } = assignment;
  const places = [quantity, price, net].flatMap((part) => (part ? [part.line] : []));
  const isWide = Math.max(...places) - Math.min(...places) > SCATTERED;
  const isStatement = isAbout(kinds, "account-statement") && words.top < TITLE;
  return values.accountRows.length >= 3 || (isWide && isStatement);
}

function isOneSided({ buy, sell, top }: DirectionVote): boolean {
  return top >= TITLE && Math.min(buy, sell) === 0;
}

export function isReinvested(lines: readonly TextLine[]): boolean {
  return lines.some(
    (line) => !isOffer(line) && line.directions.some((match) => reinvestPhrases.has(match.phrase)),
  );
}

/** "2 % discount on reinvestment": a percentage without an amount offers something, and nothing was done yet. */
function isOffer({ numbers }: TextLine): boolean {
  return (
    numbers.some(({ isPercent }) => isPercent) &&
    !numbers.some(({ isPercent, hasDecimals }) => hasDecimals && !isPercent)
  );
}

/**
 * Rows under a heading of trades are trades; under a heading of dividends or holdings, only if the row says
 * so.
 */
function sectionVote(kind: KindWord | null, isSpoken: boolean): number {
  if (kind === null || kind === "account-statement") return 0;
  if (kind === "trade") return 1;
  return isSpoken ? 0 : -1;
}

/**
 * The strength of competing evidence: other labelled nets and quantities, other securities, letter-spaced
 * print.
 */
function rivalsOf(
  document: ParsedText,
  candidate: Pick<Candidate, "assignment" | "from" | "to" | "security">,
): Features {
  const { assignment, from, to, security } = candidate;
  const { quantity, gross, net } = assignment;
  const used = new Set((assignment.charges?.charges ?? []).map((charge) => charge.amount.value));
  let unusedTax = 0;
  let unusedFee = 0;
  let rivalNet = 0;
  let rivalQuantity = 0;
  for (const amount of within(document.values.amounts, from, to)) {
    if (amount.reading > 0 || amount.value === 0) continue;
    const noise = amount.clues.noise ?? 0;
    // Taxes and fees that are on the page but not in the sum may have been booked separately.
    if (
      amount.decimals === 2 &&
      noise < NAMED &&
      !used.has(amount.value) &&
      !amount.token.isPercent
    ) {
      if ((amount.clues.tax ?? 0) > PLAIN) unusedTax = 1;
      if ((amount.clues.fee ?? 0) > PLAIN) unusedFee = 1;
    }
    if (amount.decimals === 2 && amount.value !== net?.value && amount.value !== gross?.value) {
      rivalNet = Math.max(rivalNet, Math.min(RIVAL_NET_MOST, netClue(amount)) - noise);
    }
    if (amount.value !== quantity?.value)
      rivalQuantity = Math.max(rivalQuantity, quantityScore(amount));
  }
  let otherCodes = 0;
  let spaced = 0;
  for (let i = from; i < to; i++) {
    const line = document.lines[i]!;
    if (line.isSpaced) spaced = 1;
    if (line.codes.some((code) => code.kind !== "cusip" && code.text !== security.isin?.text))
      otherCodes = 1;
  }
  return { rivalNet, rivalQuantity, otherCodes, spaced, unusedTax, unusedFee };
}

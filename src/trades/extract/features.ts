/** The evidence for and against one possible trade, as numbers with names. */
import { netEvidence, priceScore, quantityScore } from "./amount-scores.ts";
import type { Candidate, Document, Features } from "./candidate.ts";
import { cancelWord, type DirectionVote, holdingChange } from "./direction.ts";
import { voteKinds } from "./document-type.ts";
import { type KindWord, reinvestPhrases } from "./lexicon/index.ts";
import type { DocLine } from "./lines.ts";
import type { SecurityFound } from "./security.ts";
import type { Assignment } from "./solve.ts";
import { within } from "./within.ts";

/** Score from which words name a document and do not stand in passing. */
const TITLE = 2;
/** Weight of a direction that is told in a sentence of its own. */
const TOLD = 1.2;

export function featuresOf(
  document: Document,
  candidate: Omit<Candidate, "fees" | "taxes" | "currency" | "features">,
): Features {
  const { assignment, days, security, words, buy, sell } = candidate;
  const { quantity, price, gross, net } = assignment;
  const kinds = candidate.fact
    ? voteKinds(document.lines.slice(candidate.from, candidate.to))
    : document.kinds;
  const voted = words.buy + words.sell;
  const isSigned =
    candidate.fact !== null &&
    (isSignedRow(assignment) || holdingChange(document.values.amounts, quantity!) !== 0);
  const runner = candidate.others.find(
    (other) => other.net?.value !== net?.value || other.quantity?.value !== quantity?.value,
  );
  const speaksFor = Math.max(
    isSigned ? Math.max(2, words.top) : Math.min(3, words.top),
    0.8 * kinds.trade.score,
  );
  // A note with its direction for a heading may have a chapter on taxes.
  const isHeaded = words.top >= 2;
  const payout = Math.max(kinds.dividend.score, kinds.interest.score);
  const reinvested = isReinvested(document.lines.slice(candidate.from, candidate.to));
  const speaksAgainst = Math.max(
    reinvested ? 0 : payout,
    kinds.tax.score * (isHeaded ? 0.6 : 1),
    kinds["corporate-action"].score,
    kinds.transfer.score,
    kinds.information.score,
  );
  const isCash = Math.max(kinds["account-statement"].score, kinds.cash.score);
  return {
    titleMargin: Math.max(-3, Math.min(3, speaksFor - speaksAgainst)),
    // A priced product is more than a line of cash.
    cashMargin:
      (isHeaded ? 0 : Math.max(0, Math.min(3, isCash - speaksFor))) *
      (1 - assignment.product * Math.min(1, price?.evidence.price ?? 0)),
    // In a statement of holdings or cash many numbers multiply, and its trades are told by notes of their
    // own; rows of trades have heads that say quantity and price, or a sign.
    statementRow:
      candidate.fact && !isSigned
        ? (Math.min(4, document.kinds["account-statement"].score) / 4) *
          (1 - Math.min(1, price?.evidence.price ?? 0, quantity?.evidence.quantity ?? 0))
        : 0,
    statementWhole: candidate.fact
      ? 0
      : (Math.min(4, document.kinds["account-statement"].score) / 4) *
        (1 - Math.min(1, price?.evidence.price ?? 0)),
    silentRow:
      candidate.fact && voted === 0 && !isSigned
        ? 1 + Math.min(3, document.kinds["account-statement"].score)
        : 0,
    section: candidate.fact
      ? sectionVote(document.sections[candidate.fact.first] ?? null, voted > 0)
      : 0,
    product: assignment.product,
    sum: assignment.sum,
    ...rivalsOf(document, candidate),
    charged: (assignment.charges?.charges.length ?? 0) > 0 ? 1 : 0,
    quantityLabel: quantity ? quantityScore(quantity) : 0,
    priceLabel: price ? priceScore(price) : 0,
    grossLabel: gross?.evidence.gross ?? 0,
    // On the row of a statement the amount needs no label: its column has one.
    netLabel: net
      ? Math.max(candidate.fact && net === gross ? 0.8 : 0, Math.min(1.2, netEvidence(net)))
      : 0,
    netNoise: net?.evidence.noise ?? 0,
    netCurrency: net?.currency ? 1 : 0,
    margin: Math.min(3, runner ? assignment.score - runner.score : 3),
    directionTop: isSigned ? Math.max(2, words.top) : Math.min(3, words.top),
    directionNone: voted === 0 && !isSigned ? 1 : 0,
    directionGap: (Math.max(buy, sell) - Math.min(buy, sell)) / Math.max(0.5, buy + sell),
    dateScore: days.trade ? Math.max(-2, Math.min(4, days.tradeScore)) : -2,
    dateGap: days.trade ? Math.max(0, Math.min(3, days.tradeScore - days.runnerUp)) : 0,
    isin: security.isin ? (security.isin.score >= 2 ? 1 : 0.5) : 0,
    code: codeStrength(security),
    dayNone: days.trade ? 0 : 1,
    // Shares times an amount that nobody calls a price, among words of dividends, is a dividend.
    payout:
      !reinvested && assignment.product > 0 && (price?.evidence.price ?? 0) < 0.4
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
    tradeDate: days.trade?.evidence.tradeDate ?? 0,
    time: days.trade?.time ? 1 : 0,
    signed: quantity && (quantity.token.isNegative || quantity.token.isPositive) ? 1 : 0,
    cancelled: cancelWord(document.lines.slice(candidate.from, candidate.to)).weight,
  };
}

/** In a table the sign of the shares or of the money tells the direction where no word does. */
function isSignedRow({ quantity, gross }: Assignment): boolean {
  if (!quantity || !gross) return false;
  const isMarked = quantity.token.isNegative || quantity.token.isPositive;
  if (isMarked && (quantity.decimals >= 3 || (quantity.evidence.quantity ?? 0) > 0.5)) return true;
  return gross.line === quantity.line && gross.token.isNegative;
}

/** How sure it is that a security is named at all: an ISIN with a wrong check digit or a bare word in capitals may be chance. */
function codeStrength({ isin, wkn, valor, sedol, cusip, ticker }: SecurityFound): number {
  if ((isin && isin.score >= 1) || wkn || valor || sedol || cusip) return 1;
  return Math.max(isin ? 0.5 : 0, ticker ? (ticker.score >= 0.5 ? 1 : 0.4) : 0);
}

/**
 * A row that tells no direction is a holding, unless the whole document speaks of one side only. A paper
 * about costs or open orders says so in its title, and no heading says bought or sold.
 */
export function isVetoed(document: Document, candidate: Candidate): boolean {
  if (candidate.fact && candidate.features["directionNone"] === 1) {
    const isUndecided = Math.abs(candidate.buy - candidate.sell) < 1.5;
    return isUndecided && !isOneSided(document.words);
  }
  const { information, trade } = document.kinds;
  if (candidate.fact || candidate.words.top >= TITLE) return false;
  // "Order received" may be the label of a day on a note that is headed by a sentence.
  const { product, sum } = candidate.assignment;
  const isTold = candidate.words.top >= TOLD && (candidate.features["tradeDate"] ?? 0) >= 0.6;
  if (isTold && Math.max(product, sum) > 0) return false;
  const isTitled = information.score >= TITLE && information.score > trade.score;
  return isTitled && information.line <= candidate.assignment.quantity!.line;
}

function isOneSided({ buy, sell, top }: DirectionVote): boolean {
  return top >= TITLE && Math.min(buy, sell) === 0;
}

function isReinvested(lines: readonly DocLine[]): boolean {
  return lines.some((line) => line.directions.some((match) => reinvestPhrases.has(match.phrase)));
}

/** Under a heading of trades stand trades; under one of dividends or holdings only where the row says so. */
function sectionVote(kind: KindWord | null, isSpoken: boolean): number {
  if (kind === null || kind === "account-statement") return 0;
  if (kind === "trade") return 1;
  return isSpoken ? 0 : -1;
}

/** How strong the next best claims are: other labelled nets and quantities, other securities, spaced print. */
function rivalsOf(
  document: Document,
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
    const noise = amount.evidence.noise ?? 0;
    // Taxes and fees that stand on the page but not in the sum may have been booked apart.
    if (
      amount.decimals === 2 &&
      noise < 0.5 &&
      !used.has(amount.value) &&
      !amount.token.isPercent
    ) {
      if ((amount.evidence.tax ?? 0) > 0.6) unusedTax = 1;
      if ((amount.evidence.fee ?? 0) > 0.6) unusedFee = 1;
    }
    if (amount.decimals === 2 && amount.value !== net?.value && amount.value !== gross?.value) {
      rivalNet = Math.max(rivalNet, Math.min(1.15, netEvidence(amount)) - noise);
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

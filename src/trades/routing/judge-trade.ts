/**
 * Decides whether a trade may be booked without a person. Lists every rule that the trade breaks, so that the
 * reviewer sees all of them at once.
 */
import { isCusip, isIsin, isSedol } from "../../extract/text/identifiers.ts";
import { sharesValueOf, type TradeFacts } from "../trade.ts";

export type Verdict =
  | { readonly kind: "confirm"; readonly needsAudit: boolean; readonly reasons: readonly string[] }
  | { readonly kind: "review"; readonly reasons: readonly string[] };

export const CONFIRM_FROM = 0.8;
export const AUDIT_FROM = 0.5;
export const USER_FROM = 0.8;

/** Proceeds may differ from quantity × price by charges and rounding, in units of the account's currency. */
const PROCEEDS_SHARE = 0.05;
const PROCEEDS_SLACK = 10;

export interface TradeToJudge {
  readonly facts: TradeFacts;
  /** 0 to 1: how sure the extractor is. */
  readonly confidence: number;
  /** What the extractor is unsure of. */
  readonly doubts: readonly string[];
  /** 0 to 1: how sure we are whose trade it is. */
  readonly userScore: number;
  readonly userReason: string;
  /** Why the sender is not trusted; empty if they are. */
  readonly senderDoubts: readonly string[];
  /** YYYY-MM-DD; a trade cannot be later. */
  readonly today: string;
}

export function judgeTrade(trade: TradeToJudge): Verdict {
  const reasons = [
    ...trade.senderDoubts,
    ...objectionsTo(trade.facts, trade.today),
    ...proceedsDoubt(trade.facts),
    ...fxDoubt(trade.facts),
    ...percentDoubt(trade.facts),
    ...accountDoubt(trade),
    ...trade.doubts,
  ];
  if (trade.confidence < AUDIT_FROM) {
    reasons.push(`confidence ${cut(trade.confidence)} is below ${AUDIT_FROM}`);
  }
  if (reasons.length > 0) return { kind: "review", reasons };
  const sure = `confidence ${cut(trade.confidence)}`;
  return trade.confidence >= CONFIRM_FROM
    ? { kind: "confirm", needsAudit: false, reasons: [sure] }
    : { kind: "confirm", needsAudit: true, reasons: [`${sure}: confirmed, marked for audit`] };
}

/** With two decimals, cut and not rounded: 0.798 must not read "0.80 is below 0.8". */
const cut = (share: number): string => (Math.floor(share * 100 + 1e-9) / 100).toFixed(2);

/** Missing or impossible facts. A reviewer cannot overrule these. */
export function objectionsTo(facts: TradeFacts, today: string): string[] {
  return [...missingFacts(facts), ...wrongFacts(facts, today)];
}

function missingFacts(facts: TradeFacts): string[] {
  const missing: string[] = [];
  if (facts.direction === null) missing.push("direction");
  if (facts.quantity === null) missing.push("quantity");
  if (facts.tradeDate === null) missing.push("trade date");
  if (!hasSecurity(facts)) missing.push("security");
  return missing.map((name) => `missing: ${name}`);
}

function hasSecurity(facts: TradeFacts): boolean {
  return [facts.isin, facts.sedol, facts.cusip, facts.wkn, facts.valor, facts.ticker].some(
    (id) => id !== null,
  );
}

function wrongFacts(facts: TradeFacts, today: string): string[] {
  const wrong: string[] = [];
  if (facts.isin !== null && !isIsin(facts.isin)) wrong.push(`not an ISIN: ${facts.isin}`);
  if (facts.sedol !== null && !isSedol(facts.sedol)) wrong.push(`not a SEDOL: ${facts.sedol}`);
  if (facts.cusip !== null && !isCusip(facts.cusip)) wrong.push(`not a CUSIP: ${facts.cusip}`);
  if (facts.quantity !== null && !(facts.quantity > 0)) wrong.push("quantity is not positive");
  if (facts.price !== null && !(facts.price > 0)) wrong.push("price is not positive");
  if (isLater(facts.tradeDate, today)) {
    wrong.push(`trade date ${facts.tradeDate} is in the future`);
  }
  if (isLater(facts.tradeDate, facts.settlementDate)) {
    wrong.push("the settlement date is before the trade date");
  }
  return wrong;
}

/** Compares only dates that the document gives. */
const isLater = (date: string | null, other: string | null): boolean =>
  (date ?? "") > (other ?? "9999-12-31");

/** The amount paid must equal the cost of the shares plus charges. Compared only within one currency. */
function proceedsDoubt(facts: TradeFacts): string[] {
  const value = sharesValueOf(facts);
  const paid = paidInPriceCurrency(facts);
  if (value === null || paid === null) return [];
  const slack = PROCEEDS_SHARE * value + PROCEEDS_SLACK;
  if (Math.abs(paid - value) <= slack) return [];
  return [`proceeds ${paid.toFixed(2)} do not fit quantity × price = ${value.toFixed(2)}`];
}

function paidInPriceCurrency(facts: TradeFacts): number | null {
  if (facts.forexGross !== null) return facts.forexGross;
  const isOneCurrency = facts.priceCurrency === null || facts.priceCurrency === facts.currency;
  return isOneCurrency ? (facts.net ?? facts.gross) : null;
}

/** We never assume an exchange rate: a trade in two currencies must state it. */
function fxDoubt(facts: TradeFacts): string[] {
  const { priceCurrency, currency } = facts;
  if (priceCurrency === null || currency === null || priceCurrency === currency) return [];
  if (facts.fxRate !== null || facts.forexGross !== null) return [];
  return [`no rate between ${priceCurrency} and ${currency} in the document`];
}

/** No bond costs more than this: the price is in pence, or misread. */
const PERCENT_MAX = 250;

function percentDoubt(facts: TradeFacts): string[] {
  if (!facts.isPercentQuoted || (facts.price ?? 0) <= PERCENT_MAX) return [];
  return [`a price of ${facts.price} per cent`];
}

function accountDoubt(trade: TradeToJudge): string[] {
  const doubts: string[] = [];
  const { accountType } = trade.facts;
  if (accountType !== null && accountType !== "individual") {
    doubts.push(`the account is not a person's: ${accountType}`);
  }
  if (trade.userScore < USER_FROM) {
    doubts.push(`whose trade it is: ${trade.userReason} (score ${cut(trade.userScore)})`);
  }
  return doubts;
}

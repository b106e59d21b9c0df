/**
 * Decides what becomes of one trade line and records the reasons: a new trade, one more document of a known
 * trade, a correction, or a question for a person.
 */

import assert from "node:assert/strict";
import type { TradeDocument } from "../../ingestion/document-table.ts";
import { uuidFor } from "../../lib/hash.ts";
import type { Transaction } from "../../store/database.ts";
import { POSTROOM, recordDecision } from "../decision-table.ts";
import type { DocumentKind, ReadTradeLine } from "../document-content.ts";
import { linkDocument } from "../document-link-table.ts";
import { canonicalCode, identityOf, referenceKeyOf } from "../fingerprint.ts";
import type { Trader } from "../order.ts";
import type { Question } from "../question.ts";
import { normalizeAddress } from "../senders/sender.ts";
import { isOwnUpload, type SenderTrust, type SentDocument } from "../senders/trust-sender.ts";
import type { TradeFacts } from "../trade.ts";
import { insertTradeLine, type TradeLineOutcome, tradeLineIdOf } from "../trade-line-table.ts";
import { findByPlainReference, findKnownTrades, getTrade } from "../trade-table.ts";
import { bookTrade } from "./book-trade.ts";
import { judgeTrade, type Verdict } from "./judge-trade.ts";
import { matchTrader, type TraderMatch } from "./match-trader.ts";
import { compareSecurity, type Placement, placeTradeLine } from "./place-trade-line.ts";

export interface RoutedTradeLine {
  readonly lineId: string;
  readonly outcome: TradeLineOutcome;
  readonly tradeId: string | null;
  readonly questions: readonly Question[];
}

export interface RoutingContext {
  readonly document: SentDocument & Pick<TradeDocument, "id">;
  readonly kind: DocumentKind;
  readonly textHash: string;
  readonly firmDomains: readonly string[];
  readonly people: readonly Trader[];
  readonly trust: SenderTrust;
  /** YYYY-MM-DD */
  readonly today: string;
  /** Codes in the document, reduced to letters and digits; empty if it reports several trades. */
  readonly mentions: readonly string[];
  /** Trades that earlier lines of this document were matched with. */
  readonly taken: Set<string>;
}

export async function routeTradeLine(
  tx: Transaction,
  context: RoutingContext,
  line: ReadTradeLine,
  position: number,
): Promise<RoutedTradeLine> {
  const trader = traderOf(context, line.facts);
  const verdict = judgeTrade({
    ...line,
    userScore: trader.score,
    userReason: trader.reason,
    senderDoubts: context.trust.missing,
    today: context.today,
  });
  const facts = await withReferral(tx, context.mentions, line.facts);
  const placement = await findPlace(tx, context, facts);
  const objections = await objectionsToChange(tx, context.document, facts, placement);
  const isSure = line.isSure ?? true;
  const plan = planOf(placement, verdict, { objections, isSure, trust: context.trust });
  const store = (
    outcome: TradeLineOutcome,
    tradeId: string | null,
    explanation: readonly string[],
  ) =>
    insertTradeLine(tx, {
      documentId: context.document.id,
      position,
      facts,
      confidence: line.confidence,
      outcome,
      tradeId,
      explanation,
      evidence: line.evidence ?? {},
    });

  if (plan.kind === "ask")
    return ask(tx, context, plan.reasons, () => store("review", null, plan.reasons));
  if (plan.kind === "same") {
    const lineId = await store("same", plan.tradeId, plan.reasons);
    return joinTrade(tx, context, { lineId, tradeId: plan.tradeId, reasons: plan.reasons });
  }
  const outcome = plan.corrects === null ? "confirmed" : "amends";
  const lineId = tradeLineIdOf(context.document.id, position);
  const tradeId = uuidFor("trade", lineId);
  await store(outcome, null, plan.reasons);
  const questions = await bookTrade(tx, {
    id: tradeId,
    lineId,
    documentId: context.document.id,
    senderEmail: context.document.senderEmail,
    username: trader.username,
    facts,
    confidence: line.confidence,
    actor: POSTROOM,
    needsAudit: plan.needsAudit,
    corrects: plan.corrects,
    explanation: [...plan.reasons, trader.reason],
  });
  context.taken.add(tradeId);
  return { lineId, outcome, tradeId, questions };
}

/** The line reports a trade that another document reported before. */
async function joinTrade(
  tx: Transaction,
  context: RoutingContext,
  line: { lineId: string; tradeId: string; reasons: readonly string[] },
): Promise<RoutedTradeLine> {
  const { lineId, tradeId, reasons: explanation } = line;
  const documentId = context.document.id;
  context.taken.add(tradeId);
  await linkDocument(tx, tradeId, documentId);
  const decision = { kind: "same", actor: POSTROOM, lineId, tradeId } as const;
  await recordDecision(tx, { ...decision, documentId, explanation });
  return { lineId, outcome: "same", tradeId, questions: [] };
}

export function traderOf(
  context: {
    readonly document: SentDocument;
    readonly firmDomains: readonly string[];
    readonly people: readonly Trader[];
    readonly trust: SenderTrust;
  },
  facts: TradeFacts,
): TraderMatch {
  return matchTrader({
    senderEmail: context.document.senderEmail,
    isAuthenticated: context.trust.mayNameTrader,
    isOwnUpload: isOwnUpload(context.document),
    firmDomains: context.firmDomains,
    holder: facts.holder,
    account: facts.account,
    traders: context.people,
  });
}

/** Only the sender who reported a trade may change it, and only in the same account. */
async function objectionsToChange(
  tx: Transaction,
  document: SentDocument,
  facts: TradeFacts,
  placement: Placement | null,
): Promise<string[]> {
  if (placement?.kind !== "amends" && placement?.kind !== "cancels") return [];
  const trade = (await getTrade(tx, placement.tradeId))!;
  const objections: string[] = [];
  if (normalizeAddress(trade.senderEmail) !== normalizeAddress(document.senderEmail)) {
    objections.push(`${document.senderEmail} changes a trade that ${trade.senderEmail} reported`);
  }
  const [booked, printed] = [trade.facts.account, facts.account];
  if (booked === null || printed === null || canonicalCode(booked) !== canonicalCode(printed)) {
    objections.push(
      `the trade that it changes is in account ${booked ?? "unknown"}, not ${printed ?? "unknown"}`,
    );
  }
  return objections;
}

/**
 * A correction prints the reference of the trade that it corrects. If the document contains the reference of
 * exactly one known trade of the same security and direction, that trade is meant.
 */
async function withReferral(
  tx: Transaction,
  mentions: readonly string[],
  facts: TradeFacts,
): Promise<TradeFacts> {
  if (facts.refersTo !== null) return facts;
  const own = facts.reference === null ? "" : canonicalCode(facts.reference);
  const others = mentions.filter((code) => code !== own);
  const mentioned = (await findByPlainReference(tx, others)).filter(
    (trade) =>
      trade.facts.direction === facts.direction && compareSecurity(trade.facts, facts) === "same",
  );
  if (mentioned.length !== 1) return facts;
  const refersTo = mentioned[0]!.facts.reference;
  return { ...facts, refersTo, isAmendment: !facts.isCancelled };
}

/** Null if facts that identify the trade are missing. */
export async function findPlace(
  tx: Transaction,
  context: Pick<RoutingContext, "kind" | "textHash" | "taken">,
  facts: TradeFacts,
): Promise<Placement | null> {
  const identity = identityOf(facts);
  if (identity === null) return null;
  const refersToKey = referenceKeyOf(facts.refersTo);
  const referenceKeys = [identity.referenceKey, refersToKey];
  const known = await findKnownTrades(tx, { referenceKeys, facts });
  const { kind, textHash, taken } = context;
  return placeTradeLine({ facts, identity, refersToKey, kind, textHash }, known, taken);
}

type Plan =
  | { readonly kind: "ask"; readonly reasons: readonly string[] }
  | { readonly kind: "same"; readonly tradeId: string; readonly reasons: readonly string[] }
  | {
      readonly kind: "book";
      readonly corrects: string | null;
      readonly needsAudit: boolean;
      readonly reasons: readonly string[];
    };

/**
 * A repeat needs no judgement, because its trade is booked; but what may be forged does not become a document of that
 * trade. A cancellation always needs a person, however clear it is.
 */
function planOf(
  placement: Placement | null,
  verdict: Verdict,
  {
    objections,
    isSure,
    trust,
  }: { objections: readonly string[]; isSure: boolean; trust: SenderTrust },
): Plan {
  if (placement?.kind === "same") {
    const { tradeId, why } = placement;
    return trust.isAuthenticated
      ? { kind: "same", tradeId, reasons: [why] }
      : { kind: "ask", reasons: [`${why} (${tradeId})`, ...trust.missing] };
  }
  const doubts = [...objections, ...(verdict.kind === "review" ? verdict.reasons : [])];
  if (placement?.kind === "cancels") {
    return { kind: "ask", reasons: [`${placement.why}: ${placement.tradeId}`, ...doubts] };
  }
  if (placement?.kind === "ask") return { kind: "ask", reasons: [placement.why, ...doubts] };
  if (verdict.kind === "review" || objections.length > 0) return { kind: "ask", reasons: doubts };
  assert(placement !== null, "a trade without the facts that identify it is reviewed");
  return {
    kind: "book",
    corrects: placement.kind === "amends" ? placement.tradeId : null,
    needsAudit: verdict.needsAudit || !isSure,
    reasons: [...verdict.reasons, placement.why],
  };
}

async function ask(
  tx: Transaction,
  context: RoutingContext,
  reasons: readonly string[],
  store: () => Promise<string>,
): Promise<RoutedTradeLine> {
  const lineId = await store();
  const documentId = context.document.id;
  await recordDecision(tx, {
    kind: "ask",
    actor: POSTROOM,
    lineId,
    documentId,
    explanation: reasons,
  });
  const question: Question = { subject: "line", lineId, documentId, tradeId: null, reasons };
  return { lineId, outcome: "review", tradeId: null, questions: [question] };
}

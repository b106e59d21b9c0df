/**
 * What becomes of one line of a document, written down with its reasons: a new trade, one more document of
 * a known trade, a correction of one, or a question to a person.
 */

import type { TradeDocument } from "../ingestion/document-table.ts";
import { uuidFor } from "../lib/hash.ts";
import type { Transaction } from "../store/database.ts";
import { bookTrade } from "./book-trade.ts";
import { recordDecision } from "./decision-table.ts";
import { canonicalCode, identityOf, referenceKeyOf } from "./fingerprint.ts";
import { judgeTrade, type Verdict } from "./judge-trade.ts";
import { insertLine, type LineOutcome, lineIdOf } from "./line-table.ts";
import { matchUser, type Person, type UserMatch } from "./match-user.ts";
import { compareSecurity, type DocumentKind, type Placement, placeLine } from "./place-line.ts";
import type { TradeFacts } from "./trade.ts";
import { findByPlainReference, findKnownTrades, linkDocument } from "./trade-table.ts";

/** A line as the reading gives it. */
export interface ReadLine {
  readonly facts: TradeFacts;
  /** 0 to 1. */
  readonly confidence: number;
  /** What the reading itself is unsure of. */
  readonly doubts: readonly string[];
  /** False marks a trade that is confirmed for audit. True when absent. */
  readonly isSure?: boolean;
  /** Where each fact stands in the document. */
  readonly evidence?: object;
}

/** What a person must be asked. The flow puts it into the review queue. */
export interface Question {
  readonly subject: "line" | "document" | "order";
  readonly lineId: string | null;
  readonly documentId: string | null;
  readonly tradeId: string | null;
  readonly reasons: readonly string[];
}

export interface RoutedLine {
  readonly lineId: string;
  readonly outcome: LineOutcome;
  readonly tradeId: string | null;
  readonly questions: readonly Question[];
}

export interface RoutingContext {
  readonly document: Pick<TradeDocument, "id" | "senderEmail">;
  readonly kind: DocumentKind;
  readonly textHash: string;
  readonly firmDomains: readonly string[];
  readonly people: readonly Person[];
  /** YYYY-MM-DD */
  readonly today: string;
  /** Codes in the document, as letters and digits alone; those of one trade only. */
  readonly mentions: readonly string[];
  /** Trades that earlier lines of this document stand for. */
  readonly taken: Set<string>;
}

export const POSTROOM = "postroom";

export async function routeLine(
  tx: Transaction,
  context: RoutingContext,
  line: ReadLine,
  position: number,
): Promise<RoutedLine> {
  const user = userOf(context, line.facts);
  const verdict = judgeTrade({
    ...line,
    userScore: user.score,
    userReason: user.reason,
    today: context.today,
  });
  const facts = await withReferral(tx, context.mentions, line.facts);
  const placement = await findPlace(tx, context, facts);
  const plan = planOf(placement, verdict, line.isSure ?? true);
  const store = (outcome: LineOutcome, tradeId: string | null, explanation: readonly string[]) =>
    insertLine(tx, {
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
    context.taken.add(plan.tradeId);
    const lineId = await store("same", plan.tradeId, plan.reasons);
    await linkDocument(tx, plan.tradeId, context.document.id);
    await recordDecision(tx, {
      kind: "same",
      actor: POSTROOM,
      lineId,
      tradeId: plan.tradeId,
      documentId: context.document.id,
      explanation: plan.reasons,
    });
    return { lineId, outcome: "same", tradeId: plan.tradeId, questions: [] };
  }
  const outcome = plan.corrects === null ? "confirmed" : "amends";
  const lineId = lineIdOf(context.document.id, position);
  const tradeId = uuidFor("trade", lineId);
  await store(outcome, null, plan.reasons);
  const questions = await bookTrade(tx, {
    id: tradeId,
    lineId,
    documentId: context.document.id,
    senderEmail: context.document.senderEmail,
    username: user.username,
    facts,
    confidence: line.confidence,
    actor: POSTROOM,
    needsAudit: plan.needsAudit,
    corrects: plan.corrects,
    explanation: [...plan.reasons, user.reason],
  });
  context.taken.add(tradeId);
  return { lineId, outcome, tradeId, questions };
}

export function userOf(
  context: Pick<RoutingContext, "document" | "firmDomains" | "people">,
  facts: TradeFacts,
): UserMatch {
  return matchUser({
    senderEmail: context.document.senderEmail,
    firmDomains: context.firmDomains,
    holder: facts.holder,
    people: context.people,
  });
}

/**
 * A correction prints the reference of what it corrects. Exactly one known trade of the same security and
 * direction whose reference stands in the document is that one.
 */
async function withReferral(
  tx: Transaction,
  mentions: readonly string[],
  facts: TradeFacts,
): Promise<TradeFacts> {
  if (facts.refersTo !== null || mentions.length === 0) return facts;
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

/** Null when the facts do not suffice to know the trade again. */
export async function findPlace(
  tx: Transaction,
  context: Pick<RoutingContext, "kind" | "textHash" | "taken">,
  facts: TradeFacts,
): Promise<Placement | null> {
  const identity = identityOf(facts);
  if (identity === null) return null;
  const refersToKey = referenceKeyOf(facts.refersTo);
  const referenceKeys = [identity.referenceKey, refersToKey].filter((key) => key !== null);
  const known = await findKnownTrades(tx, { referenceKeys, facts });
  const { kind, textHash, taken } = context;
  return placeLine({ facts, identity, refersToKey, kind, textHash }, known, taken);
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
 * A repetition needs no judgement: everything it says is booked. A cancellation is never carried out
 * without a person, however clear it is.
 */
function planOf(placement: Placement | null, verdict: Verdict, isSure: boolean): Plan {
  if (placement?.kind === "same") {
    return { kind: "same", tradeId: placement.tradeId, reasons: [placement.why] };
  }
  if (placement?.kind === "cancels") {
    return { kind: "ask", reasons: [`${placement.why} (${placement.tradeId})`] };
  }
  const doubts = verdict.kind === "review" ? verdict.reasons : [];
  if (placement?.kind === "ask") return { kind: "ask", reasons: [placement.why, ...doubts] };
  if (verdict.kind === "review") return { kind: "ask", reasons: verdict.reasons };
  if (placement === null) return { kind: "ask", reasons: ["the trade cannot be told from others"] };
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
): Promise<RoutedLine> {
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

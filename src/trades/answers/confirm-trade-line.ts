/** Answers a question about a trade line. The reviewer overrules every doubt, but not missing or impossible facts. */
import assert from "node:assert/strict";
import { getDocument, type TradeDocument } from "../../ingestion/document-table.ts";
import { uuidFor } from "../../lib/hash.ts";
import type { Transaction } from "../../store/database.ts";
import { recordDecision } from "../decision-table.ts";
import { kindOfDocument } from "../document-content.ts";
import { linkDocument } from "../document-link-table.ts";
import type { AnswerResult, Reviewer } from "../question.ts";
import { bookTrade } from "../routing/book-trade.ts";
import { cancelTrade } from "../routing/cancel-trade.ts";
import { findTrader } from "../routing/find-trader.ts";
import { objectionsTo } from "../routing/judge-trade.ts";
import { findPlace } from "../routing/route-trade-line.ts";
import { NO_FACTS, type TradeFacts } from "../trade.ts";
import {
  getTradeLine,
  insertTradeLine,
  nextPosition,
  type TradeLine,
  updateTradeLine,
} from "../trade-line-table.ts";
import { findTradeNamed, getTrade, lockBooking, type Trade } from "../trade-table.ts";

/** Books the trade line as a trade of its own, or cancels the trade that it cancels. */
export async function confirmTradeLine(
  tx: Transaction,
  reviewer: Reviewer,
  lineId: string,
  changes: Partial<TradeFacts> = {},
): Promise<AnswerResult> {
  await lockBooking(tx);
  const { line, document } = await loadTradeLine(tx, lineId);
  const facts = { ...line.facts, ...changes };
  if (facts.isCancelled) return cancelNamedTrade(tx, reviewer, { line, document, facts });
  const objections = objectionsTo(facts, reviewer.today);
  if (objections.length > 0) return { kind: "refused", why: objections.join("; ") };
  const trader = await findTrader(tx, reviewer, document, facts);
  const place = await findPlace(tx, contextOf(document), facts);
  const changed = Object.keys(changes);
  const how = changed.length === 0 ? "as it was read" : `with ${changed.join(", ")} corrected`;
  const questions = await bookTrade(tx, {
    id: await freeTradeId(tx, lineId),
    lineId,
    documentId: document.id,
    senderEmail: document.senderEmail,
    username: trader.username,
    facts,
    confidence: line.confidence,
    actor: reviewer.actor,
    needsAudit: false,
    corrects: place?.kind === "amends" ? place.tradeId : null,
    ...(changed.length === 0 ? {} : { asRead: line.facts }),
    explanation: [`confirmed by ${reviewer.actor} ${how}`],
  });
  return { kind: "done", questions };
}

/** A trade line can be confirmed, undone and confirmed again; each time it becomes another trade. */
async function freeTradeId(tx: Transaction, lineId: string): Promise<string> {
  for (let n = 0; ; n += 1) {
    const id = uuidFor("trade", n === 0 ? lineId : `${lineId}#${n}`);
    if ((await getTrade(tx, id)) === null) return id;
  }
}

async function cancelNamedTrade(
  tx: Transaction,
  reviewer: Reviewer,
  { line, document, facts }: { line: TradeLine; document: TradeDocument; facts: TradeFacts },
): Promise<AnswerResult> {
  const place = await findPlace(tx, contextOf(document), facts);
  if (place?.kind !== "cancels") {
    return {
      kind: "refused",
      why: place?.kind === "ask" ? place.why : "the trade that it cancels is not known",
    };
  }
  const why = `${reviewer.actor} confirmed: ${place.why}`;
  return cancelBy(
    tx,
    reviewer,
    { lineId: line.id, documentId: document.id, facts },
    place.tradeId,
    why,
  );
}

async function cancelLinkedTrade(
  tx: Transaction,
  reviewer: Reviewer,
  { line, document, trade }: { line: TradeLine; document: TradeDocument; trade: Trade },
): Promise<AnswerResult> {
  const why = `${reviewer.actor} said that it cancels ${trade.tradeKey}`;
  const source = { lineId: line.id, documentId: document.id, facts: line.facts };
  return cancelBy(tx, reviewer, source, trade.id, why);
}

async function cancelBy(
  tx: Transaction,
  reviewer: Reviewer,
  { lineId, documentId, facts }: { lineId: string; documentId: string; facts: TradeFacts },
  tradeId: string,
  why: string,
): Promise<AnswerResult> {
  const { status, tradeKey } = (await getTrade(tx, tradeId))!;
  if (status !== "confirmed") return { kind: "refused", why: `${tradeKey} is already ${status}` };
  await cancelTrade(tx, { tradeId, lineId, documentId, actor: reviewer.actor, why });
  await linkDocument(tx, tradeId, documentId);
  await updateTradeLine(tx, lineId, { outcome: "cancels", tradeId, explanation: [why], facts });
  return { kind: "done", questions: [] };
}

/** Links the trade line to a trade that is already booked; a cancellation cancels it. */
export async function linkTradeLine(
  tx: Transaction,
  reviewer: Reviewer,
  lineId: string,
  tradeName: string,
): Promise<AnswerResult> {
  await lockBooking(tx);
  const { line, document } = await loadTradeLine(tx, lineId);
  const found = await findTradeNamed(tx, tradeName);
  if (found.kind === "refused") return found;
  const { trade } = found;
  if (line.facts.isCancelled) return cancelLinkedTrade(tx, reviewer, { line, document, trade });
  const explanation = [`${reviewer.actor} linked it to ${trade.tradeKey}`];
  await linkDocument(tx, trade.id, document.id);
  await updateTradeLine(tx, line.id, { outcome: "same", tradeId: trade.id, explanation });
  await recordDecision(tx, {
    kind: "same",
    actor: reviewer.actor,
    lineId: line.id,
    tradeId: trade.id,
    documentId: document.id,
    explanation,
  });
  return { kind: "done", questions: [] };
}

export async function rejectTradeLine(
  tx: Transaction,
  reviewer: Reviewer,
  lineId: string,
  reason: string,
): Promise<AnswerResult> {
  const { line, document } = await loadTradeLine(tx, lineId);
  const explanation = [`${reviewer.actor} rejected it: ${reason}`];
  await updateTradeLine(tx, line.id, { outcome: "rejected", tradeId: null, explanation });
  await recordDecision(tx, {
    kind: "reject",
    actor: reviewer.actor,
    lineId: line.id,
    documentId: document.id,
    explanation,
  });
  return { kind: "done", questions: [] };
}

/** Adds trade lines that a person entered. Returns their ids. */
export async function addTradeLines(
  tx: Transaction,
  documentId: string,
  lines: readonly Partial<TradeFacts>[],
): Promise<string[]> {
  const first = await nextPosition(tx, documentId);
  const ids: string[] = [];
  for (const [index, facts] of lines.entries()) {
    ids.push(
      await insertTradeLine(tx, {
        documentId,
        position: first + index,
        facts: { ...NO_FACTS, ...facts },
        confidence: 1,
        outcome: "review",
        tradeId: null,
        explanation: ["entered by a person"],
        evidence: {},
      }),
    );
  }
  return ids;
}

async function loadTradeLine(
  tx: Transaction,
  lineId: string,
): Promise<{ line: TradeLine; document: TradeDocument }> {
  const line = await getTradeLine(tx, lineId);
  assert(line !== null, `line ${lineId} is gone`);
  const document = await getDocument(tx, line.documentId);
  assert(document !== null, `document ${line.documentId} is gone`);
  return { line, document };
}

const contextOf = (document: TradeDocument) => ({
  kind: kindOfDocument(document.documentType),
  textHash: document.textSha256 ?? "",
  taken: new Set<string>(),
});

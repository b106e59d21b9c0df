/**
 * Takes a decision back, by another decision. What the first one had made is withdrawn, never deleted, and
 * the question that it had answered is open again.
 */
import assert from "node:assert/strict";
import { endDocument } from "../ingestion/document-table.ts";
import type { Transaction } from "../store/database.ts";
import { confirmLine, type Person } from "./confirm-line.ts";
import { type Decision, holdDecision, markUndone, recordDecision } from "./decision-table.ts";
import { updateLine } from "./line-table.ts";
import { linkTradeToOrder, releaseOrder } from "./link-order.ts";
import { lockRouting } from "./route-document.ts";
import type { Question } from "./route-line.ts";
import { getTrade, setTradeOrder, setTradeStatus, type Trade } from "./trade-table.ts";

export type UndoAnswer =
  | {
      readonly kind: "undone";
      readonly decisionId: number;
      readonly questions: readonly Question[];
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "objection"; readonly why: string };

export async function undoDecision(
  tx: Transaction,
  person: Person,
  undo: { decisionId: number; reason: string },
): Promise<UndoAnswer> {
  await lockRouting(tx);
  const decision = await holdDecision(tx, undo.decisionId);
  if (decision === null) return { kind: "unknown" };
  if (decision.undoneBy !== null) return { kind: "objection", why: "it was taken back before" };
  const why = `taken back by ${person.actor}: ${undo.reason}`;
  const answer = await takeBack(tx, person, decision, why);
  if (typeof answer === "string") return { kind: "objection", why: answer };
  const decisionId = await recordDecision(tx, {
    kind: "undo",
    actor: person.actor,
    lineId: decision.lineId,
    tradeId: decision.tradeId,
    documentId: decision.documentId,
    orderId: decision.orderId,
    explanation: [why],
    undoes: decision.id,
  });
  await markUndone(tx, decision.id, decisionId);
  return { kind: "undone", decisionId, questions: answer };
}

/** The questions that are open again, or why it cannot be taken back. */
async function takeBack(
  tx: Transaction,
  person: Person,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  switch (decision.kind) {
    case "confirm":
    case "amend":
      return withdraw(tx, decision, why);
    case "cancel":
      return restore(tx, decision, why);
    case "same":
      return separate(tx, person, decision);
    case "link":
      return unlink(tx, decision, why);
    case "reject":
      return reopenLine(tx, decision, why);
    case "not-a-note":
      await endDocument(tx, decision.documentId!, { status: "unreadable", reason: why });
      return [questionAbout("document", decision, why)];
    case "ask":
    case "unlink":
    case "undo":
      return `a decision of kind ${decision.kind} cannot be taken back`;
  }
}

async function withdraw(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  const trade = await loadTrade(tx, decision);
  if (trade.status !== "confirmed") return `the trade is ${trade.status} by now`;
  await releaseOrder(tx, trade.id);
  await setTradeStatus(tx, trade.id, "withdrawn");
  const questions =
    trade.correctsId === null ? [] : await reinstate(tx, trade.correctsId, decision);
  return [...questions, ...(await reopenLine(tx, decision, why))];
}

/** The trade that had been replaced stands again and needs its order again. */
async function reinstate(
  tx: Transaction,
  tradeId: string,
  decision: Decision,
): Promise<Question[]> {
  await setTradeStatus(tx, tradeId, "confirmed");
  const { facts, username } = (await getTrade(tx, tradeId))!;
  const documentId = decision.documentId!;
  return linkTradeToOrder(tx, { id: tradeId, documentId, username, facts, corrects: null });
}

async function restore(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  const trade = await loadTrade(tx, decision);
  if (trade.status !== "cancelled") return `the trade is ${trade.status} by now`;
  const questions = await reinstate(tx, trade.id, decision);
  return [...questions, ...(await reopenLine(tx, decision, why))];
}

/** It was no repetition after all: the line becomes a trade of its own. */
async function separate(
  tx: Transaction,
  person: Person,
  decision: Decision,
): Promise<Question[] | string> {
  await tx.query(
    `DELETE FROM postroom.trade_document_link l
      WHERE l.trade_id = $1 AND l.document_id = $2 AND NOT l.is_primary
        AND NOT EXISTS (SELECT FROM postroom.trade_line o
                         WHERE o.trade_id = $1 AND o.document_id = $2 AND o.id <> $3)`,
    [decision.tradeId, decision.documentId, decision.lineId],
  );
  const answer = await confirmLine(tx, person, decision.lineId!);
  return answer.kind === "done" ? [...answer.questions] : answer.why;
}

async function unlink(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  const trade = await loadTrade(tx, decision);
  if (trade.orderId !== decision.orderId) return "the trade has another order by now";
  await releaseOrder(tx, trade.id);
  await setTradeOrder(tx, trade.id, { orderId: null, orderState: "in-review" });
  return [questionAbout("order", decision, why)];
}

async function reopenLine(tx: Transaction, decision: Decision, why: string): Promise<Question[]> {
  await updateLine(tx, decision.lineId!, { outcome: "review", tradeId: null, explanation: [why] });
  return [questionAbout("line", decision, why)];
}

function questionAbout(subject: Question["subject"], decision: Decision, why: string): Question {
  return {
    subject,
    lineId: subject === "line" ? decision.lineId : null,
    documentId: decision.documentId,
    tradeId: subject === "order" ? decision.tradeId : null,
    reasons: [why],
  };
}

async function loadTrade(tx: Transaction, decision: Decision): Promise<Trade> {
  const trade = await getTrade(tx, decision.tradeId!);
  assert(trade !== null, `trade ${decision.tradeId} is gone`);
  return trade;
}

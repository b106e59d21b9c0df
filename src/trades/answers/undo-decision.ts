/**
 * Undoes a decision with another decision. What the first one created is withdrawn, never deleted, and its
 * question is reopened.
 */
import assert from "node:assert/strict";
import { endDocument } from "../../ingestion/document-table.ts";
import type { Transaction } from "../../store/database.ts";
import {
  type Decision,
  findDecisions,
  lockDecision,
  markUndone,
  recordDecision,
} from "../decision-table.ts";
import { unlinkTradeLine } from "../document-link-table.ts";
import { linkTradeToOrder, releaseOrder } from "../orders/link-order.ts";
import type { Question, Reviewer } from "../question.ts";
import type { TradeFacts } from "../trade.ts";
import { findTradeLines, updateTradeLine } from "../trade-line-table.ts";
import {
  getTrade,
  lockBooking,
  setTradeOrder,
  setTradeStatus,
  type Trade,
} from "../trade-table.ts";
import { confirmTradeLine } from "./confirm-trade-line.ts";

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
  reviewer: Reviewer,
  undo: {
    decisionId: number;
    reason: string;
    /** The line that was the same trade is a question again; otherwise it becomes a trade of its own. */
    asksAgain?: boolean;
  },
): Promise<UndoAnswer> {
  await lockBooking(tx);
  const decision = await lockDecision(tx, undo.decisionId);
  if (decision === null) return { kind: "unknown" };
  if (decision.undoneBy !== null) return { kind: "objection", why: "it is already undone" };
  const why = `undone by ${reviewer.actor}: ${undo.reason}`;
  const answer = await takeBack(tx, reviewer, decision, {
    why,
    asksAgain: undo.asksAgain ?? false,
  });
  if (typeof answer === "string") return { kind: "objection", why: answer };
  const decisionId = await recordDecision(tx, {
    kind: "undo",
    actor: reviewer.actor,
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

/** Returns the questions that are open again, or why the decision cannot be undone. */
async function takeBack(
  tx: Transaction,
  reviewer: Reviewer,
  decision: Decision,
  { why, asksAgain }: { why: string; asksAgain: boolean },
): Promise<Question[] | string> {
  switch (decision.kind) {
    case "confirm":
    case "amend":
      return withdraw(tx, decision, why);
    case "cancel":
      return restore(tx, decision, why);
    case "same":
      if (!asksAgain) return separate(tx, reviewer, decision);
      await unlinkTradeLine(tx, decision);
      return reopenTradeLine(tx, decision, why);
    case "link":
      return unlink(tx, decision, why);
    case "reject":
      return reopenTradeLine(tx, decision, why);
    case "unlink":
      return askForOrder(tx, decision, why);
    case "not-a-note":
      return reopenDocument(tx, decision, why);
    case "ask":
    case "undo":
      return `a decision of kind ${decision.kind} cannot be undone`;
  }
}

async function withdraw(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  const trade = await loadTrade(tx, decision);
  if (trade.status !== "confirmed") return `the trade is now ${trade.status}`;
  await releaseOrder(tx, trade.id);
  await setTradeStatus(tx, trade.id, "withdrawn");
  const questions =
    trade.correctsId === null ? [] : await reinstate(tx, trade.correctsId, decision);
  return [...questions, ...(await reopenTradeLine(tx, decision, why))];
}

/** The replaced trade is valid again and needs an order again. */
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
  if (trade.status !== "cancelled") return `the trade is now ${trade.status}`;
  const questions = await reinstate(tx, trade.id, decision);
  return [...questions, ...(await reopenTradeLine(tx, decision, why))];
}

/** For a trade line that turned out not to be a repeat: it becomes a trade of its own. */
async function separate(
  tx: Transaction,
  reviewer: Reviewer,
  decision: Decision,
): Promise<Question[] | string> {
  const { tradeId, documentId, lineId } = decision;
  await unlinkTradeLine(tx, { tradeId, documentId, lineId });
  const answer = await confirmTradeLine(tx, reviewer, lineId!);
  return answer.kind === "done" ? [...answer.questions] : answer.why;
}

async function unlink(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  const trade = await loadTrade(tx, decision);
  if (trade.orderId !== decision.orderId) return "the trade has since been linked to another order";
  await releaseOrder(tx, trade.id);
  await setTradeOrder(tx, trade.id, { orderId: null, orderState: "in-review" });
  return [questionAbout("order", decision, why)];
}

/** The trade was left without an order. */
async function askForOrder(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[] | string> {
  const trade = await loadTrade(tx, decision);
  if (trade.status !== "confirmed") return `the trade is ${trade.status} by now`;
  if (trade.orderId !== null) return "the trade has another order by now";
  await setTradeOrder(tx, trade.id, { orderId: null, orderState: "in-review" });
  return [questionAbout("order", decision, why)];
}

/** The lines that were rejected with the document are questions again; a document without any is one itself. */
async function reopenDocument(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[]> {
  const documentId = decision.documentId!;
  const [dismissed] = decision.explanation;
  const lines = (await findTradeLines(tx, documentId)).filter(
    ({ outcome, explanation }) => outcome === "rejected" && explanation[0] === dismissed,
  );
  const status = lines.length === 0 ? "unreadable" : "parsed";
  await endDocument(tx, documentId, { status, reason: why });
  if (lines.length === 0) return [questionAbout("document", decision, why)];
  const questions: Question[] = [];
  for (const { id } of lines)
    questions.push(...(await reopenTradeLine(tx, { ...decision, lineId: id }, why)));
  return questions;
}

async function reopenTradeLine(
  tx: Transaction,
  decision: Decision,
  why: string,
): Promise<Question[]> {
  const facts = decision.before?.["facts"] as TradeFacts | undefined;
  const asked = (await findDecisions(tx, { lineId: decision.lineId! })).findLast(
    (each) => each.kind === "ask",
  );
  const reasons = [why, ...(asked?.explanation ?? [])];
  await updateTradeLine(tx, decision.lineId!, {
    outcome: "review",
    tradeId: null,
    explanation: reasons,
    ...(facts === undefined ? {} : { facts }),
  });
  return [{ ...questionAbout("line", decision, why), reasons }];
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

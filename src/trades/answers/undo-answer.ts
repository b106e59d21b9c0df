/** Takes a reviewer's answer back: what it created is withdrawn, and the question is asked again. */
import type { Transaction } from "../../store/database.ts";
import { type Decision, type DecisionKind, findDecisions } from "../decision-table.ts";
import type { Question, Reviewer } from "../question.ts";
import { type UndoAnswer, undoDecision } from "./undo-decision.ts";

/** What is known of an answer that was carried out. */
export interface GivenAnswer {
  readonly subject: Question["subject"];
  readonly lineId: string | null;
  readonly documentId: string | null;
  readonly tradeId: string | null;
  readonly action: string;
  readonly decidedAt: Date;
}

/** What an answer to each kind of question can have decided. */
const KINDS: Readonly<Record<Question["subject"], readonly DecisionKind[]>> = {
  line: ["confirm", "amend", "cancel", "same", "reject", "not-a-note"],
  document: ["confirm", "amend", "cancel", "not-a-note"],
  order: ["link", "unlink"],
};

export async function undoAnswer(
  tx: Transaction,
  reviewer: Reviewer,
  answer: GivenAnswer,
  reason: string,
): Promise<UndoAnswer> {
  const refuse = (why: string): UndoAnswer => ({ kind: "objection", why });
  if (answer.action === "split")
    return refuse("the answer made several trades; undo each of them on its own");
  if (answer.action === "unlock" || answer.action === "replace")
    return refuse("the document was read again; undo the trades that it reports");
  const decision = await findDecisionOf(tx, answer);
  if (decision === null) return refuse("nothing of this answer is left to undo");
  return undoDecision(tx, reviewer, { decisionId: decision.id, reason, asksAgain: true });
}

/** The last thing that was decided about the question since it was answered and still counts. */
async function findDecisionOf(tx: Transaction, answer: GivenAnswer): Promise<Decision | null> {
  const { subject, lineId, documentId, tradeId, decidedAt } = answer;
  const about =
    subject === "order"
      ? { tradeId: tradeId! }
      : { ...(lineId && { lineId }), ...(documentId && { documentId }) };
  const isOfAnswer = (decision: Decision) =>
    decision.undoneBy === null &&
    decision.at >= decidedAt &&
    KINDS[subject].includes(decision.kind) &&
    (subject !== "line" || decision.lineId === lineId || decision.kind === "not-a-note");
  return (await findDecisions(tx, about)).findLast(isOfAnswer) ?? null;
}

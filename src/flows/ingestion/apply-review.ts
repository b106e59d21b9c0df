/**
 * Carries out a reviewer's decision. The decision was stored together with this job; its effects, its mark
 * and the end of the job are one transaction again. If the decision cannot be carried out, the question is
 * reopened with the reason.
 */

import { endDocument, getDocument, type TradeDocument } from "../../ingestion/document-table.ts";
import type { JobHandler, JobRun } from "../../jobs/handler.ts";
import { handle } from "../../jobs/handler.ts";
import type { Job, JobQueue } from "../../jobs/job.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import { type DecideAnswer, decideReview } from "../../review/decide-review.ts";
import type { Review, ReviewDecision } from "../../review/review.ts";
import {
  closeReviewsOf,
  findReviews,
  holdReview,
  markApplied,
  openReviews,
  reopenReview,
} from "../../review/review-table.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { approveAndConfirm } from "../../trades/answers/approve-and-confirm.ts";
import {
  addTradeLines,
  confirmTradeLine,
  linkTradeLine,
  rejectTradeLine,
} from "../../trades/answers/confirm-trade-line.ts";
import { rejectDocument } from "../../trades/answers/reject-document.ts";
import { answerOrder } from "../../trades/orders/link-order.ts";
import type { AnswerResult, Reviewer } from "../../trades/question.ts";
import type { TradeFacts } from "../../trades/trade.ts";
import { getTradeLine } from "../../trades/trade-line-table.ts";
import { applyReview, ingestFile, ingestMail, ingestMailKey } from "../specs/ingestion.ts";

type ReviewJob = Job<(typeof applyReview)["payload"]["_output"]>;

export interface ApplyReviewNeeds {
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly firmDomains: readonly string[];
}

export function applyReviewHandler(needs: ApplyReviewNeeds): JobHandler<ReviewJob["payload"]> {
  return handle(applyReview, (job, run) => apply(needs, job, run));
}

async function apply(needs: ApplyReviewNeeds, job: ReviewJob, run: JobRun): Promise<JobOutcome> {
  return run.commit([job], async (tx) => {
    const review = await holdReview(tx, job.payload.review);
    if (review === null || review.status !== "decided") return excluded("nothing is decided");
    const answer = await carryOut(tx, reviewerOf(needs, review), review, review.decision!);
    if (answer.kind === "refused") {
      await reopenReview(tx, review.id, answer.why);
      return success(`not possible: ${answer.why}`);
    }
    await markApplied(tx, review.id);
    await openReviews(tx, answer.questions);
    await wakeMail(tx, needs.jobs, review);
    return success(`${review.decision!.action} by ${review.decidedBy}`);
  });
}

/** Thrown to roll back. */
class Rehearsed extends Error {
  readonly answer: DecideAnswer;
  constructor(answer: DecideAnswer) {
    super("nothing is kept");
    this.answer = answer;
  }
}

/** Carries a decision out and rolls it back: the answer, or why it would be refused. */
export async function rehearseReview(
  needs: Omit<ApplyReviewNeeds, "jobs"> & { readonly database: Database },
  id: number,
  decided: { readonly decision: ReviewDecision; readonly by: string },
): Promise<DecideAnswer> {
  try {
    return await needs.database.transaction(async (tx) => {
      const stored = await decideReview(tx, id, decided);
      if (stored.kind !== "decided") return stored;
      const reviewer = reviewerOf(needs, { ...stored.review, decidedBy: decided.by });
      const answer = await carryOut(tx, reviewer, stored.review, decided.decision);
      throw new Rehearsed(
        answer.kind === "refused" ? { kind: "objection", why: answer.why } : stored,
      );
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.answer;
    throw error;
  }
}

function reviewerOf(needs: Omit<ApplyReviewNeeds, "jobs">, review: Review): Reviewer {
  const today = new Date(needs.clock.now()).toISOString().slice(0, 10);
  return { actor: review.decidedBy!, firmDomains: needs.firmDomains, today };
}

function carryOut(
  tx: Transaction,
  reviewer: Reviewer,
  review: Review,
  decision: ReviewDecision,
): Promise<AnswerResult> {
  if (review.subject === "order") {
    const orderId = decision.action === "link" ? (decision.orderId ?? null) : null;
    return answerOrder(tx, reviewer.actor, review.tradeId!, orderId);
  }
  if (decision.action === "not-a-note") {
    return dismiss(tx, reviewer, review.documentId!, decision.reason);
  }
  return review.subject === "line"
    ? answerTradeLine(tx, reviewer, review, decision)
    : answerDocument(tx, reviewer, review.documentId!, decision);
}

async function answerTradeLine(
  tx: Transaction,
  reviewer: Reviewer,
  review: Review,
  decision: ReviewDecision,
): Promise<AnswerResult> {
  const lineId = review.lineId!;
  switch (decision.action) {
    case "accept":
      return confirmTradeLine(tx, reviewer, lineId);
    case "correct":
      return confirmTradeLine(tx, reviewer, lineId, decision.facts as Partial<TradeFacts>);
    case "approve-sender":
      return approveAndConfirm(tx, reviewer, {
        lineId,
        reasons: review.reasons,
        until: decision.until ?? null,
      });
    case "link":
      return linkTradeLine(tx, reviewer, lineId, decision.tradeId!);
    case "split":
      return splitTradeLine(tx, reviewer, lineId, decision.lines as Partial<TradeFacts>[]);
    case "reject":
    case "not-a-note":
      return rejectTradeLine(tx, reviewer, lineId, decision.reason);
    case "unlock":
    case "replace":
      return { kind: "refused", why: "only a whole document can be read again" };
  }
}

async function splitTradeLine(
  tx: Transaction,
  reviewer: Reviewer,
  lineId: string,
  parts: readonly Partial<TradeFacts>[],
): Promise<AnswerResult> {
  const line = (await getTradeLine(tx, lineId))!;
  const lines = parts.map((part) => ({ ...line.facts, ...part }));
  const answer = await enterTradeLines(tx, reviewer, line.documentId, lines);
  if (answer.kind === "refused") return answer;
  await rejectTradeLine(tx, reviewer, lineId, `split into ${parts.length}`);
  return answer;
}

/** A reviewer enters the trades of a document that could not be read or in which no trade was found. */
async function answerDocument(
  tx: Transaction,
  reviewer: Reviewer,
  documentId: string,
  decision: ReviewDecision,
): Promise<AnswerResult> {
  // What was read is already in the journal; the ingestion that follows books it.
  if (readsAgain(decision)) return { kind: "done", questions: [] };
  if (decision.action === "correct" || decision.action === "split") {
    const lines = decision.action === "correct" ? [decision.facts] : decision.lines;
    const answer = await enterTradeLines(tx, reviewer, documentId, lines as Partial<TradeFacts>[]);
    if (answer.kind === "done") {
      const reason = `entered by ${reviewer.actor}`;
      await endDocument(tx, documentId, {
        status: "parsed",
        documentType: "contract-note",
        reason,
      });
    }
    return answer;
  }
  const document = await getDocument(tx, documentId);
  if (decision.action === "accept" && document?.status === "unreadable")
    return { kind: "refused", why: NOTHING_WAS_READ };
  const reason = decision.action === "reject" ? decision.reason : "no trades in it";
  return dismiss(tx, reviewer, documentId, reason);
}

const NOTHING_WAS_READ =
  "nothing was read from this document, so there is nothing to accept: give its password or another file, enter its trade with correct, or close the question with not-a-note";

/** All or nothing: a refusal rolls back to the savepoint and leaves no trade line behind. */
async function enterTradeLines(
  tx: Transaction,
  reviewer: Reviewer,
  documentId: string,
  lines: readonly Partial<TradeFacts>[],
): Promise<AnswerResult> {
  await tx.query("SAVEPOINT enter_lines");
  const questions = [];
  for (const lineId of await addTradeLines(tx, documentId, lines)) {
    const answer = await confirmTradeLine(tx, reviewer, lineId);
    if (answer.kind === "refused") {
      await tx.query("ROLLBACK TO SAVEPOINT enter_lines");
      return answer;
    }
    questions.push(...answer.questions);
  }
  await tx.query("RELEASE SAVEPOINT enter_lines");
  return { kind: "done", questions };
}

async function dismiss(
  tx: Transaction,
  reviewer: Reviewer,
  documentId: string,
  reason: string,
): Promise<AnswerResult> {
  await rejectDocument(tx, reviewer.actor, documentId, reason);
  await closeReviewsOf(tx, documentId, reviewer.actor);
  return { kind: "done", questions: [] };
}

const readsAgain = (decision: ReviewDecision) =>
  decision.action === "unlock" || decision.action === "replace";

/** After the last answer about its documents, a failed message can be ingested again. */
async function wakeMail(tx: Transaction, jobs: JobQueue, review: Review): Promise<void> {
  const document = review.documentId === null ? null : await getDocument(tx, review.documentId);
  if (document === null) return;
  if (document.messageId === null || document.mailbox === null) {
    if (readsAgain(review.decision!)) await wakeFile(tx, jobs, review, document);
    return;
  }
  const open = await findReviews(tx, { documentId: document.id, subject: "document" });
  if (open.some((other) => other.status !== "applied")) return;
  if (review.subject !== "document") return;
  await jobs.add(tx, ingestMail, [
    {
      subjectId: document.messageId,
      idempotencyKey: `${ingestMailKey(document.messageId)}-review-${review.id}`,
      payload: { mailbox: document.mailbox, messageId: document.messageId, isForced: true },
    },
  ]);
}

/** A file that did not come by mail is ingested again as it was the first time. */
async function wakeFile(
  tx: Transaction,
  jobs: JobQueue,
  review: Review,
  document: TradeDocument,
): Promise<void> {
  const { sha256, filename, source, senderEmail, senderEvidence, emailKey } = document;
  if (source === "graph_webhook") return;
  const isOwn = senderEvidence?.kind === "upload" && senderEvidence.isOwn;
  await jobs.add(tx, ingestFile, [
    {
      subjectId: sha256,
      idempotencyKey: `read-again-${review.id}`,
      payload: {
        sha256,
        filename,
        source,
        senderEmail,
        isOwn,
        receivedAt: document.receivedAt.toISOString(),
        ...(source === "poller" ? { generation: emailKey.replace(/^poller\|/, "") } : {}),
      },
    },
  ]);
}

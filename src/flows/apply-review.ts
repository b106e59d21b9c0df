/**
 * A person's decision becomes fact. The decision was stored together with this job; what it causes, its
 * own mark and the job's mark are one transaction again. A decision that cannot be carried out opens the
 * question again and says why.
 */

import { endDocument, getDocument } from "../ingestion/document-table.ts";
import type { JobHandler, JobRun } from "../jobs/handler.ts";
import { handle } from "../jobs/handler.ts";
import type { Job, JobQueue } from "../jobs/job.ts";
import { excluded, type JobOutcome, success } from "../jobs/outcome.ts";
import type { Clock } from "../lib/clock.ts";
import type { Review, ReviewDecision } from "../review/review.ts";
import {
  closeReviewsOf,
  findReviews,
  holdReview,
  markApplied,
  openReviews,
  reopenReview,
} from "../review/review-table.ts";
import type { Transaction } from "../store/database.ts";
import {
  addLines,
  confirmLine,
  linkLine,
  type Person,
  type PersonAnswer,
  rejectLine,
} from "../trades/confirm-line.ts";
import { getLine } from "../trades/line-table.ts";
import { answerOrder } from "../trades/link-order.ts";
import { rejectDocument } from "../trades/reject-document.ts";
import type { TradeFacts } from "../trades/trade.ts";
import { applyReview, ingestMail, ingestMailKey } from "./specs-ingest.ts";

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
    const answer = await carryOut(tx, personOf(needs, review), review, review.decision!);
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

function personOf(needs: ApplyReviewNeeds, review: Review): Person {
  const today = new Date(needs.clock.now()).toISOString().slice(0, 10);
  return { actor: review.decidedBy!, firmDomains: needs.firmDomains, today };
}

function carryOut(
  tx: Transaction,
  person: Person,
  review: Review,
  decision: ReviewDecision,
): Promise<PersonAnswer> {
  if (review.subject === "order") {
    const orderId = decision.action === "link" ? (decision.orderId ?? null) : null;
    return answerOrder(tx, person.actor, review.tradeId!, orderId);
  }
  if (decision.action === "not-a-note") {
    return dismiss(tx, person, review.documentId!, decision.reason);
  }
  return review.subject === "line"
    ? answerLine(tx, person, review.lineId!, decision)
    : answerDocument(tx, person, review.documentId!, decision);
}

async function answerLine(
  tx: Transaction,
  person: Person,
  lineId: string,
  decision: ReviewDecision,
): Promise<PersonAnswer> {
  switch (decision.action) {
    case "accept":
      return confirmLine(tx, person, lineId);
    case "correct":
      return confirmLine(tx, person, lineId, decision.facts as Partial<TradeFacts>);
    case "link":
      return linkLine(tx, person, lineId, decision.tradeId!);
    case "split":
      return splitLine(tx, person, lineId, decision.lines as Partial<TradeFacts>[]);
    case "reject":
    case "not-a-note":
      return rejectLine(tx, person, lineId, decision.reason);
  }
}

async function splitLine(
  tx: Transaction,
  person: Person,
  lineId: string,
  parts: readonly Partial<TradeFacts>[],
): Promise<PersonAnswer> {
  const line = (await getLine(tx, lineId))!;
  const lines = parts.map((part) => ({ ...line.facts, ...part }));
  const answer = await enterLines(tx, person, line.documentId, lines);
  if (answer.kind === "refused") return answer;
  await rejectLine(tx, person, lineId, `split into ${parts.length}`);
  return answer;
}

/** A document that the reader could not read, or that gave no trade, is typed in by a person. */
async function answerDocument(
  tx: Transaction,
  person: Person,
  documentId: string,
  decision: ReviewDecision,
): Promise<PersonAnswer> {
  if (decision.action === "correct" || decision.action === "split") {
    const lines = decision.action === "correct" ? [decision.facts] : decision.lines;
    const answer = await enterLines(tx, person, documentId, lines as Partial<TradeFacts>[]);
    if (answer.kind === "done") {
      const reason = `entered by ${person.actor}`;
      await endDocument(tx, documentId, {
        status: "parsed",
        documentType: "contract-note",
        reason,
      });
    }
    return answer;
  }
  const reason = decision.action === "reject" ? decision.reason : "no trades in it";
  return dismiss(tx, person, documentId, reason);
}

/** All or none: a refusal leaves no line behind, because the caller's savepoint is rolled back. */
async function enterLines(
  tx: Transaction,
  person: Person,
  documentId: string,
  lines: readonly Partial<TradeFacts>[],
): Promise<PersonAnswer> {
  await tx.query("SAVEPOINT enter_lines");
  const questions = [];
  for (const lineId of await addLines(tx, documentId, lines)) {
    const answer = await confirmLine(tx, person, lineId);
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
  person: Person,
  documentId: string,
  reason: string,
): Promise<PersonAnswer> {
  await rejectDocument(tx, person.actor, documentId, reason);
  await closeReviewsOf(tx, documentId, person.actor);
  return { kind: "done", questions: [] };
}

/** With the last answer about its documents, a failed message can come to its end. */
async function wakeMail(tx: Transaction, jobs: JobQueue, review: Review): Promise<void> {
  const document = review.documentId === null ? null : await getDocument(tx, review.documentId);
  if (document === null || document.messageId === null || document.mailbox === null) return;
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

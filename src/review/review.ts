/** The possible answers to a question. */
export type ReviewDecision =
  /** Correct as it was read: book it, cancel the trade that it cancels, or leave the trade without an order. */
  | { readonly action: "accept" }
  /** It is a trade with these facts; all other facts stay as they were read. */
  | { readonly action: "correct"; readonly facts: Readonly<Record<string, unknown>> }
  /** It is not a trade. */
  | { readonly action: "reject"; readonly reason: string }
  /** It is several trades, each as it was read except for these facts. */
  | { readonly action: "split"; readonly lines: readonly Readonly<Record<string, unknown>>[] }
  /** It reports this trade, or the trade belongs to this order. */
  | { readonly action: "link"; readonly tradeId?: string; readonly orderId?: number }
  /** Correct as it was read, and its sender's notes need no question until the given day. */
  | { readonly action: "approve-sender"; readonly until?: string }
  /** The document is not a contract note. */
  | { readonly action: "not-a-note"; readonly reason: string }
  /** The document was read with a password, which is not kept. */
  | { readonly action: "unlock" }
  /** Another file was read in place of the document; the archive has it. */
  | {
      readonly action: "replace";
      readonly filename: string;
      readonly sha256: string;
      readonly archivePath: string;
    };

export type ReviewSubject = "line" | "document" | "order";

export interface Review {
  readonly id: number;
  readonly subject: ReviewSubject;
  readonly lineId: string | null;
  readonly documentId: string | null;
  readonly tradeId: string | null;
  /** The first of the reasons. */
  readonly reason: string;
  readonly reasons: readonly string[];
  readonly status: "open" | "decided" | "applied";
  readonly assignee: string | null;
  readonly openedAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly decision: ReviewDecision | null;
  /** Why the last decision could not be carried out. */
  readonly refusal: string | null;
}

const ACTIONS: Record<ReviewSubject, readonly ReviewDecision["action"][]> = {
  line: ["accept", "correct", "reject", "split", "link", "approve-sender", "not-a-note"],
  document: ["accept", "correct", "reject", "split", "not-a-note", "unlock", "replace"],
  order: ["accept", "reject", "link"],
};

/** The reason why the decision does not fit the question; null if it fits. */
export function objectionTo(review: Review, decision: ReviewDecision): string | null {
  if (review.status !== "open")
    return `question ${review.id} is already decided, by ${review.decidedBy}; postroom review undo ${review.id} takes the answer back`;
  if (!ACTIONS[review.subject].includes(decision.action)) {
    return `${decision.action} does not answer a question about ${aOrAn(review.subject)}`;
  }
  if (decision.action === "link") {
    const isOrder = review.subject === "order";
    if (decision[isOrder ? "orderId" : "tradeId"] === undefined)
      return isOrder
        ? `question ${review.id} asks which order the trade belongs to; link it to an order, not to a trade`
        : `question ${review.id} asks about a trade that is not booked; link it to a trade, not to an order`;
  }
  if (decision.action === "split" && decision.lines.length < 2)
    return "split needs two lines or more";
  return null;
}

const aOrAn = (subject: ReviewSubject) => (subject === "order" ? "an order" : `a ${subject}`);

import type { Transaction } from "../store/database.ts";
import { objectionTo, type Review, type ReviewDecision } from "./review.ts";
import { holdReview, storeDecision } from "./review-table.ts";

export type DecideAnswer =
  | { readonly kind: "decided"; readonly review: Review }
  | { readonly kind: "unknown" }
  | { readonly kind: "objection"; readonly why: string };

/**
 * Stores a reviewer's decision. The caller adds the job that carries it out in the same transaction, so that
 * every decision has its job.
 */
export async function decideReview(
  tx: Transaction,
  id: number,
  decided: { decision: ReviewDecision; by: string },
): Promise<DecideAnswer> {
  const review = await holdReview(tx, id);
  if (review === null) return { kind: "unknown" };
  const why = objectionTo(review, decided.decision);
  if (why !== null) return { kind: "objection", why };
  await storeDecision(tx, id, decided);
  return { kind: "decided", review };
}

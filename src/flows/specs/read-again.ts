/** What a reviewer gives for a document that could not be read, and what comes of it. */
import type { ReviewDecision } from "../../review/review.ts";

export type GivenForReview =
  | { readonly kind: "password"; readonly password: string }
  | { readonly kind: "file"; readonly filename: string; readonly bytes: Buffer };

export type ReadAgainAnswer =
  | { readonly kind: "read"; readonly decision: ReviewDecision; readonly jobId: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "objection"; readonly why: string }
  | { readonly kind: "unreadable"; readonly why: string };

/** Reads the document of a question again; `by` is who gave it. */
export type ReadAgain = (id: number, help: GivenForReview, by: string) => Promise<ReadAgainAnswer>;

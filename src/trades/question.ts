/** A question for a person; the flow puts it into the review queue. */
export interface Question {
  readonly subject: "line" | "document" | "order";
  readonly lineId: string | null;
  readonly documentId: string | null;
  readonly tradeId: string | null;
  readonly reasons: readonly string[];
}

/** The person who answers a question, and what their answer is checked against. */
export interface Reviewer {
  readonly actor: string;
  readonly firmDomains: readonly string[];
  /** YYYY-MM-DD */
  readonly today: string;
}

export type AnswerResult =
  | { readonly kind: "done"; readonly questions: readonly Question[] }
  | { readonly kind: "refused"; readonly why: string };

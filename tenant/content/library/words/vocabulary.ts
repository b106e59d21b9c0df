/** What a language contributes to the sample library. Words in braces are drawn anew for every document. */

export const TOPICS = [
  "begin",
  "notice",
  "fee",
  "deposit",
  "interest",
  "penalty",
  "warranty",
  "liability",
  "insurance",
  "secrecy",
  "court",
  "contact",
  "delivery",
  "audit",
  "data",
  "index",
  "keys",
  "repairs",
  "mediation",
  "hours",
] as const;
export type Topic = (typeof TOPICS)[number];

export interface TopicWords {
  readonly heading: string;
  /** Ways to state the fact; a document uses one of them. */
  readonly facts: readonly string[];
  /** Sentences that follow it. */
  readonly more: readonly string[];
  /** Questions that use words of the fact. */
  readonly near: readonly string[];
  /** A question that has only the name of the other party in common with the fact. */
  readonly far: string;
}

export interface Vocabulary {
  /** Kinds of agreements with the thing that they are about. */
  readonly agreements: readonly { readonly title: string; readonly file: string }[];
  readonly versions: readonly string[];
  readonly opening: readonly string[];
  readonly topics: Readonly<Record<Topic, TopicWords>>;
  /** An entry of the journal is one of each, in this order. */
  readonly journal: {
    readonly heading: string;
    readonly acts: readonly string[];
    readonly findings: readonly string[];
    readonly steps: readonly string[];
  };
  /** Every first part goes with every second part, as the name of a firm. */
  readonly firms: readonly [first: readonly string[], second: readonly string[], form: string];
  readonly people: readonly [first: readonly string[], last: readonly string[]];
  readonly towns: readonly string[];
  readonly streets: readonly string[];
  readonly banks: readonly string[];
  readonly amount: (sum: string) => string;
}

export function list(text: string): string[] {
  return text.split(", ");
}

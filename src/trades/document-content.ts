import type { TradeFacts } from "./trade.ts";

/** A note reports the trades of one order; a statement lists the trades of a period again. */
export type DocumentKind = "note" | "statement";

export function kindOfDocument(documentType: string | null): DocumentKind {
  return documentType?.endsWith("statement") ? "statement" : "note";
}

/** A trade as one document reports it, before it is routed. */
export interface ReadTradeLine {
  readonly facts: TradeFacts;
  /** 0 to 1. */
  readonly confidence: number;
  /** What the extractor is unsure of. */
  readonly doubts: readonly string[];
  /** False marks the trade for audit when it is booked. Defaults to true. */
  readonly isSure?: boolean;
  /** Where each fact is printed in the document. */
  readonly evidence?: object;
}

/** What a document says about trades, ready to be routed. */
export interface DocumentContent {
  /** `contract-note`, `statement`, `dividend` and so on. */
  readonly documentType: string;
  readonly kind: DocumentKind;
  readonly lines: readonly ReadTradeLine[];
  /** Codes that may be references of other trades, reduced to letters and digits. */
  readonly mentions: readonly string[];
  /** What was skipped, or why nothing was found. */
  readonly notes: readonly string[];
  /** Set if a trade was expected but not found. */
  readonly missing: string | null;
}

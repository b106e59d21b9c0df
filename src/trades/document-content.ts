import type { DocumentKind } from "./place-line.ts";
import type { ReadLine } from "./route-line.ts";

/** What a document says about trades, ready to be routed. */
export interface DocumentContent {
  /** `contract-note`, `statement`, `dividend` and so on. */
  readonly documentType: string;
  readonly kind: DocumentKind;
  readonly lines: readonly ReadLine[];
  /** Codes that may be references of other trades, as letters and digits alone. */
  readonly mentions: readonly string[];
  /** What was seen and left out, or why there is nothing. */
  readonly notes: readonly string[];
  /** Set when trades were expected and none was found. */
  readonly missing: string | null;
}

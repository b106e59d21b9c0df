import type { PackedPage } from "./pack-pages.ts";
import type { MimeLimits, MimePart } from "./parse-mime.ts";
import type { ParseLimits, ParseRefusal } from "./parse-pdf.ts";
import type { DocumentText, TextLimits } from "./text/document-text.ts";
import type { NotPdf, TextRefusal } from "./text/parse-text.ts";

/** A request to a child; the content of the file follows it. */
export type SandboxRequest =
  | { kind: "pdf"; limits: ParseLimits; password?: string }
  | { kind: "mime"; limits: MimeLimits }
  | { kind: "text"; format: NotPdf; limits: TextLimits };

/**
 * A number connects an answer to its request, so that a late answer about one file is never taken for the
 * next.
 */
export type Numbered<Head> = { job: number; head: Head };

export type SandboxAnswer =
  | { kind: "ready" }
  | { kind: "refused"; reason: ParseRefusal; detail: string }
  | { kind: "pages"; pages: PackedPage[] }
  | { kind: "parts"; parts: MimePart[] }
  | { kind: "text"; text: DocumentText }
  | { kind: "no-text"; reason: TextRefusal; detail: string };

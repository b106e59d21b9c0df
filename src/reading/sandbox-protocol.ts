import type { PackedPage } from "./pack-pages.ts";
import type { MimeLimits, MimePart } from "./parse-mime.ts";
import type { ParseLimits, ParseRefusal } from "./parse-pdf.ts";

/** What a child is asked; the document's bytes go with it. */
export type SandboxRequest =
  | { kind: "pdf"; limits: ParseLimits }
  | { kind: "mime"; limits: MimeLimits };

/** Numbers tie an answer to its question, so that a late word about one document is never taken for the next. */
export type Numbered<Head> = { job: number; head: Head };

export type SandboxAnswer =
  | { kind: "ready" }
  | { kind: "refused"; reason: ParseRefusal; detail: string }
  | { kind: "pages"; pages: PackedPage[] }
  | { kind: "parts"; parts: MimePart[] };

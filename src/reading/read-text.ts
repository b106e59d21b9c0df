/** The text of a file of any kind. PDFs are read the same way as contract notes; every other kind has a parser in the sandbox. */
import { FILE_BYTES_MAX } from "./admit-file.ts";
import type { PdfReader, UnreadableReason } from "./read-pdf.ts";
import type { Reading } from "./reading.ts";
import type { SandboxPool } from "./sandbox-pool.ts";
import {
  type Box,
  type DocumentText,
  TEXT_LIMITS,
  type TextKind,
  type TextLimits,
} from "./text/document-text.ts";
import { textKindOf } from "./text-kind.ts";

/** Why there is no text. Each is a result to show, not an error of ours. */
export type NoTextReason = Exclude<UnreadableReason, "not-a-pdf"> | "unsupported";

export type TextResult =
  | { ok: true; kind: TextKind; text: DocumentText }
  | { ok: false; kind: TextKind | null; reason: NoTextReason; detail: string };

export interface TextReader {
  /** Rejects only if the signal is aborted or the reader is closed. */
  read(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<TextResult>;
}

export function createTextReader(needs: {
  pool: SandboxPool;
  pdfs: PdfReader;
  limits?: Partial<TextLimits>;
}): TextReader {
  const limits = { ...TEXT_LIMITS, ...needs.limits };
  return {
    async read(name, bytes, signal) {
      if (bytes.length === 0) return refuse(null, "empty", "the file is empty");
      if (bytes.length > FILE_BYTES_MAX)
        return refuse(null, "too-large", `${bytes.length} bytes; the limit is ${FILE_BYTES_MAX}`);
      const kind = textKindOf(name, bytes);
      if (kind === null) return refuse(null, "unsupported", "no text can be read from such a file");
      if (kind === "pdf") return readPdf(needs.pdfs, bytes, signal);
      const request = { kind: "text", format: kind, limits } as const;
      const outcome = await needs.pool.run({ request, bytes, signal });
      if (!outcome.ok) {
        if (outcome.failure !== "aborted") return refuse(kind, outcome.failure, outcome.detail);
        signal?.throwIfAborted();
        throw new Error(`the file was not read: ${outcome.detail}`);
      }
      const { answer } = outcome;
      if (answer.kind === "text") return { ok: true, kind, text: answer.text };
      if (answer.kind === "no-text") return refuse(kind, answer.reason, answer.detail);
      if (answer.kind === "refused") return refuse(kind, "damaged", answer.detail);
      return refuse(kind, "crashed", `the child answered with ${answer.kind}`);
    },
  };
}

async function readPdf(
  pdfs: PdfReader,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<TextResult> {
  const reading = await pdfs.read(bytes, signal);
  if (reading.ok) return { ok: true, kind: "pdf", text: textOf(reading.reading) };
  const reason = reading.reason === "not-a-pdf" ? "damaged" : reading.reason;
  return refuse("pdf", reason, reading.detail);
}

/** Pages of a reading with the place of every line. */
function textOf({ pages }: Reading): DocumentText {
  return {
    pages: pages.map(({ number, lines }) => ({
      number,
      label: null,
      text: lines.map((line) => line.text).join("\n"),
      boxes: lines.map((line) => boxAround(line.words)),
    })),
    omitted: [],
  };
}

function boxAround(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function refuse(kind: TextKind | null, reason: NoTextReason, detail: string): TextResult {
  return { ok: false, kind, reason, detail };
}

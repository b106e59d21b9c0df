import type { Clock } from "../lib/clock.ts";
import { FILE_BYTES_MAX } from "./admit-file.ts";
import { hasPdfEnd, isPdf } from "./file-type.ts";
import type { Ocr } from "./ocr.ts";
import { unpackPages } from "./pack-pages.ts";
import type { ParseLimits } from "./parse-pdf.ts";
import { type Reading, readingOf } from "./reading.ts";
import type { SandboxOutcome } from "./sandbox.ts";
import {
  createSandboxPool,
  type PoolOptions,
  type PoolStats,
  type SandboxPool,
} from "./sandbox-pool.ts";

/** Why a file could not be read. Each is a result to report to the sender, not an error of ours. */
export type UnreadableReason =
  | "empty"
  | "not-a-pdf"
  | "too-large"
  | "damaged"
  | "encrypted"
  | "too-many-pages"
  | "too-much-text"
  | "no-text"
  | "timed-out"
  | "memory"
  | "crashed";

export type ReadingResult =
  | { ok: true; reading: Reading; isFromImage: boolean }
  | { ok: false; reason: UnreadableReason; detail: string };

export interface PdfReader {
  /** Rejects only if the signal is aborted or the reader is closed. */
  read(bytes: Uint8Array, signal?: AbortSignal, password?: string): Promise<ReadingResult>;
  warm(): void;
  stats(): PdfReaderStats;
  close(): Promise<void>;
}

export interface PdfReaderStats extends PoolStats {
  read: number;
  refused: Partial<Record<UnreadableReason, number>>;
}

export interface PdfReaderOptions extends Omit<PoolOptions, "clock"> {
  clock: Clock;
  /** Shared with other parsers of untrusted files; if absent, the reader creates and closes its own. */
  pool?: SandboxPool;
  limits?: Partial<PdfLimits>;
  /** Reads scanned pages; without it they are refused as "no-text". */
  ocr?: Ocr;
}

export interface PdfLimits extends ParseLimits {
  fileBytesMax: number;
}

export const DEFAULT_LIMITS: PdfLimits = {
  fileBytesMax: FILE_BYTES_MAX,
  pagesMax: 200,
  charactersMax: 2_000_000,
};

export function createPdfReader(options: PdfReaderOptions): PdfReader {
  const pool = options.pool ?? createSandboxPool(options);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const counts = { read: 0, refused: {} as Partial<Record<UnreadableReason, number>> };

  const readBytes = async (
    bytes: Uint8Array,
    signal?: AbortSignal,
    password?: string,
  ): Promise<ReadingResult> => {
    const refusal = refuseUnopened(bytes, limits);
    if (refusal !== null) return refusal;
    const { pagesMax, charactersMax } = limits;
    const request = {
      kind: "pdf" as const,
      limits: { pagesMax, charactersMax },
      ...(password === undefined ? {} : { password }),
    };
    const result = toResult(await pool.run({ request, bytes, signal }), signal);
    // The program that reads scanned pages cannot open a locked file.
    const isScan = !result.ok && result.reason === "no-text" && password === undefined;
    if (!isScan || options.ocr === undefined) return result;
    const reading = await options.ocr.read(bytes, signal);
    return reading === null ? result : { ok: true, reading, isFromImage: true };
  };

  return {
    async read(bytes, signal, password) {
      const result = await readBytes(bytes, signal, password);
      if (result.ok) counts.read++;
      else counts.refused[result.reason] = (counts.refused[result.reason] ?? 0) + 1;
      return result;
    },
    warm: () => pool.warm(),
    stats: () => ({ ...pool.stats(), ...counts, refused: { ...counts.refused } }),
    close: async () => {
      if (options.pool === undefined) await pool.close();
    },
  };
}

/** Refuses files that can be refused without a parser. */
function refuseUnopened(bytes: Uint8Array, limits: PdfLimits): ReadingResult | null {
  if (bytes.length === 0) return refuse("empty", "the file is empty");
  if (bytes.length > limits.fileBytesMax) {
    return refuse("too-large", `${bytes.length} bytes; the limit is ${limits.fileBytesMax}`);
  }
  if (!isPdf(bytes)) return refuse("not-a-pdf", "no PDF header in the first 1,024 bytes");
  if (!hasPdfEnd(bytes)) return refuse("damaged", "the file has no end marker");
  return null;
}

function refuse(reason: UnreadableReason, detail: string): ReadingResult {
  return { ok: false, reason, detail };
}

function toResult(outcome: SandboxOutcome, signal?: AbortSignal): ReadingResult {
  if (!outcome.ok) {
    if (outcome.failure !== "aborted") return refuse(outcome.failure, outcome.detail);
    signal?.throwIfAborted();
    throw new Error(`the file was not read: ${outcome.detail}`);
  }
  const { answer } = outcome;
  if (answer.kind === "refused") return refuse(answer.reason, answer.detail);
  if (answer.kind !== "pages") return refuse("crashed", `the child answered with ${answer.kind}`);
  const pages = unpackPages(answer.pages);
  if (pages.every((page) => page.lines.length === 0)) {
    return refuse(
      "no-text",
      `${pages.length === 1 ? "1 page" : `${pages.length} pages`} without any text: scanned or drawn`,
    );
  }
  return { ok: true, reading: readingOf(pages), isFromImage: false };
}

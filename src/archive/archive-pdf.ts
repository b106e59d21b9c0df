import type { BlobStore, NewBlob } from "../files/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import { cutToBytes } from "../lib/cut-to-bytes.ts";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { archivePath, type HiveParts, pathWithHash } from "./hive-path.ts";

export const ARCHIVE_SOURCES = ["graph_webhook", "manual_upload", "poller"] as const;
export type ArchiveSource = (typeof ARCHIVE_SOURCES)[number];

/** A processed document on its way into the archive. Nothing here needs a mail. */
export interface ArchiveRequest extends HiveParts {
  readonly pdfBytes: Uint8Array;
  readonly source: ArchiveSource;
  readonly tradeKey?: string;
  /** The hash taken when the bytes first arrived; bytes that changed since are refused. */
  readonly sha256?: string;
}

// S3 has room for 2 KB of metadata in all, encoded. An address ends at 320 characters.
const SENDER_BYTES_MAX = 600;
const TRADE_KEY_BYTES_MAX = 300;

/**
 * Stores a processed PDF and answers its path. The same document of the same mail gives the same path
 * however often it is archived.
 */
export async function archiveProcessedPdf(
  needs: { readonly blobs: BlobStore; readonly clock: Clock },
  request: ArchiveRequest,
): Promise<string> {
  assertIsTheDocument(request);
  return putUnderFreePath(needs.blobs, {
    path: archivePath(request),
    bytes: request.pdfBytes,
    metadata: metadataOf(request, needs.clock),
  });
}

/** Other bytes that hold the path stay there, and the document gets its hash into its name. */
export async function putUnderFreePath(
  blobs: BlobStore,
  document: Pick<NewBlob, "path" | "bytes" | "metadata">,
): Promise<string> {
  const { path } = document;
  const sha256 = sha256Hex(document.bytes);
  // The second name fits these bytes alone, but for one pair in four thousand million.
  for (const candidate of [path, pathWithHash(path, sha256), pathWithHash(path, sha256.slice(8))]) {
    const blob = { ...document, path: candidate, contentType: "application/pdf" };
    if ((await blobs.put(blob)) !== "conflict") return candidate;
  }
  throw new Fault("blob.conflict", "three names of a document are taken by other bytes", {
    facts: { path },
  });
}

/** In Google's store these are the headers `x-goog-meta-sender-email` and so on. */
export function metadataOf(request: ArchiveRequest, clock: Clock): Record<string, string> {
  return {
    "sender-email": headerText(request.senderEmail, SENDER_BYTES_MAX),
    source: request.source,
    "processed-at": new Date(clock.now()).toISOString(),
    ...(request.tradeKey ? { "trade-key": headerText(request.tradeKey, TRADE_KEY_BYTES_MAX) } : {}),
  };
}

/** Half of a surrogate pair becomes U+FFFD, since a header is sent as UTF-8. */
function headerText(text: string, bytesMax: number): string {
  return Buffer.from(cutToBytes(text, bytesMax)).toString("utf8");
}

/** Bytes decoded twice, cut short or mixed up are worthless as evidence, so they fail loudly here. */
export function assertIsTheDocument(
  request: Pick<ArchiveRequest, "pdfBytes" | "sha256" | "filename">,
): void {
  const facts = { size: request.pdfBytes.length };
  const start = Buffer.from(request.pdfBytes.subarray(0, 1024)).toString("latin1");
  if (!start.includes("%PDF-")) {
    throw new Fault("pdf.damaged", "the bytes to archive are not a PDF", { facts });
  }
  if (request.sha256 !== undefined && request.sha256 !== sha256Hex(request.pdfBytes)) {
    throw new Fault("pdf.damaged", "the bytes to archive are not those that arrived", { facts });
  }
}

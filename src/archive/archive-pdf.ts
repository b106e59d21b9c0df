import type { BlobStore, NewBlob } from "../files/blob-store.ts";
import type { Clock } from "../lib/clock.ts";
import { cutToBytes } from "../lib/cut-to-bytes.ts";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { archivePath, type HiveParts, pathWithHash } from "./hive-path.ts";

export const ARCHIVE_SOURCES = ["graph_webhook", "manual_upload", "poller"] as const;
export type ArchiveSource = (typeof ARCHIVE_SOURCES)[number];

/** A processed document to archive. It need not come from a message. */
export interface ArchiveRequest extends HiveParts {
  readonly pdfBytes: Uint8Array;
  readonly source: ArchiveSource;
  readonly tradeKey?: string;
  /** The hash of the bytes when they arrived; bytes that changed since are refused. */
  readonly sha256?: string;
}

// S3 allows 2 KB of encoded metadata in total. An address has at most 320 characters.
const SENDER_BYTES_MAX = 600;
const TRADE_KEY_BYTES_MAX = 300;

/**
 * Stores a processed PDF and returns its path. Archiving the same document of the same message again returns the same
 * path.
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

/** If other bytes exist at the path, they stay, and the document gets its hash in its name. */
export async function putUnderFreePath(
  blobs: BlobStore,
  document: Pick<NewBlob, "path" | "bytes" | "metadata">,
): Promise<string> {
  const { path } = document;
  const sha256 = sha256Hex(document.bytes);
  // The second name holds 8 hex digits of the hash, so a collision is a one-in-four-billion chance; the third uses
  // other digits in case it happens.
  for (const candidate of [path, pathWithHash(path, sha256), pathWithHash(path, sha256.slice(8))]) {
    const blob = { ...document, path: candidate, contentType: "application/pdf" };
    if ((await blobs.put(blob)) !== "conflict") return candidate;
  }
  throw new Fault("blob.conflict", "other bytes exist at all three paths for the document", {
    facts: { path },
  });
}

/** Google Cloud Storage shows these as the headers `x-goog-meta-sender-email` and so on. */
export function metadataOf(request: ArchiveRequest, clock: Clock): Record<string, string> {
  return {
    "sender-email": headerText(request.senderEmail, SENDER_BYTES_MAX),
    source: request.source,
    "processed-at": new Date(clock.now()).toISOString(),
    ...(request.tradeKey ? { "trade-key": headerText(request.tradeKey, TRADE_KEY_BYTES_MAX) } : {}),
  };
}

/** An unpaired surrogate becomes U+FFFD, because headers are sent as UTF-8. */
function headerText(text: string, bytesMax: number): string {
  return Buffer.from(cutToBytes(text, bytesMax)).toString("utf8");
}

/** Refuses bytes that were decoded twice, truncated or mixed up: they would be worthless as evidence. */
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

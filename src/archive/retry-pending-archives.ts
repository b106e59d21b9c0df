import type { BlobStore } from "../files/blob-store.ts";
import type { FileStore } from "../files/file-store.ts";
import { type Backoff, backoffMs } from "../lib/backoff.ts";
import { Fault, toFault } from "../lib/fault.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import { redactText } from "../lib/redact.ts";
import { type Database, type Transaction, toStorableText } from "../store/database.ts";
import { putUnderFreePath } from "./archive-pdf.ts";
import {
  deletePending,
  type PendingArchive,
  postponePending,
  takeDuePending,
} from "./pending-table.ts";

export interface RetryNeeds {
  readonly database: Database;
  readonly files: FileStore;
  readonly blobs: BlobStore;
  readonly random: Random;
  readonly log: Log;
}

/**
 * A document that is now archived. `path` differs from `promisedPath` if other bytes took that path
 * meanwhile.
 */
export interface CompletedArchive {
  readonly subjectId: string | null;
  readonly promisedPath: string;
  readonly path: string;
}

export interface RetryOptions {
  readonly limit?: number;
  /** Completes the subject's paths in the transaction that removes the pending row. */
  readonly onStored?: (tx: Transaction, completed: CompletedArchive) => Promise<void>;
}

const BACKOFF: Backoff = { firstMs: 30_000, capMs: 15 * 60_000 };
const LEASE_MS = 10 * 60_000; // far longer than any upload; a second upload would do no harm either
const DOWN = new Set(["blob.unavailable", "store.full"]);

/** Stores pending documents. Stops at the first sign that the archive is still down. */
export async function retryPendingArchives(
  needs: RetryNeeds,
  options: RetryOptions = {},
): Promise<{ completed: CompletedArchive[]; failed: number }> {
  const completed: CompletedArchive[] = [];
  let failed = 0;
  for (let tried = 0; tried < (options.limit ?? 100); tried += 1) {
    const pending = await takeDuePending(needs.database, LEASE_MS);
    if (pending === null) break;
    try {
      const stored = await complete(needs, pending, options.onStored);
      if (stored !== null) completed.push(stored);
    } catch (error) {
      const fault = toFault(error);
      failed += 1;
      await postpone(needs, pending, fault);
      if (DOWN.has(fault.code)) break;
    }
  }
  return { completed, failed };
}

async function complete(
  needs: RetryNeeds,
  pending: PendingArchive,
  onStored: RetryOptions["onStored"],
): Promise<CompletedArchive | null> {
  const bytes = await needs.files.get(pending.sha256);
  if (bytes === null) {
    throw new Fault(
      "spool.missing",
      "no spool that this machine reaches has the bytes to archive",
      {
        facts: { path: pending.path, file: pending.sha256 },
      },
    );
  }
  const { path: promisedPath, subjectId, metadata } = pending;
  const path = await putUnderFreePath(needs.blobs, { path: promisedPath, bytes, metadata });
  const completed = { subjectId, promisedPath, path };
  const isOurs = await needs.database.transaction(async (tx) => {
    if (!(await deletePending(tx, pending.id))) return false;
    await onStored?.(tx, completed);
    return true;
  });
  return isOurs ? completed : null;
}

async function postpone(needs: RetryNeeds, pending: PendingArchive, fault: Fault): Promise<void> {
  const delayMs = backoffMs(BACKOFF, pending.attempts, needs.random);
  const error = toStorableText(redactText(`${fault.code}: ${fault.message}`));
  await postponePending(needs.database, pending.id, { error, delayMs });
  const { path, attempts } = pending;
  needs.log.warn({ err: fault, path, attempts, delayMs }, "a document still waits for the archive");
}

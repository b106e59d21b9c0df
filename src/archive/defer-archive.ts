import type { FileStore } from "../files/file-store.ts";
import type { Clock } from "../lib/clock.ts";
import type { Transaction } from "../store/database.ts";
import { toStorableText } from "../store/database.ts";
import { type ArchiveRequest, assertIsTheDocument, metadataOf } from "./archive-pdf.ts";
import { archivePath, pathWithHash } from "./hive-path.ts";
import { insertPending, isPathPromisedToOther } from "./pending-table.ts";

/**
 * Promises a path while the archive is down. The bytes go to the durable spool first, then the caller's transaction
 * gets a row, so that a success with this path and the promise commit together.
 */
export async function deferArchive(
  needs: { readonly tx: Transaction; readonly files: FileStore; readonly clock: Clock },
  request: ArchiveRequest,
  subjectId: string | null,
): Promise<string> {
  assertIsTheDocument(request);
  const { id: sha256 } = await needs.files.put(request.pdfBytes);
  const metadata = Object.fromEntries(
    Object.entries(metadataOf(request, needs.clock)).map(([name, text]) => [
      name,
      toStorableText(text),
    ]),
  );
  const first = archivePath(request);
  // Two attachments with the same name may both be waiting; each gets a path of its own.
  const isTaken = await isPathPromisedToOther(needs.tx, first, sha256);
  const path = isTaken ? pathWithHash(first, sha256) : first;
  await insertPending(needs.tx, { path, sha256, metadata, subjectId });
  return path;
}

import { Fault } from "../../../lib/fault.ts";
import type { DocumentContent } from "../../../trades/document-content.ts";
import { archiveDocument } from "./archive-document.ts";
import type { LostFile } from "./fetch-files.ts";
import type { Ingestion, IngestNeeds } from "./needs.ts";
import type { ReadDocument } from "./read-document.ts";
import { isEnded, recordFile } from "./record-file.ts";
import type { ArchivedDocument } from "./settle-documents.ts";

/**
 * Stage 5. While the archive is down, paths are promised instead: the bytes are in the database, so trades need not
 * wait for an archive that catches up later.
 */
export async function archiveAll(
  needs: IngestNeeds,
  ingestion: Ingestion,
  documents: readonly ReadDocument[],
): Promise<ArchivedDocument[]> {
  const archived: ArchivedDocument[] = [];
  for (const read of documents) {
    const content = contentToArchive(read);
    if (content === null) {
      archived.push({ read, path: read.document.archivePath });
      continue;
    }
    const path = await archiveDocument(needs, ingestion, read.document, content).catch((error) => {
      const isDown = error instanceof Fault && error.code === "blob.unavailable";
      if (isDown) return null;
      throw error;
    });
    archived.push({ read, path });
  }
  return archived;
}

/** A document that a person typed in because we could not read it is archived like any other. */
function contentToArchive(read: ReadDocument): DocumentContent | null {
  if (read.kind === "content") return read.content;
  const { status, archivePath, sizeBytes } = read.document;
  if (read.kind === "unreadable" || status !== "parsed" || archivePath !== null) return null;
  return sizeBytes === 0 ? null : BY_HAND;
}

const BY_HAND: DocumentContent = {
  documentType: "contract-note",
  kind: "note",
  lines: [],
  mentions: [],
  notes: [],
  missing: null,
};

/** A file that could not be fetched still gets a document row, because a person must look at the mail. */
export async function recordLost(
  needs: IngestNeeds,
  ingestion: Ingestion,
  file: LostFile,
): Promise<ReadDocument> {
  const document = await recordFile(needs, ingestion, { ...file, foundIn: "attachment" });
  if (isEnded(document)) return { kind: "ended", document };
  return { kind: "unreadable", document, reason: file.reason };
}

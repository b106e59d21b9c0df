import { recordDocument, type TradeDocument } from "../../../ingestion/document-table.ts";
import type { Ingestion, IngestNeeds } from "./needs.ts";

/** Records a file as a document; the same file of the same message has one row. */
export function recordFile(
  needs: Pick<IngestNeeds, "database">,
  ingestion: Ingestion,
  file: { name: string; size: number; sha256: string; foundIn: string },
): Promise<TradeDocument> {
  return recordDocument(needs.database, {
    emailKey: ingestion.emailKey,
    sha256: file.sha256,
    source: ingestion.source,
    mailbox: ingestion.mailbox,
    messageId: ingestion.messageId,
    senderEmail: ingestion.senderEmail,
    senderEvidence: ingestion.senderEvidence,
    receivedAt: ingestion.receivedAt,
    filename: file.name,
    sizeBytes: file.size,
    foundIn: file.foundIn,
  });
}

/** Whether the document is finished, so that there is nothing left to read. */
export function isEnded(document: TradeDocument): boolean {
  return document.status === "parsed" || document.status === "rejected";
}

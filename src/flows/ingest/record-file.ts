import { recordDocument, type TradeDocument } from "../../ingestion/document-table.ts";
import type { IngestNeeds, Walk } from "./needs.ts";

/** A file of a walk as its document row; the same file of the same mail has one row. */
export function recordFile(
  needs: Pick<IngestNeeds, "database">,
  walk: Walk,
  file: { name: string; size: number; sha256: string; foundIn: string },
): Promise<TradeDocument> {
  return recordDocument(needs.database, {
    emailKey: walk.emailKey,
    sha256: file.sha256,
    source: walk.source,
    mailbox: walk.mailbox,
    messageId: walk.messageId,
    senderEmail: walk.senderEmail,
    receivedAt: walk.receivedAt,
    filename: file.name,
    sizeBytes: file.size,
    foundIn: file.foundIn,
  });
}

/** Decided for good; there is nothing left to read. */
export function isEnded(document: TradeDocument): boolean {
  return document.status === "parsed" || document.status === "rejected";
}

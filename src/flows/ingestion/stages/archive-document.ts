/** Stage 5 for one document: archives it under a path that a retry computes again. */
import { type ArchiveRequest, archiveProcessedPdf } from "../../../archive/archive-pdf.ts";
import { type ArchiveOrigin, originOfMessage } from "../../../archive/archive-source.ts";
import { deferArchive } from "../../../archive/defer-archive.ts";
import type { TradeDocument } from "../../../ingestion/document-table.ts";
import { getStage, putStage, type StageKey } from "../../../ingestion/journal-table.ts";
import { killPoint } from "../../../lib/kill-points.ts";
import type { Transaction } from "../../../store/database.ts";
import type { DocumentContent } from "../../../trades/document-content.ts";
import { findTrader } from "../../../trades/routing/find-trader.ts";
import { tradeKeyOf } from "../../../trades/trade.ts";
import { type Ingestion, type IngestNeeds, todayOf } from "./needs.ts";
import { loadSpooled } from "./spool-file.ts";

/** Raise this when the same document may get another path. */
const VERSION = "1";

export async function archiveDocument(
  needs: IngestNeeds,
  ingestion: Ingestion,
  document: TradeDocument,
  content: DocumentContent,
): Promise<string> {
  const key: StageKey = {
    emailKey: ingestion.emailKey,
    sha256: document.sha256,
    stage: "archive",
    version: VERSION,
  };
  const known = await getStage<{ path: string }>(needs.database, key);
  if (known !== null) return known.path;
  const request = await archiveRequestOf(needs, ingestion, document, content);
  const writing = archiveProcessedPdf(needs, request);
  await killPoint("ingest.archive-sent");
  const path = await writing;
  await killPoint("ingest.archived");
  await putStage(needs.database, key, { path }, ingestion.workerId);
  return path;
}

/** Promises the path in the final transaction; the bytes wait in the spool. */
export async function promiseArchive(
  tx: Transaction,
  needs: IngestNeeds,
  ingestion: Ingestion,
  read: { document: TradeDocument; content: DocumentContent },
): Promise<string> {
  const request = await archiveRequestOf(needs, ingestion, read.document, read.content);
  return deferArchive({ tx, files: needs.files, clock: needs.clock }, request, read.document.id);
}

async function archiveRequestOf(
  needs: IngestNeeds,
  ingestion: Ingestion,
  document: TradeDocument,
  content: DocumentContent,
): Promise<ArchiveRequest> {
  const pdfBytes = await loadSpooled(needs, ingestion, document.sha256);
  const tradeKey = await tradeKeyOfDocument(needs, document, content);
  return {
    ...originOf(needs, ingestion, document, tradeKey),
    pdfBytes,
    filename: document.filename,
    sha256: document.sha256,
  };
}

function originOf(
  needs: IngestNeeds,
  ingestion: Ingestion,
  document: TradeDocument,
  tradeKey: string | undefined,
): ArchiveOrigin {
  if (ingestion.source === "graph_webhook") {
    return originOfMessage(needs, {
      id: ingestion.messageId!,
      from: ingestion.senderEmail,
      receivedDateTime: ingestion.receivedAt.toISOString(),
      ...(tradeKey === undefined ? {} : { tradeKey }),
    });
  }
  return {
    senderEmail: ingestion.senderEmail,
    receivedDate: ingestion.receivedAt,
    // Without a trade key, the hash of the content identifies the document, so that a retry finds the same
    // path.
    uniqueId: ingestion.generation ?? tradeKey ?? document.sha256.slice(0, 16),
    source: ingestion.source,
    ...(tradeKey === undefined ? {} : { tradeKey }),
  };
}

/** The key of the document's only trade; undefined if it reports none or several. */
async function tradeKeyOfDocument(
  needs: IngestNeeds,
  document: TradeDocument,
  content: DocumentContent,
): Promise<string | undefined> {
  const [line, ...more] = content.lines;
  if (line === undefined || more.length > 0) return undefined;
  const firm = { firmDomains: needs.firmDomains, today: todayOf(needs.clock) };
  const { username } = await findTrader(needs.database, firm, document, line.facts);
  return tradeKeyOf(line.facts, username) ?? undefined;
}

/** Step 5 for one document: into the archive under a name that a repetition finds again. */
import { type ArchiveRequest, archiveProcessedPdf } from "../../archive/archive-pdf.ts";
import { type ArchiveOrigin, originOfMessage } from "../../archive/archive-source.ts";
import { deferArchive } from "../../archive/defer-archive.ts";
import type { TradeDocument } from "../../ingestion/document-table.ts";
import { getStage, putStage, type StageKey } from "../../ingestion/journal-table.ts";
import { Fault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Transaction } from "../../store/database.ts";
import type { DocumentContent } from "../../trades/document-content.ts";
import { matchUser } from "../../trades/match-user.ts";
import { findPeople } from "../../trades/order-table.ts";
import { tradeKeyOf } from "../../trades/trade.ts";
import type { IngestNeeds, Walk } from "./needs.ts";

const VERSION = "1";

export async function archiveDocument(
  needs: IngestNeeds,
  walk: Walk,
  document: TradeDocument,
  content: DocumentContent,
): Promise<string> {
  const key: StageKey = {
    emailKey: walk.emailKey,
    sha256: document.sha256,
    stage: "archive",
    version: VERSION,
  };
  const known = await getStage<{ path: string }>(needs.database, key);
  if (known !== null) return known.path;
  const request = await archiveRequestOf(needs, walk, document, content);
  const writing = archiveProcessedPdf(needs, request);
  await killPoint("ingest.archive-sent");
  const path = await writing;
  await killPoint("ingest.archived");
  await putStage(needs.database, key, { path }, walk.workerId);
  return path;
}

/** Promises the path in the final transaction; the bytes are in the spool. */
export async function promiseArchive(
  tx: Transaction,
  needs: IngestNeeds,
  walk: Walk,
  read: { document: TradeDocument; content: DocumentContent },
): Promise<string> {
  const request = await archiveRequestOf(needs, walk, read.document, read.content);
  return deferArchive({ tx, files: needs.files, clock: needs.clock }, request, read.document.id);
}

async function archiveRequestOf(
  needs: IngestNeeds,
  walk: Walk,
  document: TradeDocument,
  content: DocumentContent,
): Promise<ArchiveRequest> {
  const pdfBytes = await needs.files.get(document.sha256);
  if (pdfBytes === null) throw new Fault("pdf.damaged", "the spool no longer has the document");
  const tradeKey = await tradeKeyOfDocument(needs, walk, content);
  return {
    ...originOf(needs, walk, document, tradeKey),
    pdfBytes,
    filename: document.filename,
    sha256: document.sha256,
  };
}

function originOf(
  needs: IngestNeeds,
  walk: Walk,
  document: TradeDocument,
  tradeKey: string | undefined,
): ArchiveOrigin {
  if (walk.source === "graph_webhook") {
    return originOfMessage(needs, {
      id: walk.messageId!,
      from: walk.senderEmail,
      receivedDateTime: walk.receivedAt.toISOString(),
      ...(tradeKey === undefined ? {} : { tradeKey }),
    });
  }
  return {
    senderEmail: walk.senderEmail,
    receivedDate: walk.receivedAt,
    // Without a trade key the content names the document, so that a repetition finds the same path.
    uniqueId: walk.generation ?? tradeKey ?? document.sha256.slice(0, 16),
    source: walk.source,
    ...(tradeKey === undefined ? {} : { tradeKey }),
  };
}

/** One trade names the document; of several none does. */
async function tradeKeyOfDocument(
  needs: IngestNeeds,
  walk: Walk,
  content: DocumentContent,
): Promise<string | undefined> {
  const [line, ...more] = content.lines;
  if (line === undefined || more.length > 0) return undefined;
  const { username } = matchUser({
    senderEmail: walk.senderEmail,
    firmDomains: needs.firmDomains,
    holder: line.facts.holder,
    people: await findPeople(needs.database),
  });
  return tradeKeyOf(line.facts, username) ?? undefined;
}

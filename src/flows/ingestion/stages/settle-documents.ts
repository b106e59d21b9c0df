/** Stage 6 for the documents: what they say takes effect, in the caller's transaction. */

import { endDocument, setArchivePath } from "../../../ingestion/document-table.ts";
import { openReviews } from "../../../review/review-table.ts";
import type { Transaction } from "../../../store/database.ts";
import { routeDocument } from "../../../trades/routing/route-document.ts";
import { countTradeLines } from "../../../trades/trade-line-table.ts";
import { promiseArchive } from "./archive-document.ts";
import { type Ingestion, type IngestNeeds, todayOf } from "./needs.ts";
import type { ReadDocument } from "./read-document.ts";

/** A document that was read, and its path in the archive; null if the archive is down. */
export interface ArchivedDocument {
  readonly read: ReadDocument;
  readonly path: string | null;
}

export interface Settled {
  readonly attachmentsProcessed: number;
  readonly tradesExtracted: number;
  readonly archivePaths: readonly string[];
  /** Documents that could not be read, with name and reason. */
  readonly unreadable: readonly string[];
}

export async function settleDocuments(
  tx: Transaction,
  needs: IngestNeeds,
  ingestion: Ingestion,
  documents: readonly ArchivedDocument[],
): Promise<Settled> {
  const paths: string[] = [];
  const unreadable: string[] = [];
  let processed = 0;
  let trades = 0;
  for (const { read, path } of documents) {
    if (read.kind === "unreadable") {
      unreadable.push(`${read.document.filename}: ${read.reason}`);
      await askAboutDocument(tx, read.document.id, read.reason);
      continue;
    }
    processed += 1;
    if (read.kind === "ended") {
      if (path !== null) paths.push(path);
      if (path !== null && read.document.archivePath === null) {
        await setArchivePath(tx, read.document.id, path);
      }
      trades += await countTradeLines(tx, read.document.id);
      continue;
    }
    const archived = path ?? (await promiseArchive(tx, needs, ingestion, read));
    paths.push(archived);
    trades += read.content.lines.length;
    await settleContent(tx, needs, ingestion, read, archived);
  }
  return {
    attachmentsProcessed: processed,
    tradesExtracted: trades,
    archivePaths: paths,
    unreadable,
  };
}

async function settleContent(
  tx: Transaction,
  needs: IngestNeeds,
  ingestion: Ingestion,
  read: ReadDocument & { kind: "content" },
  archivePath: string,
): Promise<void> {
  const { document, content, textHash } = read;
  await endDocument(tx, document.id, {
    status: "parsed",
    documentType: content.documentType,
    reason: content.notes.join("; ") || null,
    textSha256: textHash,
    archivePath,
  });
  const routed = await routeDocument(tx, {
    document,
    kind: content.kind,
    textHash,
    lines: content.lines,
    mentions: content.mentions,
    firmDomains: needs.firmDomains,
    today: todayOf(needs.clock),
    workerId: ingestion.workerId,
  });
  await openReviews(
    tx,
    routed.flatMap((line) => line.questions),
  );
}

async function askAboutDocument(
  tx: Transaction,
  documentId: string,
  reason: string,
): Promise<void> {
  await endDocument(tx, documentId, { status: "unreadable", reason });
  await openReviews(tx, [
    { subject: "document", documentId, lineId: null, tradeId: null, reasons: [reason] },
  ]);
}

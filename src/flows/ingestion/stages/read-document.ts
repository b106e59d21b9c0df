/**
 * Stage 4 for one file: commits its row, reads it, extracts its trades and keeps the result in the journal.
 * After a crash the journal is checked first, so that no file is read twice.
 */

import { countRead, type TradeDocument, uncountRead } from "../../../ingestion/document-table.ts";
import { getStage, putStage, type StageKey } from "../../../ingestion/journal-table.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { killPoint } from "../../../lib/kill-points.ts";
import type { ReadingResult } from "../../../reading/read-pdf.ts";
import type { DocumentContent } from "../../../trades/document-content.ts";
import type { Ingestion, IngestNeeds } from "./needs.ts";
import { isEnded, recordFile } from "./record-file.ts";
import { loadSpooled, type SpooledFile } from "./spool-file.ts";

/**
 * After this many processes died while reading a file, the file is blamed. It is rarely the cause: readers
 * are child processes, other messages are in progress at the same time, and machines stop.
 */
const READS_MAX = 5;

export type ReadDocument =
  | {
      readonly kind: "content";
      readonly document: TradeDocument;
      readonly content: DocumentContent;
      readonly textHash: string;
    }
  | { readonly kind: "unreadable"; readonly document: TradeDocument; readonly reason: string }
  /** An earlier ingestion has finished the document. */
  | { readonly kind: "ended"; readonly document: TradeDocument };

export type StageResult =
  | { readonly content: DocumentContent; readonly textHash: string }
  | { readonly unreadable: string };

export async function readDocument(
  needs: IngestNeeds,
  ingestion: Ingestion,
  file: SpooledFile,
): Promise<ReadDocument> {
  const document = await recordFile(needs, ingestion, file);
  if (isEnded(document)) return { kind: "ended", document };
  const key: StageKey = {
    emailKey: ingestion.emailKey,
    sha256: file.sha256,
    stage: "extract",
    version: needs.extract.version,
  };
  const fromJournal = await getStage<StageResult>(needs.database, key);
  const ourResult = fromJournal ?? (await readAndKeep(needs, ingestion, document, key));
  const fromReviewer =
    "unreadable" in ourResult
      ? await getStage<StageResult>(needs.database, givenStage(document))
      : null;
  const result = fromReviewer ?? ourResult;
  await ingestion.trace("4", {
    file: file.name,
    sha256: file.sha256,
    ...describe(
      result,
      fromReviewer !== null ? "a reviewer" : fromJournal !== null ? "journal" : null,
    ),
  });
  return "unreadable" in result
    ? { kind: "unreadable", document, reason: result.unreadable }
    : { kind: "content", document, ...result };
}

/** What was read with a reviewer's help, whatever the version of the reader. */
export const givenStage = (document: Pick<TradeDocument, "emailKey" | "sha256">): StageKey => ({
  emailKey: document.emailKey,
  sha256: document.sha256,
  stage: "given",
  version: "1",
});

async function readAndKeep(
  needs: IngestNeeds,
  ingestion: Ingestion,
  document: TradeDocument,
  key: StageKey,
): Promise<StageResult> {
  const result = await readBytes(needs, ingestion, document);
  await putStage(needs.database, key, result, ingestion.workerId);
  await killPoint("ingest.extraction-stored");
  return result;
}

async function readBytes(
  needs: IngestNeeds,
  ingestion: Ingestion,
  document: TradeDocument,
): Promise<StageResult> {
  const bytes = await loadSpooled(needs, ingestion, document.sha256);
  const reads = await countRead(needs.database, document.id);
  if (reads > READS_MAX) {
    return { unreadable: `poison: ${READS_MAX} processes died while reading it` };
  }
  const reading = needs.pdfs.read(bytes, ingestion.signal);
  await killPoint("ingest.sandbox-running");
  const read = await reading.catch(async (stopped) => {
    // A file that cannot be read gives a result; only our own shutdown throws, and that is not the file's fault.
    await uncountRead(needs.database, document.id);
    throw stopped;
  });
  return toStageResult(needs, read, ingestion.signal);
}

export async function toStageResult(
  { extract }: Pick<IngestNeeds, "extract">,
  read: ReadingResult,
  signal?: AbortSignal,
): Promise<StageResult> {
  if (!read.ok) return { unreadable: `${read.reason}: ${read.detail}` };
  const content = await extract(read.reading, signal);
  if (content.missing !== null) return { unreadable: `no-trade: ${content.missing}` };
  return { content, textHash: sha256Hex(read.reading.text) };
}

function describe(result: StageResult, source: string | null): object {
  const from = source === null ? {} : { from: source };
  if ("unreadable" in result) return { unreadable: result.unreadable, ...from };
  const { documentType, lines, notes } = result.content;
  return { documentType, trades: lines.length, ...(notes.length > 0 ? { notes } : {}), ...from };
}

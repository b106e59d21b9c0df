/**
 * Step 4 for one file: its row is committed, the reader is put on it, what it says is extracted and kept in
 * the journal. After a crash the journal is asked first, so no file is read twice for nothing.
 */

import { countRead, type TradeDocument, uncountRead } from "../../ingestion/document-table.ts";
import { getStage, putStage, type StageKey } from "../../ingestion/journal-table.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { DocumentContent } from "../../trades/document-content.ts";
import type { IngestNeeds, Walk } from "./needs.ts";
import { isEnded, recordFile } from "./record-file.ts";
import type { SpooledFile } from "./spool-file.ts";

/**
 * So often a process may end with a file in its hands before the file is held to be the cause. Readers are
 * processes of their own, so that it is seldom the file: other mails are worked on beside it, and machines stop.
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
  /** An earlier walk has brought it to its end. */
  | { readonly kind: "ended"; readonly document: TradeDocument };

type StageResult =
  | { readonly content: DocumentContent; readonly textHash: string }
  | { readonly unreadable: string };

export async function readDocument(
  needs: IngestNeeds,
  walk: Walk,
  file: SpooledFile,
): Promise<ReadDocument> {
  const document = await recordFile(needs, walk, file);
  if (isEnded(document)) return { kind: "ended", document };
  const key: StageKey = {
    emailKey: walk.emailKey,
    sha256: file.sha256,
    stage: "extract",
    version: needs.extract.version,
  };
  const known = await getStage<StageResult>(needs.database, key);
  const result = known ?? (await readAnew(needs, walk, document, key));
  await walk.trace("4", {
    file: file.name,
    sha256: file.sha256,
    ...describe(result, known !== null),
  });
  return "unreadable" in result
    ? { kind: "unreadable", document, reason: result.unreadable }
    : { kind: "content", document, ...result };
}

async function readAnew(
  needs: IngestNeeds,
  walk: Walk,
  document: TradeDocument,
  key: StageKey,
): Promise<StageResult> {
  const result = await readBytes(needs, walk, document);
  await putStage(needs.database, key, result, walk.workerId);
  await killPoint("ingest.extraction-stored");
  return result;
}

async function readBytes(
  needs: IngestNeeds,
  walk: Walk,
  document: TradeDocument,
): Promise<StageResult> {
  const reads = await countRead(needs.database, document.id);
  if (reads > READS_MAX) {
    return { unreadable: `poison: ${READS_MAX} processes ended while they read it` };
  }
  const bytes = await needs.files.get(document.sha256);
  if (bytes === null) return { unreadable: "lost: the spool no longer has it" };
  const reading = needs.pdfs.read(bytes, walk.signal);
  await killPoint("ingest.sandbox-running");
  const read = await reading.catch(async (stopped) => {
    // It says no by an answer; it throws only when we stop, which is not the file's doing.
    await uncountRead(needs.database, document.id);
    throw stopped;
  });
  if (!read.ok) return { unreadable: `${read.reason}: ${read.detail}` };
  const content = await needs.extract(read.reading, walk.signal);
  if (content.missing !== null) return { unreadable: `no-trade: ${content.missing}` };
  return { content, textHash: sha256Hex(read.reading.text) };
}

function describe(result: StageResult, isFromJournal: boolean): object {
  const from = isFromJournal ? { from: "journal" } : {};
  if ("unreadable" in result) return { unreadable: result.unreadable, ...from };
  const { documentType, lines, notes } = result.content;
  return { documentType, trades: lines.length, ...(notes.length > 0 ? { notes } : {}), ...from };
}

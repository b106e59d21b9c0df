import type { BlobStore } from "../../../files/blob-store.ts";
import type { FileStore } from "../../../files/file-store.ts";
import type { DocumentSource } from "../../../ingestion/document-table.ts";
import type { IngestionTable } from "../../../ingestion/ingestion-table.ts";
import type { SenderEvidence } from "../../../ingestion/sender-evidence.ts";
import type { Stage } from "../../../ingestion/trace-table.ts";
import type { JobQueue } from "../../../jobs/job.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import type { PdfReader } from "../../../reading/read-pdf.ts";
import type { Reading } from "../../../reading/reading.ts";
import type { Database } from "../../../store/database.ts";
import type { DocumentContent } from "../../../trades/document-content.ts";
import type { MailSource } from "./mail-source.ts";

export interface IngestNeeds {
  readonly database: Database;
  readonly table: IngestionTable;
  readonly mail: MailSource;
  /** The durable spool, which all workers share. */
  readonly files: FileStore;
  readonly blobs: BlobStore;
  readonly pdfs: Pick<PdfReader, "read">;
  readonly extract: Extract;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Mail from these domains comes from our own people. */
  readonly firmDomains: readonly string[];
}

export interface Extract {
  /** Changes whenever the same reading may give a different result. */
  readonly version: string;
  (reading: Reading, signal?: AbortSignal): DocumentContent | Promise<DocumentContent>;
}

/** One message or file on its way through the stages: where it comes from, who works on it, where its trace goes. */
export interface Ingestion {
  readonly emailKey: string;
  readonly source: DocumentSource;
  readonly mailbox: string | null;
  readonly messageId: string | null;
  readonly senderEmail: string;
  readonly senderEvidence: SenderEvidence | null;
  readonly receivedAt: Date;
  /** The version of a file in a watched folder. */
  readonly generation: string | null;
  readonly workerId: string;
  /** Aborted when the claim is lost or the process must stop. */
  readonly signal: AbortSignal;
  /** Puts files that the spool lacks into it again; null if they cannot be fetched. */
  readonly fetchAgain: (() => Promise<void>) | null;
  readonly trace: (stage: Stage, detail?: object) => Promise<void>;
}

export const todayOf = (clock: Clock): string => new Date(clock.now()).toISOString().slice(0, 10);

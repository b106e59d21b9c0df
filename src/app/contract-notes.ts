/** Wires ingestion: contract notes from mail, uploads and a watched folder become trades. */
import { join } from "node:path";
import type { EvidenceBundle, EvidenceSelector } from "../archive/evidence.ts";
import { parseBlobSettings } from "../files/blob-settings.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { type FileStore, openDiskFileStore } from "../files/file-store.ts";
import { openBlobStore } from "../files/open-blob-store.ts";
import { afterEvents } from "../flows/ingestion/after-events.ts";
import { applyReviewHandler } from "../flows/ingestion/apply-review.ts";
import { createIngestionAudit } from "../flows/ingestion/audit-ingestion.ts";
import { backfillMailHandler, createBackfills } from "../flows/ingestion/backfill-mail.ts";
import { clearArchiveBacklog } from "../flows/ingestion/clear-archive-backlog.ts";
import { FORGET_EVERY_MS, forgetIngestion } from "../flows/ingestion/forget-ingestion.ts";
import { gatherEvidence } from "../flows/ingestion/gather-evidence.ts";
import { ingestFileHandler } from "../flows/ingestion/ingest-file.ts";
import { ingestMailHandler } from "../flows/ingestion/ingest-mail.ts";
import { createPoller } from "../flows/ingestion/poll-files.ts";
import { createIdProbe, type IdProbe } from "../flows/ingestion/probe-ids.ts";
import { readAgain } from "../flows/ingestion/read-again.ts";
import {
  createDirectoryReader,
  DIRECTORY_LOOK_MS,
  readDirectory,
} from "../flows/ingestion/read-directory.ts";
import { createGraphMailSource } from "../flows/ingestion/stages/graph-mail-source.ts";
import type { Extract } from "../flows/ingestion/stages/needs.ts";
import { SWEEP_EVERY_MS, sweepIngestion } from "../flows/ingestion/sweep-ingestion.ts";
import { folderPlace, storePlace } from "../flows/ingestion/watched-place.ts";
import type { Backfills } from "../flows/specs/ingestion.ts";
import type { ReadAgain } from "../flows/specs/read-again.ts";
import {
  ensureIngestionTable,
  type IngestionTable,
  ingestionTable,
} from "../ingestion/ingestion-table.ts";
import { shareSpool } from "../ingestion/shared-spool.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import { every, systemClock } from "../lib/clock.ts";
import type { FollowUp } from "../mailbox/events/record-observations.ts";
import type { Mailbox } from "../mailbox/mailbox-table.ts";
import type { IngestionAudit } from "../mailbox/operating/audit-mailbox.ts";
import { loadModelLibrary } from "../models/model.ts";
import { findTesseract } from "../reading/ocr.ts";
import { createPdfReader } from "../reading/read-pdf.ts";
import { createTextReader, type TextReader } from "../reading/read-text.ts";
import { createSandboxPool } from "../reading/sandbox-pool.ts";
import type { Isolation } from "../reading/walls.ts";
import { extractContent } from "../trades/content/content-of-extraction.ts";
import { createDriftWatch } from "../trades/drift/sender-yield.ts";
import { createModelMetrics } from "../trades/second-reader/model-metrics.ts";
import { extractWithModel } from "../trades/second-reader/second-reader.ts";
import type { Closers, Foundation } from "./foundation.ts";
import { lateQueue } from "./late-queue.ts";
import { modelSettings } from "./model-settings.ts";

export interface ContractNotes {
  readonly table: IngestionTable;
  readonly files: FileStore;
  /** Reads the text of files of every kind, in the same sandbox. */
  readonly texts: TextReader;
  readonly blobs: BlobStore;
  readonly handlers: readonly JobHandler[];
  readonly followUp: FollowUp;
  readonly backfills: Backfills;
  readonly ingestionAudit: IngestionAudit;
  readonly ids: IdProbe;
  /** How well the reader of untrusted files is isolated here. */
  readonly isolation: () => Isolation;
  /** Imports the people of the firm from the tenant's directory; null if it may not be read. */
  readonly readDirectory: () => Promise<number | null>;
  /** Reads the document of a question with what a reviewer gives. */
  readonly readAgain: ReadAgain;
  readonly gatherEvidence: (subject: EvidenceSelector) => Promise<EvidenceBundle | null>;
  /** Starts the periodic tasks; only in a process with workers. */
  begin(): void;
}

const ARCHIVE_EVERY_MS = 30_000;
const WATCH_EVERY_MS = 5_000;
const WATCH_STORE_EVERY_MS = 60_000;
const DRIFT_EVERY_MS = 600_000;

export async function createContractNotes(
  base: Foundation,
  queue: () => JobQueue,
  closers: Closers,
): Promise<ContractNotes> {
  const { config, database, clock, random, log, connections } = base;
  const table = ingestionTable({ naming: config.ingest, leaseMs: config.leaseSeconds * 1_000 });
  await ensureIngestionTable(database, table);
  const disk = await openDiskFileStore({ folder: join(config.home, "files"), clock, random });
  const files = shareSpool(database, disk);
  const blobs = await openBlobStore(
    { clock, random },
    parseBlobSettings(config.archiveStore, {
      folder: join(config.home, "archive"),
      connectionString: config.archiveSecret,
      authorityOrigin: config.authorityOrigin,
    }),
  );
  closers.push(() => blobs.close());
  const watched = await openWatchedStore(base, closers);
  // Timeouts of the sandbox use real time even if a test moves the clock.
  const pool = createSandboxPool({ clock: systemClock });
  const ocr = findTesseract();
  const pdfs = createPdfReader({ clock: systemClock, pool, ...(ocr === null ? {} : { ocr }) });
  closers.push(() => pool.close());
  const isolation = () => pool.stats().isolation;

  const watchDrift = createDriftWatch(base);
  const jobs = lateQueue(queue);
  const graphOf = (mailbox: Mailbox) => connections.graph(mailbox.connection);
  const needs = {
    database,
    table,
    files,
    blobs,
    pdfs,
    jobs,
    clock,
    random,
    log,
    pool,
    mail: createGraphMailSource({ database, graphOf }),
    extract: await extractorOf(base),
    firmDomains: config.firmDomains,
  };
  const ids = createIdProbe(needs);
  const directories = connections.names.map((name) => connections.graph(name));
  const directory = { database, log, clock, directories };
  return {
    table,
    files,
    texts: createTextReader({ pool, pdfs }),
    blobs,
    ids,
    isolation,
    handlers: [
      ingestMailHandler({
        ...needs,
        ...(config.checksIds ? { getObstacle: ids.getObstacle } : {}),
      }),
      ingestFileHandler(needs),
      applyReviewHandler(needs),
      backfillMailHandler(needs),
    ] as JobHandler[],
    followUp: afterEvents(jobs),
    backfills: createBackfills(needs),
    ingestionAudit: createIngestionAudit(needs),
    readDirectory: () => readDirectory(directory),
    readAgain: (id, given, by) => readAgain(needs, id, given, by),
    gatherEvidence: (subject) => gatherEvidence(needs, subject),
    begin() {
      const repeat = (pauseMs: number, what: string, task: () => Promise<unknown>) => {
        const warn = (error: unknown) =>
          log.warn({ err: error }, `${what} failed and will be retried`);
        closers.push(every(clock, pauseMs, task, warn));
      };
      repeat(SWEEP_EVERY_MS, "the sweep of dead claims", () => sweepIngestion(needs));
      repeat(ARCHIVE_EVERY_MS, "the archive's backlog", () => clearArchiveBacklog(needs));
      repeat(FORGET_EVERY_MS, "removing old data", () =>
        forgetIngestion(needs, config.ingestRetentionDays),
      );
      repeat(DIRECTORY_LOOK_MS, "reading the directory", createDirectoryReader(directory));
      repeat(DRIFT_EVERY_MS, "looking for changed layouts", watchDrift);
      if (config.watchFolder !== null) {
        const poller = createPoller({ ...needs, place: folderPlace(config.watchFolder) });
        repeat(WATCH_EVERY_MS, "polling the watched folder", poller.poll);
      }
      if (watched !== null) {
        const place = storePlace(watched, config.watchPrefix, clock);
        repeat(
          WATCH_STORE_EVERY_MS,
          "polling the watched store",
          createPoller({ ...needs, place }).poll,
        );
      }
      // The first note should not wait for the sandbox to start.
      pdfs.warm();
      if (isolation() !== "contained")
        log.warn({ isolation: isolation() }, "the sandbox is weak here; postroom doctor says why");
    },
  };
}

/** The bucket that another program puts notes into, if any. */
async function openWatchedStore(
  { config, clock, random }: Foundation,
  closers: Closers,
): Promise<BlobStore | null> {
  if (config.watchStore === null) return null;
  const { home: folder, archiveSecret: connectionString, authorityOrigin } = config;
  const access = { folder, connectionString, authorityOrigin };
  const settings = parseBlobSettings(config.watchStore, access, "INGEST_WATCH_STORE");
  const store = await openBlobStore({ clock, random }, settings);
  closers.push(() => store.close());
  return store;
}

/** The rules alone, or with a model as second reader if one is configured. */
async function extractorOf({ config, metrics }: Foundation): Promise<Extract> {
  const settings = modelSettings(config);
  if (settings === null) return extractContent;
  await loadModelLibrary();
  return extractWithModel({ settings, observe: createModelMetrics(metrics) });
}

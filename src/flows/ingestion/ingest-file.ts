/**
 * Takes a file that did not arrive by mail through the same stages: the same code reads, archives and routes
 * it. There is no message to claim; the job's own lease is enough, because no other program knows the file.
 */

import { recordStage } from "../../ingestion/trace-table.ts";
import { newWorkerId } from "../../ingestion/worker-id.ts";
import type { JobHandler, JobRun } from "../../jobs/handler.ts";
import { handle } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { type JobOutcome, success } from "../../jobs/outcome.ts";
import { ingestFile } from "../specs/ingestion.ts";
import { archiveAll } from "./stages/archive-all.ts";
import type { Ingestion, IngestNeeds } from "./stages/needs.ts";
import { readDocument } from "./stages/read-document.ts";
import { settleDocuments } from "./stages/settle-documents.ts";

type FileJob = Job<(typeof ingestFile)["payload"]["_output"]>;

export function ingestFileHandler(needs: IngestNeeds): JobHandler<FileJob["payload"]> {
  return handle(ingestFile, (job, run) => ingest(needs, job, run), { concurrency: 2 });
}

async function ingest(needs: IngestNeeds, job: FileJob, run: JobRun): Promise<JobOutcome> {
  const { sha256, filename } = job.payload;
  const ingestion = ingestionOf(needs, job, run);
  const stored = await needs.files.stat(sha256);
  const file = { name: filename, size: stored?.size ?? 0, sha256, foundIn: job.payload.source };
  const document = await readDocument(needs, ingestion, file);
  const archived = await archiveAll(needs, ingestion, [document]);
  await ingestion.trace("5", { paths: archived.map(({ path }) => path) });
  const settled = await run.commit([job], (tx) => settleDocuments(tx, needs, ingestion, archived));
  const [unreadable] = settled.unreadable;
  await ingestion.trace(unreadable === undefined ? "6" : "6b", { ...settled });
  return success(unreadable ?? `${settled.tradesExtracted} trades`);
}

function ingestionOf(needs: IngestNeeds, job: FileJob, run: JobRun): Ingestion {
  const { source, senderEmail, receivedAt, generation, sha256 } = job.payload;
  const isOwn = job.payload.isOwn ?? false;
  const workerId = newWorkerId(needs.random);
  return {
    // The same bytes from the same person are the same upload; a watched folder counts its own versions.
    emailKey:
      generation === undefined ? `upload|${senderEmail.toLowerCase()}` : `poller|${generation}`,
    source,
    mailbox: null,
    messageId: null,
    senderEmail,
    senderEvidence: source === "manual_upload" ? { kind: "upload", isOwn } : { kind: "folder" },
    receivedAt: new Date(receivedAt),
    generation: generation ?? null,
    workerId,
    signal: run.signal,
    fetchAgain: null,
    trace: (stage, detail) =>
      recordStage(needs.database, {
        messageId: sha256,
        worker: workerId,
        step: stage,
        ...(detail === undefined ? {} : { detail }),
      }),
  };
}

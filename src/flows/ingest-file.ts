/**
 * A file that came by another way than mail takes the same steps: it is read, archived and routed by the
 * same code. There is no message to claim; the job's own lease is enough, as nobody else knows the file.
 */

import { newWorkerId } from "../ingestion/ingestion-table.ts";
import { recordStep } from "../ingestion/trace-table.ts";
import type { JobHandler, JobRun } from "../jobs/handler.ts";
import { handle } from "../jobs/handler.ts";
import type { Job } from "../jobs/job.ts";
import { type JobOutcome, success } from "../jobs/outcome.ts";
import { archiveAll } from "./ingest/archive-all.ts";
import type { IngestNeeds, Walk } from "./ingest/needs.ts";
import { readDocument } from "./ingest/read-document.ts";
import { settleDocuments } from "./ingest/settle-documents.ts";
import { ingestFile } from "./specs-ingest.ts";

type FileJob = Job<(typeof ingestFile)["payload"]["_output"]>;

export function ingestFileHandler(needs: IngestNeeds): JobHandler<FileJob["payload"]> {
  return handle(ingestFile, (job, run) => ingest(needs, job, run), { concurrency: 2 });
}

async function ingest(needs: IngestNeeds, job: FileJob, run: JobRun): Promise<JobOutcome> {
  const { sha256, filename } = job.payload;
  const walk = walkOf(needs, job, run);
  const stored = await needs.files.stat(sha256);
  const file = { name: filename, size: stored?.size ?? 0, sha256, foundIn: job.payload.source };
  const document = await readDocument(needs, walk, file);
  const archived = await archiveAll(needs, walk, [document], job.attempt >= job.maxAttempts);
  await walk.trace("5", { paths: archived.map(({ path }) => path) });
  const settled = await run.commit([job], (tx) => settleDocuments(tx, needs, walk, archived));
  const [unreadable] = settled.unreadable;
  await walk.trace(unreadable === undefined ? "6" : "6b", { ...settled });
  return success(unreadable ?? `${settled.tradesExtracted} trades`);
}

function walkOf(needs: IngestNeeds, job: FileJob, run: JobRun): Walk {
  const { source, senderEmail, receivedAt, generation, sha256 } = job.payload;
  const workerId = newWorkerId(needs.random);
  return {
    // The same bytes of the same person are the same upload; a watched folder counts its own versions.
    emailKey:
      generation === undefined ? `upload|${senderEmail.toLowerCase()}` : `poller|${generation}`,
    source,
    mailbox: null,
    messageId: null,
    senderEmail,
    receivedAt: new Date(receivedAt),
    generation: generation ?? null,
    workerId,
    signal: run.signal,
    trace: (step, detail) =>
      recordStep(needs.database, {
        messageId: sha256,
        worker: workerId,
        step,
        ...(detail === undefined ? {} : { detail }),
      }),
  };
}

/** What happens to a saved document afterwards. A failure is a warning: the document stands, and the job can be repeated. */
import { isPassing } from "../../filing/record.ts";
import type { JobHandler } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { handleOffice } from "../../jobs/office-outcome.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Log } from "../../lib/log.ts";
import { officeDeepAnalysis, officeIndexing, officeProfile } from "../specs/office.ts";
import { DEEP_ANALYSIS_NAME, PROFILE_NAME } from "./finalize-upload.ts";

/** Analyses a document and writes what it found to the record; says in words what it did. */
export type AnalyzeDocument = (
  documentId: string,
  analysis: string,
  signal: AbortSignal,
) => Promise<string>;

export interface FollowUpNeeds {
  /** Null if nothing analyses documents here. */
  readonly analyze: AnalyzeDocument | null;
  /** Null if documents are not indexed here. */
  readonly index:
    | ((documentId: string, signal: AbortSignal) => Promise<{ chunks: number; tookMs: number }>)
    | null;
  readonly log: Log;
}

export function followUpHandlers(needs: FollowUpNeeds): JobHandler[] {
  return [
    handleOffice(officeProfile, (job, run) => analyze(needs, job, PROFILE_NAME, run.signal)),
    handleOffice(officeDeepAnalysis, (job, run) =>
      analyze(needs, job, DEEP_ANALYSIS_NAME, run.signal),
    ),
    handleOffice(officeIndexing, (job, run) => index(needs, job, run.signal)),
  ] as JobHandler[];
}

type AboutDocument = Job<{ documentId: string }>;

async function analyze(
  { analyze, log }: FollowUpNeeds,
  job: AboutDocument,
  analysis: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (analyze === null) return excluded(`nothing here makes a ${analysis}`);
  return warned(log, job, signal, () => analyze(job.payload.documentId, analysis, signal));
}

async function index(
  { index, log }: FollowUpNeeds,
  job: AboutDocument,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (index === null) return excluded("documents are not indexed here");
  return warned(log, job, signal, async () => {
    const { documentId } = job.payload;
    const { chunks, tookMs } = await index(documentId, signal);
    log.info({ documentId, chunks, tookMs }, "a saved document was indexed");
    return `${chunks} chunks in ${tookMs} ms`;
  });
}

/** What may pass is tried again; what remains is a warning, and the job has succeeded. */
async function warned(
  log: Log,
  { jobType, payload, attempt, maxAttempts }: AboutDocument,
  signal: AbortSignal,
  work: () => Promise<string>,
): Promise<JobOutcome> {
  try {
    return success(await work());
  } catch (error) {
    // At shutdown, the worker decides what becomes of the job.
    if (signal.aborted || (isPassing(error) && attempt < maxAttempts)) throw error;
    const { documentId } = payload;
    log.warn(
      { documentId, jobType, err: error },
      "a saved document stands, but a job after it failed",
    );
    return success(`warning: ${(error as Error).message}`);
  }
}

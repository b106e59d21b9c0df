/** What happens to a saved document afterwards. A failure is a warning: the document stays, and a temporary failure is retried. */
import { DEEP_ANALYSIS, PROFILE } from "../../analysis/playbook.ts";
import { isTemporary } from "../../filing/record.ts";
import type { JobHandler } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { handleOffice } from "../../jobs/office-outcome.ts";
import { excluded, failure, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Log } from "../../lib/log.ts";
import { officeDeepAnalysis, officeIndexing, officeProfile } from "../specs/office.ts";
import type { IndexResult } from "../specs/search.ts";

type AboutDocument = Job<{ documentId: string }>;

export interface FollowUpNeeds {
  /** Analyses a document with a playbook; a profile is written to the record. Null if nothing analyses documents here. */
  readonly analyze:
    | ((job: AboutDocument, playbookId: string, signal: AbortSignal) => Promise<JobOutcome>)
    | null;
  /** Null if documents are not indexed here. */
  readonly index: ((documentId: string, signal: AbortSignal) => Promise<IndexResult>) | null;
  readonly log: Log;
}

export function followUpHandlers(needs: FollowUpNeeds): JobHandler[] {
  return [
    handleOffice(officeProfile, (job, run) => analyze(needs, job, PROFILE, run.signal)),
    handleOffice(officeDeepAnalysis, (job, run) => analyze(needs, job, DEEP_ANALYSIS, run.signal)),
    handleOffice(officeIndexing, (job, run) => index(needs, job, run.signal)),
  ] as JobHandler[];
}

async function analyze(
  { analyze, log }: FollowUpNeeds,
  job: AboutDocument,
  playbookId: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (analyze === null) return excluded("analyses are off here");
  return warned(log, job, signal, () => analyze(job, playbookId, signal));
}

async function index(
  { index, log }: FollowUpNeeds,
  job: AboutDocument,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (index === null) return excluded("documents are not indexed here");
  return warned(log, job, signal, async () => {
    const { documentId } = job.payload;
    const result = await index(documentId, signal);
    if (result.kind === "gone") return excluded("the document no longer exists");
    if (result.kind === "unchanged") return excluded("this version is in the index already");
    const { chunks, tookMs, reason } = result;
    log.info({ documentId, chunks, tookMs }, "a saved document was indexed");
    return success(reason ?? `${chunks} chunks in ${tookMs} ms`);
  });
}

/** A temporary failure is retried; what remains is a warning, and the job has succeeded. */
async function warned(
  log: Log,
  { jobType, payload, attempt, maxAttempts }: AboutDocument,
  signal: AbortSignal,
  work: () => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const warn = (err: unknown, message: string) => {
    const { documentId } = payload;
    log.warn({ documentId, jobType, err }, "a document was saved, but a follow-up job failed");
    return success(`warning: ${message}`);
  };
  try {
    const outcome = await work();
    if (outcome.isSuccess) return outcome;
    const { errorCode, errorMessage, retryable, ...more } = outcome;
    if (!retryable) return warn({ code: errorCode }, errorMessage);
    const code = outcome.countsAsAttempt ? "OFFICE_UNEXPECTED" : "OFFICE_THROTTLED";
    return failure(code, errorMessage, more);
  } catch (error) {
    // At shutdown, the worker decides what becomes of the job.
    if (signal.aborted || (isTemporary(error) && attempt < maxAttempts)) throw error;
    return warn(error, (error as Error).message);
  }
}

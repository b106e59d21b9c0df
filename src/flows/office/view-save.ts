/** A save as its owner sees it, put together from its row, its job and the phases that the job noted. */
import { getFiling } from "../../filing/filing-table.ts";
import { getSave, type OfficeSaveRow } from "../../filing/office/office-save-table.ts";
import { partsOf } from "../../filing/office/put-files.ts";
import { findJobEvents, type JobEvent } from "../../jobs/status/job-event-table.ts";
import type { JobState, JobView } from "../../jobs/status/job-status-table.ts";
import type { Queryable } from "../../store/database.ts";
import {
  type OfficeJobStatus,
  type OfficeJobView,
  PHASES,
  type PhaseEvent,
} from "../specs/office.ts";
import { getJobOfSave } from "./get-job-of-save.ts";

const STATUS: Readonly<Record<JobState, OfficeJobStatus["status"]>> = {
  Queued: "Queued",
  Running: "Running",
  Completed: "Completed",
  Failed: "Failed",
  Poisoned: "Failed",
  Cancelled: "Cancelled",
};

/** Null if this person has no such save. */
export async function viewSave(
  on: Queryable,
  ownerId: string,
  id: string,
  afterVersion = 0,
): Promise<OfficeJobView | null> {
  const save = await getSave(on, id);
  if (save === null || save.ownerId !== ownerId || save.jobId === null) return null;
  const job = await getJobOfSave(on, save);
  if (job === null) return null; // ended so long ago that its job was removed
  const rowId = job.status.jobId;
  const events = await findJobEvents(on, rowId, 0);
  const { phases, ...progress } = progressOf(events, job);
  const { status } = job;
  return {
    rowId,
    version: job.version,
    isFinished: job.isFinished,
    events: events.filter(({ version }) => version > afterVersion),
    status: {
      jobId: id,
      status: STATUS[status.status],
      jobType: `${save.facts.kind}Save`,
      ...progress,
      completedPhases: phases,
      createdAt: save.createdAt.toISOString(),
      startedAt: status.startedAt,
      completedAt: status.completedAt,
      result: status.status === "Completed" ? await resultOf(on, save) : null,
      error: errorOf(job),
    },
  };
}

function progressOf(events: readonly JobEvent[], { status }: JobView) {
  const isDone = status.status === "Completed";
  const seen: PhaseEvent[] = events
    .filter(({ name }) => name === "stage-update")
    .map(({ data }) => data as PhaseEvent);
  if (isDone) seen.push({ phase: "Complete", progress: PHASES.Complete, at: status.completedAt! });
  // A repeated attempt notes its phases again; the first time counts.
  const first = seen.filter(
    (each, index) => seen.findIndex(({ phase }) => phase === each.phase) === index,
  );
  const ordered = first.sort((a, b) => a.progress - b.progress);
  const phases = ordered.map((each, index) => ({
    name: each.phase,
    completedAt: each.at,
    durationMs: Math.max(0, Date.parse(each.at) - Date.parse(ordered[index - 1]?.at ?? each.at)),
  }));
  const last = ordered.at(-1);
  return { phases, progress: last?.progress ?? 0, currentPhase: last?.phase ?? null };
}

async function resultOf(
  on: Queryable,
  { id, facts }: OfficeSaveRow,
): Promise<OfficeJobStatus["result"]> {
  const [main, ...attachments] = partsOf(id, facts);
  const filing = await getFiling(on, main!.filingId);
  const { mail } = facts;
  return {
    artifact: {
      type: facts.kind,
      id: main!.filingId,
      name: facts.main.name,
      webUrl: filing?.webUrl ?? null,
      attachments: attachments.map(({ filingId }) => filingId),
    },
    extractedMetadata:
      mail === null
        ? null
        : { subject: mail.subject, sender: mail.from, date: mail.sentDate ?? mail.receivedDate },
  };
}

function errorOf({ status, isFinished }: JobView): OfficeJobStatus["error"] {
  if (status.errorCode === null || status.status === "Completed") return null;
  return {
    code: status.errorCode,
    message: status.errorMessage ?? "",
    retryable: !isFinished,
    retryCount: status.attempt - 1,
  };
}

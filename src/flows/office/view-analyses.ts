/** The deep analyses of a save, for the person who saved: their job makes them, and a right that was lost hides them. */
import { type Analysis, findAnalyses } from "../../analysis/analysis-table.ts";
import { type Actors, actorFor, type Sender } from "../../filing/actors.ts";
import { getSave } from "../../filing/office/office-save-table.ts";
import { partsOf } from "../../filing/office/put-files.ts";
import { findNewestJobs, getJobView, type JobView } from "../../jobs/status/job-status-table.ts";
import { findReadable } from "../../rights/find-readable.ts";
import type { Queryable } from "../../store/database.ts";
import { type OfficeAnalysis, officeDeepAnalysis } from "../specs/office.ts";

export interface ViewAnalysesNeeds {
  readonly database: Queryable;
  readonly actors: Actors;
}

/** Null if this person has no such save. */
export async function viewAnalyses(
  { database, actors }: ViewAnalysesNeeds,
  caller: Sender,
  id: string,
): Promise<OfficeAnalysis[] | null> {
  const save = await getSave(database, id);
  if (save === null || save.ownerId !== caller.id || save.jobId === null) return null;
  // Ended so long ago that its jobs were removed.
  if ((await getJobView(database, save.jobId)) === null) return null;
  if (!save.facts.ai?.deepAnalysis) return [];
  const parts = partsOf(save.id, save.facts);
  const ids = parts.map(({ filingId }) => filingId);
  const jobs = await findNewestJobs(database, officeDeepAnalysis.type, ids);
  const jobIds = [...jobs.values()].map(({ status }) => status.jobId);
  const analyses = await findAnalyses(database, jobIds, caller.id);
  const readable = await findReadable(actorFor(actors, caller).dataverse, ids);
  return parts
    .filter(({ filingId }) => readable.has(filingId))
    .map(({ filingId, file }) => {
      const job = jobs.get(filingId);
      // An analysis has the id of its job.
      const analysis = analyses.find((each) => each.id === job?.status.jobId);
      return { documentId: filingId, name: file.name, ...progressOf(job, analysis) };
    });
}

function progressOf(
  job: JobView | undefined,
  analysis: Analysis | undefined,
): Pick<OfficeAnalysis, "state" | "author" | "content" | "error"> {
  const { author = null, content = "", error = null } = analysis ?? {};
  if (analysis?.state === "completed") return { state: "completed", author, content, error };
  // What a failed attempt wrote is not shown: its figures may not stand in the text.
  if (job?.isFinished) return { state: "failed", author, content: "", error };
  if (analysis?.state === "running") return { state: "running", author, content, error };
  return { state: "waiting", author: null, content: "", error };
}

import type { OfficeSaveRow } from "../../filing/office/office-save-table.ts";
import { findNewestJobs, getJobView, type JobView } from "../../jobs/status/job-status-table.ts";
import type { Queryable } from "../../store/database.ts";
import { uploadFinalization } from "../specs/office.ts";

/** The job that finishes a save. An operator who replays a dead one adds a newer one. Null if it was removed. */
export async function getJobOfSave(
  on: Queryable,
  { id, ownerId, jobId }: Pick<OfficeSaveRow, "id" | "ownerId" | "jobId">,
): Promise<JobView | null> {
  if (jobId === null) return null;
  const newest = (await findNewestJobs(on, uploadFinalization.type, [id])).get(id);
  // A message of another program may claim to be about this save; its job belongs to nobody.
  return newest?.ownerId === ownerId ? newest : getJobView(on, jobId);
}

export const hasFailed = ({ isFinished, status }: JobView): boolean =>
  isFinished && status.status !== "Completed";

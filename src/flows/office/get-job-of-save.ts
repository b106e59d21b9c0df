import type { OfficeSaveRow } from "../../filing/office/office-save-table.ts";
import { stageKey } from "../../jobs/job-keys.ts";
import { findKeyHolders } from "../../jobs/job-table.ts";
import { getJobView, type JobView } from "../../jobs/status/job-status-table.ts";
import type { Queryable } from "../../store/database.ts";
import { uploadFinalization } from "../specs/office.ts";

/**
 * The job that finishes a save; null if it was removed. If it failed for good and an operator replayed it, the newer
 * one has its key.
 */
export async function getJobOfSave(
  on: Queryable,
  { id, ownerId, jobId }: Pick<OfficeSaveRow, "id" | "ownerId" | "jobId">,
): Promise<JobView | null> {
  const job = jobId === null ? null : await getJobView(on, jobId);
  if (job === null || !hasFailed(job)) return job;
  const [holder] = await findKeyHolders(on, uploadFinalization.type, [stageKey(id, "upload")]);
  const replayed = holder === undefined ? null : await getJobView(on, holder.id);
  // A message of another program may have this key; its job belongs to nobody.
  return replayed?.ownerId === ownerId ? replayed : job;
}

export const hasFailed = ({ isFinished, status }: JobView): boolean =>
  isFinished && status.status !== "Completed";

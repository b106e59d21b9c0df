import type { Transaction } from "../../store/database.ts";
import { raiseVersion } from "../job-table.ts";
import { insertJobEvent } from "./job-event-table.ts";

/** Shows the progress of a job, such as a percentage, to those who follow it. Does nothing for a job that has ended. */
export async function noteProgress(
  tx: Transaction,
  jobId: string,
  name: "progress" | "stage-update",
  data: object,
): Promise<void> {
  const version = await raiseVersion(tx, jobId);
  if (version !== null) await insertJobEvent(tx, jobId, { version, name, data });
}

import type { Transaction } from "../../store/database.ts";
import { raiseVersion } from "../job-table.ts";
import { insertJobEvent } from "./job-event-table.ts";

/** Shows the watchers of a job how far it is, such as a percentage. Does nothing for a job that has ended. */
export async function noteProgress(
  tx: Transaction,
  jobId: string,
  name: "progress" | "stage-update",
  data: object,
): Promise<void> {
  const version = await raiseVersion(tx, jobId);
  if (version !== null) await insertJobEvent(tx, jobId, { version, name, data });
}

/** A job: it writes one row for each person, however often it is asked to and wherever its worker dies. */
import * as z from "zod";
import { handle } from "../../src/jobs/handler.ts";
import { defineJob } from "../../src/jobs/job.ts";
import { success } from "../../src/jobs/outcome.ts";

export const greet = defineJob({
  type: "greet",
  queue: "maintenance",
  payload: z.object({ number: z.int() }),
});

/** The row and the end of the job are one transaction. */
export const greeting = handle(greet, async (job, run) => {
  await run.commit([job], (tx) => tx.query("INSERT INTO effect VALUES ($1)", [job.payload.number]));
  return success();
});

/**
 * Jobs that nobody can run. A rolling deploy is over within minutes; after that a job whose type no running worker
 * knows would wait for ever, so it becomes a dead letter, where an operator sees it and can replay it.
 */
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { causeOf, NO_HANDLER } from "../cause.ts";
import { endUntakenOf } from "../job-table.ts";
import { findUnserved } from "../worker-table.ts";

const UNSERVED_MS = 15 * 60_000;

export async function endUnserved(needs: { database: Database; log: Log }): Promise<number> {
  let count = 0;
  for (const type of await findUnserved(needs.database, UNSERVED_MS)) {
    const message = `no handler for "${type}" in any running worker`;
    const end = { code: NO_HANDLER, message, cause: causeOf(type, NO_HANDLER, message) };
    const ended = await endUntakenOf(needs.database, type, UNSERVED_MS, end);
    if (ended > 0)
      needs.log.error({ type, jobs: ended }, "jobs without a handler became dead letters");
    count += ended;
  }
  return count;
}

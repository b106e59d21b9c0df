import { findParked } from "../jobs/status/worker-views.ts";
import type { CheckOutcome, FurtherCheck } from "../mailbox/operating/diagnose.ts";
import type { Queryable } from "../store/database.ts";

/** Jobs that wait because no worker knows their type: an old worker, or a program that sends what we do not know. */
export const parkedCheck = (database: Queryable): FurtherCheck => ({
  name: "jobs without a handler",
  check: () => checkParked(database),
});

async function checkParked(database: Queryable): Promise<CheckOutcome> {
  const parked = await findParked(database);
  if (parked.length === 0) return { status: "ok", detail: "none" };
  return {
    status: "warning",
    detail: parked.map(({ type, queue, jobs }) => `${jobs} of type ${type} in ${queue}`).join(", "),
    fix: "update the workers; after 15 minutes postroom dlq list shows them as NoHandler",
  };
}

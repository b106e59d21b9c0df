import { findParked } from "../jobs/status/worker-views.ts";
import type { Check } from "../mailbox/operating/diagnose.ts";
import type { Queryable } from "../store/database.ts";

/** Jobs that wait because no worker knows their type: an old worker, or a program that sends what we do not know. */
export async function checkParked(database: Queryable): Promise<Check> {
  const parked = await findParked(database);
  const name = "jobs without a handler";
  if (parked.length === 0) return { name, status: "ok", detail: "none" };
  return {
    name,
    status: "warning",
    detail: parked.map(({ type, queue, jobs }) => `${jobs} of type ${type} in ${queue}`).join(", "),
    fix: "update the workers; after 15 minutes postroom dlq list shows them as NoHandler",
  };
}

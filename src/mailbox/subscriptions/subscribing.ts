/** Who is asking Graph for subscriptions just now. In that time, and in no other, Graph has reason to call us back. */
import type { Clock } from "../../lib/clock.ts";
import type { Queryable } from "../../store/database.ts";
import { isAnyLeased, withLease } from "../../store/named-lease.ts";

const LEASE_SECONDS = 120;
const PREFIX = "subscription:";

/** Null when another process is at it under the same name. */
export function whileSubscribing<T>(
  needs: { database: Queryable; clock: Clock },
  name: string,
  task: () => Promise<T>,
): Promise<T | null> {
  return withLease(needs, `${PREFIX}${name}`, LEASE_SECONDS, task);
}

/** Also true for two minutes after a process died at it: Graph may not have noticed. */
export function isSubscribing(on: Queryable): Promise<boolean> {
  return isAnyLeased(on, PREFIX);
}

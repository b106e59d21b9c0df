/** Marks the time in which a process requests subscriptions. Graph has a reason to send a handshake only then. */
import type { Clock } from "../../lib/clock.ts";
import type { Queryable } from "../../store/database.ts";
import { isAnyLeased, withLease } from "../../store/named-lease.ts";

const LEASE_SECONDS = 120;
const PREFIX = "subscription:";

/** Null when another process runs a task under the same name. */
export function whileSubscribing<T>(
  needs: { database: Queryable; clock: Clock },
  name: string,
  task: () => Promise<T>,
): Promise<T | null> {
  return withLease(needs, `${PREFIX}${name}`, LEASE_SECONDS, task);
}

/** Also true for two minutes after a process died while subscribing: Graph may still call back. */
export function isSubscribing(on: Queryable): Promise<boolean> {
  return isAnyLeased(on, PREFIX);
}

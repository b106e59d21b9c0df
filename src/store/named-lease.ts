/** Leases for things that one process at a time should do, known by name. */
import type { Clock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { Queryable } from "./database.ts";
import { keepLease } from "./keep-lease.ts";
import { isLeased, type LeaseTable, releaseLease, renewLease, takeLease } from "./lease.ts";

const NAMED: LeaseTable = {
  name: "postroom.lease",
  clock: "postroom.now()",
  takeover: {
    key: "name",
    set: "token = nextval('postroom.lease_token')",
    isOnlyAfterEnd: true,
  },
  returning: "token",
};

/** Runs `task` under the lease of that name and renews it meanwhile; null when somebody else holds it. */
export async function withLease<T>(
  needs: { database: Queryable; clock: Clock },
  name: string,
  seconds: number,
  task: () => Promise<T>,
): Promise<T | null> {
  const { database, clock } = needs;
  const holder = { name, owner: systemRandom.uuid() };
  const leaseMs = seconds * 1_000;
  if ((await takeLease(database, NAMED, holder, leaseMs)) === null) return null;
  const heartbeat = keepLease(clock, leaseMs, () => renewLease(database, NAMED, holder, leaseMs));
  try {
    return await task();
  } finally {
    await heartbeat.stop();
    await releaseLease(database, NAMED, holder);
  }
}

/** Whether somebody holds a lease whose name begins with `prefix`. */
export async function isAnyLeased(on: Queryable, prefix: string): Promise<boolean> {
  const { rows } = await on.query<{ held: boolean }>(
    `SELECT ${isLeased(NAMED, "starts_with(l.name, $1)")} AS held`,
    [prefix],
  );
  return rows[0]!.held;
}

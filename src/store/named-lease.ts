/** Named leases for tasks that only one process at a time should do. */
import type { Clock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { Queryable } from "./database.ts";
import { keepLease } from "./keep-lease.ts";
import { type LeaseTable, releaseLease, renewLease, takeLease } from "./lease.ts";

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

/** Runs `task` under the lease of that name, which is renewed while it runs; null if another process holds it. */
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

/** Creates a ticket: the right to do something once, until it expires. Putting it again renews it. */
export async function putTicket(on: Queryable, name: string, seconds: number): Promise<void> {
  await on.query(
    `INSERT INTO postroom.lease (name, owner, until)
     VALUES ($1, $2, postroom.now() + $3 * interval '1 second')
     ON CONFLICT (name) DO UPDATE SET owner = EXCLUDED.owner, until = EXCLUDED.until`,
    [name, systemRandom.uuid(), seconds],
  );
}

export async function removeTicket(on: Queryable, name: string): Promise<void> {
  await on.query("DELETE FROM postroom.lease WHERE name = $1", [name]);
}

/**
 * Uses the ticket of that name or, failing that, one whose name begins with `prefix`; returns false if there
 * is none.
 */
export async function useTicket(on: Queryable, name: string, prefix: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.lease WHERE name = (
       SELECT name FROM postroom.lease
        WHERE until > postroom.now() AND (name = $1 OR starts_with(name, $2))
        ORDER BY name = $1 DESC LIMIT 1 FOR UPDATE SKIP LOCKED)`,
    [name, prefix],
  );
  return rowCount > 0;
}

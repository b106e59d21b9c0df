import type { Clock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { Queryable } from "./database.ts";

/**
 * Runs `task` when nobody else is running it, and answers null when somebody is. The lease is renewed
 * while the task runs; after a crash it is free again when it has run out.
 */
export async function withLease<T>(
  needs: { database: Queryable; clock: Clock },
  name: string,
  seconds: number,
  task: () => Promise<T>,
): Promise<T | null> {
  const owner = systemRandom.uuid();
  const taken = await needs.database.query(
    `INSERT INTO postroom.lease (name, owner, until) VALUES ($1, $2, postroom.now() + make_interval(secs => $3))
     ON CONFLICT (name) DO UPDATE
       SET owner = EXCLUDED.owner, until = EXCLUDED.until, token = nextval('postroom.lease_token')
       WHERE lease.until < postroom.now()`,
    [name, owner, seconds],
  );
  if (taken.rowCount === 0) return null;
  const stopRenewing = renewEvery((seconds * 1_000) / 3);
  try {
    return await task();
  } finally {
    stopRenewing();
    await needs.database.query("DELETE FROM postroom.lease WHERE name = $1 AND owner = $2", [
      name,
      owner,
    ]);
  }

  function renewEvery(pauseMs: number): () => void {
    let cancel = () => {};
    const schedule = () => {
      cancel = needs.clock.after(pauseMs, () => {
        needs.database
          .query(
            `UPDATE postroom.lease SET until = postroom.now() + make_interval(secs => $3)
              WHERE name = $1 AND owner = $2`,
            [name, owner, seconds],
          )
          // A renewal that fails lets the lease run out; the writer's own checks keep it safe.
          .catch(() => {})
          .finally(schedule);
      });
    };
    schedule();
    return () => cancel();
  }
}

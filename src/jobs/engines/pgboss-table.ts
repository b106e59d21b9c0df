/** Queries pg-boss's own table if its library offers no cheap way. */
import type { Queryable } from "../../store/database.ts";

/** Due messages of the queue, counted up to a thousand. */
export async function countWaiting(on: Queryable, queue: string): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM pgboss.job WHERE name = $1
       AND state < 'active' AND start_after <= now() LIMIT 1000) waiting`,
    [queue],
  );
  return rows[0]?.count ?? 0;
}

/** How often one person may call, counted for all servers together in a window of a minute that moves in six steps. */
import type { Queryable, Transaction } from "../../store/database.ts";

export const CALLS_PER_MINUTE = {
  save: 10,
  quickcreate: 5,
  search: 30,
  jobs: 60,
  share: 20,
  recent: 30,
} as const;

export type CallKind = keyof typeof CALLS_PER_MINUTE;

const SEGMENT_SECONDS = 10;
const SEGMENTS = 6;

/** Null if the call is allowed, which is then counted; otherwise the seconds until the window has moved. */
export async function countCall(
  on: Queryable,
  person: string,
  kind: CallKind,
): Promise<number | null> {
  const segment = `to_timestamp(floor(extract(epoch FROM postroom.now()) / ${SEGMENT_SECONDS}) * ${SEGMENT_SECONDS})`;
  const oldest = `${segment} - interval '${SEGMENT_SECONDS * (SEGMENTS - 1)} seconds'`;
  const { rowCount } = await on.query(
    `INSERT INTO postroom.office_call AS known (person, kind, segment, calls)
     SELECT $1, $2, ${segment}, 1
      WHERE (SELECT coalesce(sum(calls), 0) FROM postroom.office_call
              WHERE person = $1 AND kind = $2 AND segment >= ${oldest}) < $3
     ON CONFLICT (person, kind, segment) DO UPDATE SET calls = known.calls + 1 WHERE known.calls < $3`,
    [person, kind, CALLS_PER_MINUTE[kind]],
  );
  return rowCount === 1 ? null : SEGMENT_SECONDS;
}

/** Removes what no window reaches any more. */
export async function forgetCalls(on: Queryable): Promise<void> {
  await on.query(
    "DELETE FROM postroom.office_call WHERE segment < postroom.now() - interval '10 minutes'",
  );
}

export async function eraseCalls(tx: Transaction, people: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.office_call WHERE person = ANY($1)", [people]);
}

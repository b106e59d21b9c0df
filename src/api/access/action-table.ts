/** The log of people's actions: who did what, when, and how it ended. */
import type { Queryable, Transaction } from "../../store/database.ts";

export interface Action {
  readonly id: string;
  readonly who: string;
  readonly whoName: string | null;
  readonly operation: string;
  readonly path: string;
  readonly correlationId: string;
}

export interface LoggedAction extends Action {
  readonly at: Date;
  readonly status: number | null;
}

export async function addAction(database: Queryable, action: Action): Promise<void> {
  await database.query(
    `INSERT INTO postroom.action (action_id, who, who_name, operation, path, correlation_id)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [action.id, action.who, action.whoName, action.operation, action.path, action.correlationId],
  );
}

export async function endAction(database: Queryable, id: string, status: number): Promise<void> {
  await database.query("UPDATE postroom.action SET status = $2 WHERE action_id = $1", [id, status]);
}

export async function findActions(
  database: Queryable,
  filter: { who?: string; operation?: string; before?: Date; limit: number },
): Promise<LoggedAction[]> {
  const { rows } = await database.query<LoggedAction>(
    `SELECT action_id AS id, at, who, who_name AS "whoName", operation, path,
            correlation_id AS "correlationId", status
       FROM postroom.action
      WHERE ($1::text IS NULL OR who = $1) AND ($2::text IS NULL OR operation = $2)
        AND ($3::timestamptz IS NULL OR at < $3)
      ORDER BY at DESC LIMIT $4`,
    [filter.who ?? null, filter.operation ?? null, filter.before ?? null, filter.limit],
  );
  return rows;
}

/**
 * The last known name of each of these people, for pages that would otherwise show an ID. The operator key is not a
 * person: its last user may be another one than the one who is asked about.
 */
export async function findNames(
  database: Queryable,
  people: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(people.filter((who) => who !== null && who !== "operator"))];
  if (asked.length === 0) return new Map();
  const { rows } = await database.query<{ who: string; name: string }>(
    `SELECT p.who, a.who_name AS name FROM unnest($1::text[]) AS p (who)
       CROSS JOIN LATERAL (SELECT who_name FROM postroom.action
                            WHERE who = p.who AND who_name IS NOT NULL ORDER BY at DESC LIMIT 1) a`,
    [asked],
  );
  return new Map(rows.map(({ who, name }) => [who, name]));
}

/**
 * Removes a person's name and address. Who did what must stay provable, so the actions stay; returns those that the
 * person carried out.
 */
export async function redactActions(
  tx: Transaction,
  { address, ids }: { readonly address: string; readonly ids: readonly string[] },
): Promise<string[]> {
  await tx.query(
    "UPDATE postroom.action SET who_name = NULL WHERE who = ANY($1) AND who_name IS NOT NULL",
    [ids],
  );
  await tx.query(
    `UPDATE postroom.action SET path = '(erased)'
      WHERE strpos(lower(path), $1) > 0 OR strpos(lower(path), lower($2)) > 0`,
    [address, encodeURIComponent(address)],
  );
  const { rows } = await tx.query<{ id: string }>(
    "SELECT action_id::text AS id FROM postroom.action WHERE who = ANY($1)",
    [ids],
  );
  return rows.map(({ id }) => id);
}

import type { Queryable, Transaction } from "../../store/database.ts";
import type { Trader } from "../order.ts";

export type PersonSource = "directory" | "import";

export interface Person {
  readonly email: string;
  readonly name: string;
  readonly username: string;
  /** Numbers of this person's accounts. */
  readonly accounts: readonly string[];
}

/** Replaces all people from one source, so that people who left are no longer known. */
export async function replacePeople(
  tx: Transaction,
  source: PersonSource,
  people: readonly Person[],
): Promise<void> {
  await tx.query("DELETE FROM postroom.person WHERE source = $1", [source]);
  for (const { email, name, username, accounts } of people) {
    await tx.query(
      `INSERT INTO postroom.person (source, email, name, username, accounts)
       VALUES ($1, lower($2), $3, lower($4), $5) ON CONFLICT DO NOTHING`,
      [source, email, name, username, accounts],
    );
  }
}

/** The user names that somebody may mean by a user name or an address. */
export async function findUsernames(on: Queryable, person: string): Promise<string[]> {
  const { rows } = await on.query<{ username: string }>(
    `SELECT username FROM postroom.person WHERE email = lower($1)
      UNION SELECT username FROM postroom.trade_order WHERE lower(user_email) = lower($1)`,
    [person],
  );
  return [person, person.toLowerCase(), ...rows.map(({ username }) => username)];
}

export interface KnownPerson extends Trader {
  readonly source: PersonSource | "order";
}

/** Everybody whose trade it could be: from orders, the tenant's directory and imported files. */
export async function findKnownPeople(on: Queryable): Promise<KnownPerson[]> {
  const { rows } = await on.query<KnownPerson>(
    `SELECT DISTINCT username, user_email AS email, holder_name AS name, '{}'::text[] AS accounts,
            'order' AS source
       FROM postroom.trade_order
      UNION ALL SELECT username, email, name, accounts, source FROM postroom.person
      ORDER BY username, email, name, source`,
  );
  return rows;
}

/**
 * Erases a person unless a trade is theirs: whose a kept trade is can be seen only by the name, also by an erasure after
 * the hold.
 */
export async function erasePerson(
  tx: Transaction,
  { address, names }: { readonly address: string; readonly names: readonly string[] },
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.person p WHERE email = $1 AND NOT EXISTS (
       SELECT FROM postroom.trade t WHERE t.username = p.username AND p.username = ANY($2))`,
    [address, names],
  );
}

/**
 * How far a caller's queries reach. In an installation of several Microsoft tenants, people see the rows of their own
 * tenant only. PostgreSQL enforces it: their requests run on connections of a role to which the policies of the tables
 * show nothing else, so that even a query without a condition on the tenant finds no row of another one.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Fault } from "../lib/fault.ts";
import type { Database, Queryable, Transaction } from "./database.ts";

const storage = new AsyncLocalStorage<{ readonly isLimited: boolean }>();

/** Everything that `work` asks the database reaches the caller's tenant only. */
export function withinTenant<T>(work: () => T): T {
  return storage.run({ isLimited: true }, work);
}

/**
 * For what the installation does for itself while a caller waits, and for what was already found to be the caller's
 * own.
 */
export function beyondTenant<T>(work: () => T): T {
  return storage.run({ isLimited: false }, work);
}

/** Both in one: each query and each transaction goes where its caller may reach. */
export function chooseByReach(all: Database, limited: Database): Database {
  const chosen = (): Database => (storage.getStore()?.isLimited === true ? limited : all);
  return {
    pool: all.pool,
    url: all.url,
    query: (text, values, name) => chosen().query(text, values, name),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => chosen().transaction(work),
    async close() {
      await Promise.all([all.close(), limited.close()]);
    },
  };
}

/** Whether the mailboxes that this connection (a tenant and an app) reads belong to the caller's tenant. */
export async function reachesConnection(on: Queryable, connection: string): Promise<boolean> {
  const sql = "SELECT postroom.reaches($1) AS reaches";
  return (await on.query<{ reaches: boolean }>(sql, [connection])).rows[0]!.reaches;
}

/** The policies of the tables know it by this name. */
export const LIMITED_ROLE = "postroom_limited";

/** Tables without any tenant's data, and those that hold only what belongs to the tenant whose people call the API. */
const OF_THE_CALLERS = [
  ...["event_feed", "job_outbox", "job_worker", "job_type", "kept_answer", "ingest_foreign_lease"],
  ...["filing", "office_save", "office_call", "indexed_document", "chunk", "stem", "document_feed"],
  ...["analysis", "model_usage", "notice", "spool_file", "lease", "migration"],
];

/**
 * Creates the role and grants it what it may use. A table that is neither listed nor has policies stays closed to it.
 * Repeated at each start, because a new version may bring tables, and an engine its own schema.
 */
export async function prepareLimitedRole(
  database: Database,
  shared: { readonly schema: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    // Two processes that grant at once would fail.
    await tx.query("SELECT pg_advisory_xact_lock(7070021)");
    await createRole(tx);
    const granted = [
      `GRANT USAGE ON SCHEMA postroom, ${shared.schema} TO ${LIMITED_ROLE}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA postroom TO ${LIMITED_ROLE}`,
      `GRANT USAGE ON SCHEMA padealing TO ${LIMITED_ROLE}`,
      `GRANT ALL ON padealing.graph_subscription_state TO ${LIMITED_ROLE}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA padealing TO ${LIMITED_ROLE}`,
      `GRANT SELECT ON ${shared.schema}.email_ingestion_state TO ${LIMITED_ROLE}`,
      ...(await findOpenTables(tx)).map((name) => `GRANT ALL ON ${name} TO ${LIMITED_ROLE}`),
      ...((await hasSchema(tx, "pgboss"))
        ? [
            `GRANT USAGE ON SCHEMA pgboss TO ${LIMITED_ROLE}`,
            `GRANT ALL ON ALL TABLES IN SCHEMA pgboss TO ${LIMITED_ROLE}`,
          ]
        : []),
    ];
    for (const sql of granted) await tx.query(sql);
  });
}

/**
 * Creates the role and lets our database user act as it, unless an earlier start or an administrator did both. If we
 * may not, the error says what an administrator must run.
 */
async function createRole(on: Queryable): Promise<void> {
  try {
    await createOrJoinRole(on);
  } catch (error) {
    if ((error as { code?: string }).code !== "42501") throw error; // not permitted
    throw new Fault(
      "settings.bad",
      `with several tenants, people's requests run as the role ${LIMITED_ROLE}, and the database user may not create it: ` +
        `as an administrator run CREATE ROLE ${LIMITED_ROLE} NOLOGIN and grant it to that user`,
      { cause: error },
    );
  }
}

/** Since PostgreSQL 16, whoever creates a role may not act as it until it is granted to them. */
const MAY_ACT = `SELECT CASE WHEN current_setting('server_version_num')::int >= 160000
  THEN pg_has_role($1, 'SET') ELSE pg_has_role($1, 'MEMBER') END AS "mayAct"`;

async function createOrJoinRole(on: Queryable): Promise<void> {
  const known = await on.query("SELECT FROM pg_roles WHERE rolname = $1", [LIMITED_ROLE]);
  if (known.rowCount === 0)
    // Roles belong to the cluster: another installation in it may create this one at the same time.
    await on.query(`DO $$ BEGIN CREATE ROLE ${LIMITED_ROLE} NOLOGIN;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  const { rows } = await on.query<{ mayAct: boolean }>(MAY_ACT, [LIMITED_ROLE]);
  if (!rows[0]!.mayAct) await on.query(`GRANT ${LIMITED_ROLE} TO CURRENT_USER`);
}

async function findOpenTables(on: Queryable): Promise<string[]> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT format('postroom.%I', relname) AS name FROM pg_class
      WHERE relnamespace = 'postroom'::regnamespace AND relkind IN ('r', 'p')
        AND (relrowsecurity OR relname = ANY($1))`,
    [OF_THE_CALLERS],
  );
  return rows.map(({ name }) => name);
}

async function hasSchema(on: Queryable, name: string): Promise<boolean> {
  return (await on.query("SELECT FROM pg_namespace WHERE nspname = $1", [name])).rowCount > 0;
}

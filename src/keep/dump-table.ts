/** The only SQL of backup and restore: rows as JSON, which every version of PostgreSQL reads. */
import type { Queryable, Transaction } from "../store/database.ts";

export interface DumpedTable {
  /** `schema.table`, quoted where it must be. */
  readonly name: string;
  /** Columns that can be written. */
  readonly columns: readonly string[];
}

/** Every table of ours and the one that is shared; not those of the job engine, which are rebuilt from our jobs. */
export async function findTables(
  on: Queryable,
  schemas: readonly string[],
): Promise<DumpedTable[]> {
  const { rows } = await on.query<DumpedTable>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
            array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND n.nspname = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY 1 ORDER BY 1`,
    [schemas],
  );
  return rows;
}

/** Reads all tables as they are at the same moment. */
export async function beginSnapshot(tx: Transaction): Promise<void> {
  await tx.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
}

const AT_ONCE = 1_000;

/** The rows of a table, some at a time. */
export async function* readRows(tx: Transaction, { name }: DumpedTable): AsyncIterable<string[]> {
  await tx.query(`DECLARE dumped CURSOR FOR SELECT to_jsonb(t)::text AS row FROM ${name} t`);
  for (;;) {
    const { rows } = await tx.query<{ row: string }>(`FETCH ${AT_ONCE} FROM dumped`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await tx.query("CLOSE dumped");
}

/** Which migrations the database has. */
export async function findMigrations(on: Queryable): Promise<string[]> {
  const { rows } = await on.query<{ name: string }>(
    "SELECT name FROM postroom.migration ORDER BY name",
  );
  return rows.map(({ name }) => name);
}

/** Without triggers and foreign keys: rows arrive table by table, and the rows that triggers wrote are in the backup too. */
export async function beginRestore(tx: Transaction): Promise<void> {
  await tx.query("SET LOCAL session_replication_role = replica");
  await tx.query("SET LOCAL statement_timeout = 0");
}

export async function clearTable(tx: Transaction, { name }: DumpedTable): Promise<void> {
  await tx.query(`DELETE FROM ${name}`);
}

export async function writeRows(
  tx: Transaction,
  { name, columns }: DumpedTable,
  rows: readonly string[],
): Promise<void> {
  const list = columns.join(", ");
  await tx.query(
    `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE
     SELECT ${list} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
    [`[${rows.join(",")}]`],
  );
}

export interface SequenceState {
  readonly name: string;
  readonly last: string;
  readonly isCalled: boolean;
}

export async function findSequences(
  on: Queryable,
  schemas: readonly string[],
): Promise<SequenceState[]> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences
      WHERE schemaname = ANY($1) ORDER BY 1`,
    [schemas],
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: found } = await on.query<Omit<SequenceState, "name">>(
      `SELECT last_value::text AS last, is_called AS "isCalled" FROM ${name}`,
    );
    states.push({ name, ...found[0]! });
  }
  return states;
}

export async function setSequence(tx: Transaction, state: SequenceState): Promise<void> {
  await tx.query("SELECT setval($1::regclass, $2::bigint, $3)", [
    state.name,
    state.last,
    state.isCalled,
  ]);
}

/** Whether somebody has worked with this database. */
export async function hasContent(on: Queryable): Promise<boolean> {
  const { rows } = await on.query<{ isUsed: boolean }>(
    `SELECT EXISTS (SELECT FROM postroom.mailbox) OR EXISTS (SELECT FROM postroom.event)
         OR EXISTS (SELECT FROM postroom.trade) OR EXISTS (SELECT FROM postroom.filing) AS "isUsed"`,
  );
  return rows[0]!.isUsed;
}

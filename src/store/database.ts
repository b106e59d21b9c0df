import pg from "pg";
import { Fault } from "../lib/fault.ts";
import { toStorable, toStorableParameter } from "./storable.ts";

/** What a query runs on: the pool, or the connection of an open transaction. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    /** For a statement that runs many times a second: each connection parses it only once. */
    name?: string,
  ): Promise<{ rows: Row[]; rowCount: number }>;
}

/** An open transaction. A function that takes this type must be called inside one. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export interface Database extends Queryable {
  /** Commits when `work` resolves and rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The pool itself, for libraries that bring their own SQL. */
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly connections?: number;
  /** Both client and server give up on a statement that takes longer. */
  readonly statementTimeoutMs?: number;
  readonly applicationName?: string;
  /** A role with fewer rights, and the connections whose rows it reaches (`reach.ts`). */
  readonly limitedTo?: { readonly role: string; readonly connections: readonly string[] };
  /** Called before a connection is used; moves the database's clock in tests. */
  readonly beforeUse?: (client: pg.PoolClient) => Promise<void>;
}

// Counts and sequence numbers stay far below 2^53, so they can be numbers instead of strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const WAIT_FOR_THE_DISK = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') IN ('off', 'local')`;

export function openDatabase(options: DatabaseOptions): Database {
  const timeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: Math.min(timeoutMs, 5_000),
    statement_timeout: timeoutMs,
    // The client has its own limit, because a stopped server cannot enforce the other one.
    query_timeout: timeoutMs + 500,
    idle_in_transaction_session_timeout: 120_000,
    application_name: options.applicationName ?? "postroom",
    keepAlive: true,
    // A 202 promises that the row survives a crash, whatever the server's default.
    onConnect: async (client) => {
      await client.query(WAIT_FOR_THE_DISK);
      if (options.limitedTo !== undefined) await limit(client, options.limitedTo);
    },
  });
  // The pool replaces a broken connection and its query rejects; without a listener, the event would end the
  // process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    try {
      await options.beforeUse?.(client);
      return client;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  };

  return {
    pool,
    url: options.url,
    async query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string) {
      try {
        if (options.beforeUse === undefined) return await plainQuery<Row>(pool, text, values, name);
        const client = await connect();
        try {
          return await plainQuery<Row>(client, text, values, name);
        } finally {
          client.release();
        }
      } catch (error) {
        throw toStoreFault(error);
      }
    },
    async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const client = await connect().catch((error) => {
        throw toStoreFault(error);
      });
      return runTransaction(client, work);
    },
    close: () => pool.end(),
  };
}

async function limit(
  client: pg.ClientBase,
  { role, connections }: NonNullable<DatabaseOptions["limitedTo"]>,
): Promise<void> {
  await client.query(
    "SELECT set_config('postroom.connections', $1::text[]::text, false), set_config('role', $2, false)",
    [connections, role],
  );
}

async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work({
      isTransaction: true,
      query: (text, values = [], name) => plainQuery(client, text, values, name),
    });
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError) => {
      broken = rollbackError; // the connection is gone, and with it the transaction
    });
    throw toStoreFault(error);
  } finally {
    client.release(broken);
  }
}

async function plainQuery<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
  name?: string,
): Promise<{ rows: Row[]; rowCount: number }> {
  const storable = values.map(toStorableParameter);
  const result = await on.query<Row>(
    name === undefined ? { text, values: storable } : { name, text, values: storable },
  );
  // Several statements in one text have several results; pg-boss sends such texts and reads all rows.
  const results: pg.QueryResult<Row>[] = Array.isArray(result) ? result : [result];
  return {
    rows: results.length === 1 ? result.rows : results.flatMap((one) => one.rows),
    rowCount: results.at(-1)!.rowCount ?? 0,
  };
}

const NETWORK_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"]);
// admin shutdown, crash shutdown, cannot connect now, read-only, too many connections
const UNAVAILABLE_STATES = new Set(["57P01", "57P02", "57P03", "25006", "53300"]);
/** The server itself cancelled the statement, so it is up, and waiting alone will not help. */
const CANCELLED_STATE = "57014";
const FULL_STATES = new Set(["53100", "53200", "53400"]);
const CLIENT_TEXTS =
  /^(Query read timeout|Connection terminated|timeout exceeded when trying|Client has encountered a connection error)/;

/**
 * A lost, full or stopped database is a fault with the remedy `wait`. An error in our SQL is passed on
 * unchanged, so that a bug is not retried.
 */
export function toStoreFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error;
  const code = (error as { code?: string }).code ?? "";
  if (FULL_STATES.has(code)) {
    return new Fault("store.full", "the database has no disk space left", {
      cause: error,
      facts: { sqlState: code },
    });
  }
  if (code === CANCELLED_STATE) {
    return new Fault("store.slow", "a statement took too long", {
      cause: error,
      facts: { sqlState: code },
    });
  }
  const isGone =
    UNAVAILABLE_STATES.has(code) ||
    NETWORK_CODES.has(code) ||
    code.startsWith("08") ||
    CLIENT_TEXTS.test(error.message);
  if (!isGone) return error;
  return new Fault("store.unavailable", "the database cannot be reached", {
    cause: error,
    facts: { sqlState: code },
  });
}

/** Text that PostgreSQL can store, not longer than `lengthMax`. */
export function toStorableText(text: string, lengthMax = 2_000): string {
  return toStorable(text.length > lengthMax ? text.slice(0, lengthMax) : text);
}

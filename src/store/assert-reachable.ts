/** The first call to a database whose address a person gave: says what is wrong with that address. */
import pg from "pg";
import { Fault } from "../lib/fault.ts";
import { type Database, toStoreFault } from "./database.ts";

/** Throws `settings.bad` if the server answers and refuses, `store.unavailable` if nobody answers. */
export async function assertReachable(database: Database): Promise<void> {
  try {
    await database.pool.query("SELECT");
  } catch (error) {
    throw explain(error, database.url);
  }
}

function explain(error: unknown, url: string): unknown {
  const { host, port, database } = new pg.Client({ connectionString: url });
  const server = `PostgreSQL at ${host}:${port}`;
  const code = (error as { code?: string }).code ?? "";
  const refused = (why: string) =>
    new Fault("settings.bad", `DATABASE_URL: ${server} ${why}`, { cause: error });
  if (code === "3D000") return refused(`has no database ${database}; create it first`);
  if (code.startsWith("28")) return refused(`refuses the connection: ${(error as Error).message}`);
  const fault = toStoreFault(error);
  if (!(fault instanceof Fault) || fault.code !== "store.unavailable") return fault;
  return new Fault(
    "store.unavailable",
    `the database cannot be reached: check that ${server} is running, or correct DATABASE_URL`,
    { cause: error },
  );
}

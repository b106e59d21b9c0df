import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "../../src/store/database.ts";
import { afterEachFile } from "./after-file.ts";
import { withDatabase } from "./global-setup.ts";

const opened: Database[] = [];
const made: string[] = [];

/** A fresh, migrated database, closed at the end of the test file. */
export async function freshDatabase(options: Omit<DatabaseOptions, "url"> = {}): Promise<Database> {
  const url = await freshDatabaseUrl();
  const database = openDatabase({ url, ...options });
  opened.push(database);
  return database;
}

/** The address of a fresh migrated database, for a test that starts its own processes. */
export async function freshDatabaseUrl(): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const base = inject("postgresUrl");
  const admin = openDatabase({ url: base, connections: 1 });
  made.push(name);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE postroom_template STRATEGY FILE_COPY`);
  await admin.close();
  return withDatabase(base, name);
}

/** An empty database without any of our tables. */
export async function emptyDatabaseUrl(): Promise<string> {
  const name = `empty_${randomUUID().replaceAll("-", "")}`;
  const base = inject("postgresUrl");
  const admin = openDatabase({ url: base, connections: 1 });
  made.push(name);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.close();
  return withDatabase(base, name);
}

afterEachFile(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  if (made.length === 0) return;
  const admin = openDatabase({ url: inject("postgresUrl"), connections: 1 });
  for (const name of made.splice(0)) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.close();
});

/** The role of people's requests where the database user may not create roles, as on a managed PostgreSQL. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureIngestionTable, ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { LIMITED_ROLE, prepareLimitedRole } from "../../src/store/reach.ts";
import { emptyDatabaseUrl } from "../helpers/database.ts";

const user = `plain_${randomUUID().replaceAll("-", "")}`;
let admin: Database;
let database: Database;
let url: URL;

beforeAll(async () => {
  url = new URL(await emptyDatabaseUrl());
  admin = openDatabase({ url: url.href, connections: 1 });
  await admin.query(`CREATE ROLE ${user} LOGIN NOCREATEROLE PASSWORD 'plain'`);
  await admin.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${user}`);
  Object.assign(url, { username: user, password: "plain" });
  database = openDatabase({ url: url.href, connections: 2 });
  await migrate(database);
  await ensureIngestionTable(database, ingestionTable());
});
afterAll(async () => {
  await database.close();
  await admin.query(`DROP OWNED BY ${user} CASCADE`);
  await admin.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO CURRENT_USER`);
  await admin.query(`DROP ROLE ${user}`);
  await admin.close();
});

const prepare = () => prepareLimitedRole(database, { schema: ingestionTable().naming.schema });

it("says what an administrator must do", async () => {
  await expect(prepare()).rejects.toMatchObject({
    code: "settings.bad",
    message: expect.stringContaining(`CREATE ROLE ${LIMITED_ROLE} NOLOGIN`),
  });
});

it("uses the role once an administrator has created and granted it", async () => {
  await admin.query(`DO $$ BEGIN CREATE ROLE ${LIMITED_ROLE} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  await admin.query(`GRANT ${LIMITED_ROLE} TO ${user}`);
  await prepare();
  const limitedTo = { role: LIMITED_ROLE, connections: ["default"] };
  const limited = openDatabase({ url: url.href, connections: 1, limitedTo });
  const { rows } = await limited.query(
    "SELECT current_user AS role, count(*) AS mailboxes FROM postroom.mailbox",
  );
  await limited.close();
  expect(rows).toEqual([{ role: LIMITED_ROLE, mailboxes: 0 }]);
});

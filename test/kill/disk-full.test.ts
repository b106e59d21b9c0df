/** The disk of the database or of the spool is full for a while. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/lib/hash.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/store/embedded-postgres.ts";
import { migrate } from "../../src/store/migrate.ts";
import { withFileSizeMax } from "../files/file-size-max.ts";
import { anApp, type TestApp, until } from "../helpers/app.ts";
import { createFullDisk, type FullDisk } from "../helpers/full-disk.ts";

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let disk: FullDisk;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-full-"));
  postgres = await startEmbeddedPostgres({ folder, isDurable: false });
  database = openDatabase({ url: postgres.url });
  await migrate(database);
  await database.query(
    "INSERT INTO postroom.mailbox (address, graph_user_id, owner_id) VALUES ('f@x.example', 'user', 'owner')",
  );
  await database.query(
    `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
     SELECT id, 'sub', 'users/user/messages', 'created', $1, 'active' FROM postroom.mailbox`,
    [sha256("secret")],
  );
  app = await anApp(null, { DATABASE_URL: postgres.url }, { roles: ["intake"] });
  disk = await createFullDisk(database);
});

afterAll(async () => {
  await app.stop();
  await database.close();
  await postgres.remove();
});

const acknowledged: string[] = [];
let count = 0;
async function deliver(): Promise<number> {
  count += 1;
  const id = `m${count}`;
  const item = {
    subscriptionId: "sub",
    clientState: "secret",
    changeType: "created",
    resource: `Users/user/Messages/${id}`,
    resourceData: { id },
  };
  const { status } = await fetch(`${app.url}/webhooks/graph`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ value: [item] }),
  });
  if (status === 202) acknowledged.push(id);
  return status;
}

/** A database server for this test only. */
async function allowTemporaryFiles(kilobytes: string): Promise<void> {
  await database.query(`ALTER SYSTEM SET temp_file_limit = ${kilobytes}`);
  await database.query("SELECT pg_reload_conf()");
}

async function readiness(): Promise<{ status: number; database: string; spool: string }> {
  const answer = await fetch(`${app.url}/readyz`, {
    headers: { authorization: `Bearer ${app.operatorKey}` },
  });
  const { checks } = (await answer.json()) as { checks: Record<string, { detail: string }> };
  const [{ detail: database }, { detail: spool }] = [checks["database"]!, checks["spool"]!];
  return { status: answer.status, database, spool };
}

describe("the intake while a disk is full", () => {
  it("a full disk is answered 503 with nothing stored and the reason logged, and 202 once there is room [H-01] [R36]", async () => {
    await until("a 202", async () => (await deliver()) === 202);
    await disk.fill();
    await allowTemporaryFiles("0");
    for (let tries = 0; tries < 3; tries += 1) expect(await deliver()).toBe(503);
    await until("the reason", async () =>
      (await readiness()).database.includes("the database has no disk space left"),
    );
    expect((await readiness()).status).toBe(503);
    expect(await (await fetch(`${app.url}/healthz`)).text()).toBe("Healthy");
    const { rows } = await database.query<{ id: string }>(
      "SELECT message_id AS id FROM postroom.notification ORDER BY received_at",
    );
    expect(rows.map((row) => row.id)).toEqual(acknowledged);
    await disk.empty();
    await allowTemporaryFiles("-1");
    await until("a 202", async () => (await deliver()) === 202);
    await until("readiness", async () => (await readiness()).status === 200);
    const kept = await database.query<{ n: number }>(
      "SELECT count(*) AS n FROM postroom.notification WHERE message_id = ANY($1)",
      [acknowledged],
    );
    expect(kept.rows).toEqual([{ n: acknowledged.length }]);
  });

  it("the server is not ready while the spool cannot store a file", async () => {
    await withFileSizeMax(16 * 1024, async () => {
      await until("readiness knows", async () => (await readiness()).status === 503);
      expect(await readiness()).toMatchObject({ status: 503, spool: "the disk is full" });
    });
    await until("readiness knows", async () => (await readiness()).status === 200);
    expect(await readiness()).toMatchObject({ status: 200, spool: "writable" });
  });
});

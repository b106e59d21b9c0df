import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INTAKE_WRITE_MS } from "../../src/app/foundation.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { openDatabase } from "../../src/store/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/store/embedded-postgres.ts";
import { migrate } from "../../src/store/migrate.ts";
import { anApp, type TestApp, until } from "../helpers/app.ts";
import { signalPostgres } from "../helpers/signal-postgres.ts";

let folder: string;
let postgres: EmbeddedPostgres;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-pg-"));
  postgres = await startEmbeddedPostgres({ folder, isDurable: false });
  const database = openDatabase({ url: postgres.url });
  await migrate(database);
  await database.query(
    "INSERT INTO postroom.mailbox (address, graph_user_id, owner_id) VALUES ('d@x.example', 'user', 'owner')",
  );
  await database.query(
    `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
     SELECT id, 'sub', 'users/user/messages', 'created', $1, 'active' FROM postroom.mailbox`,
    [sha256("secret")],
  );
  await database.close();
  app = await anApp(
    null,
    { DATABASE_URL: postgres.url },
    {
      roles: ["intake"],
      intakeWriteMs: INTAKE_WRITE_MS,
    },
  );
});

afterAll(async () => {
  await postgres.remove();
});

let count = 0;
async function deliver(): Promise<number> {
  count += 1;
  const value = [
    {
      subscriptionId: "sub",
      clientState: "secret",
      changeType: "created",
      resource: `Users/user/Messages/m${count}`,
      resourceData: { id: `m${count}` },
    },
  ];
  const answer = await fetch(`${app.url}/webhooks/graph`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ value }),
  });
  return answer.status;
}

describe("the intake while the database is down", () => {
  it("a frozen PostgreSQL is answered 503 within two seconds, and 202 when it continues [H-01] [R36]", async () => {
    expect(INTAKE_WRITE_MS).toBeLessThan(2_000);
    await until("a 202", async () => (await deliver()) === 202);
    signalPostgres(postgres, "SIGSTOP");
    // It does not go on before the answer is there.
    const status = await deliver().finally(() => signalPostgres(postgres, "SIGCONT"));
    expect(status).toBe(503);
    await until("a 202", async () => (await deliver()) === 202);
  });

  it("a stopped PostgreSQL is answered 503, and 202 once it is back on the same port [H-01] [R36]", async () => {
    const { port } = postgres;
    await postgres.stop();
    expect(await deliver()).toBe(503);
    expect(await (await fetch(`${app.url}/healthz`)).text()).toBe("Healthy");
    await until("not ready", async () => (await fetch(`${app.url}/readyz`)).status === 503);
    postgres = await startEmbeddedPostgres({ folder, port, isDurable: false });
    await until("a 202", async () => (await deliver()) === 202);
    await until("ready", async () => (await fetch(`${app.url}/readyz`)).status === 200);
  });
});

/**
 * The settings that the source systems print in their documents start this product: only addresses and secrets are
 * replaced by those of the local tenant.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant, settingsFor, until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";

const BIN = resolve(import.meta.dirname, "../../bin/postroom.js");
const folder = mkdtempSync(join(tmpdir(), "postroom-seed-settings-"));
const children: ChildProcess[] = [];
let tenant: Tenant;
let redis: TestRedis;

beforeAll(async () => {
  tenant = await aTenant({ serviceBus: true });
  redis = await startRedis();
});

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("exit", ended));
  }
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A child with nothing of our own environment but what finds programs. */
function run(words: readonly string[], env: Record<string, string>) {
  const { PATH = "", HOME = "", CI = "" } = process.env;
  const child = endWithUs(
    spawn(process.execPath, [BIN, ...words], { cwd: folder, env: { PATH, HOME, CI, ...env } }),
  );
  children.push(child);
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((end) => child.once("exit", end));
  return { ended, said: () => said };
}

/** The blocks of the documents, in their words. */
function printedSettings(): string {
  const api = tenant.apps[1]!;
  return `// appsettings.json
{
  "EmailProcessing": {
    "DefaultContainerId": "${tenant.drives.admin.defaultContainerId}"
  },
  "TENANT_ID": "from-environment",
  "API_APP_ID": "from-environment",
  "API_CLIENT_SECRET": "@Microsoft.KeyVault(...)",
  "Dataverse": {
    "ServiceUrl": "@Microsoft.KeyVault(...)"
  },
  "Redis": {
    "ConnectionString": "from-environment"
  },
  "ServiceBus": {
    "ConnectionString": "${tenant.addresses.serviceBus}",
    "UploadFinalizationQueue": "office-upload-finalization",
    "ProfileQueue": "office-profile",
    "IndexingQueue": "office-indexing"
  },
  "Graph": {
    "TenantId": "${tenant.tenantId}",
    "ClientId": "${api.appId}",
    "ClientSecret": "${api.secrets[0]}"
  }
}
`;
}

async function environment(): Promise<Record<string, string>> {
  const api = tenant.apps[1]!;
  writeFileSync(join(folder, "BFF-API-ClientSecret"), api.secrets[0]!);
  writeFileSync(join(folder, "SPRK-DEV-DATAVERSE-URL"), tenant.addresses.dataverse);
  writeFileSync(join(folder, "appsettings.json"), printedSettings());
  const { PORT, POSTROOM_HOME, DATABASE_URL } = (await settingsFor(null)) as Record<string, string>;
  writeFileSync(join(folder, ".env"), `GRAPH_WEBHOOK_URL=http://127.0.0.1:${PORT}\n`);
  return {
    ...{ PORT: PORT!, POSTROOM_HOME: POSTROOM_HOME!, DATABASE_URL: DATABASE_URL! },
    POSTROOM_CONFIG: join(folder, "appsettings.json"),
    TENANT_ID: tenant.tenantId,
    API_APP_ID: api.appId,
    API_CLIENT_SECRET: `file:${join(folder, "BFF-API-ClientSecret")}`,
    Dataverse__ServiceUrl: `file:${join(folder, "SPRK-DEV-DATAVERSE-URL")}`,
    Redis__ConnectionString: redis.url,
    GRAPH_CLIENT_STATE: "the-shared-secret-of-seed-one",
    GRAPH_BASE_URL: tenant.addresses.graph,
    GRAPH_AUTHORITY: tenant.addresses.entra,
  };
}

const isHealthy = async (port: string): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
  return answer !== null && (await answer.text()) === "Healthy";
};

it("the settings that the source systems print start the server, with Redis as a cache beside Service Bus [OPS-01] [OPS-02] [AUTH-02] [OFF-04]", async () => {
  const env = await environment();
  const queues = run(["jobs", "create-queues"], env);
  expect(await queues.ended, queues.said()).toBe(0);
  expect(queues.said()).toContain("sdap-jobs");
  const server = run(["serve"], env);
  await until("a healthy server", async () => {
    if (children.at(-1)!.exitCode !== null) throw new Error(server.said());
    return isHealthy(env["PORT"]!);
  });
  await until("the first lines", async () => server.said().includes("postroom is listening"));
  expect(server.said()).not.toContain("is off");
});

it("a server without any tenant is refused, and the message names the settings; further connections alone are enough [OPS-02] [SUB-23]", async () => {
  const { PORT, POSTROOM_HOME, DATABASE_URL } = await environment();
  rmSync(join(folder, ".env"));
  const bare = { PORT: PORT!, POSTROOM_HOME: POSTROOM_HOME!, DATABASE_URL: DATABASE_URL! };
  const refused = run(["serve"], bare);
  expect(await refused.ended).toBe(2);
  expect(refused.said()).toContain("GRAPH_TENANT_ID");
  const database = openDatabase({ url: bare.DATABASE_URL });
  await migrate(database);
  const user = tenant.users[0]!;
  const ids = { graphUserId: user.id, ownerId: user.id };
  await upsertMailbox(database, { address: user.mail, connection: "second", ...ids });
  const server = run(["serve", "--role", "intake,worker"], {
    ...bare,
    GRAPH_WEBHOOK_URL: `http://127.0.0.1:${PORT}`,
    Connections__second__TenantId: tenant.tenantId,
    Connections__second__ClientId: tenant.clientId,
    Connections__second__ClientSecret: tenant.clientSecret,
    Connections__second__GraphUrl: tenant.addresses.graph,
    Connections__second__Authority: tenant.addresses.entra,
  });
  await until("a healthy server", async () => {
    if (children.at(-1)!.exitCode !== null) throw new Error(server.said());
    return isHealthy(PORT!);
  });
  await until("what is off", async () =>
    server.said().includes("filing documents is off: set Dataverse__ServiceUrl"),
  );
  await until("the subscription of its mailbox", async () => {
    const { rows } = await database.query(
      "SELECT 1 FROM postroom.subscription WHERE status = 'active'",
    );
    return rows.length === 1;
  });
  await database.close();
});

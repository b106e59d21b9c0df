/** What docs/settings.md says about settings in general. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readDotEnv } from "../../src/config/gather-settings.ts";
import { loadConfig } from "../../src/config.ts";
import type { Fault } from "../../src/lib/fault.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/settings.md"), "utf8");
const SECRETS = [...page.matchAll(/^\| `(\w+)` • \|/gm)].map((match) => match[1]!);
const GRAPH = { GRAPH_TENANT_ID: "t", GRAPH_CLIENT_ID: "c", GRAPH_CLIENT_SECRET: "a-secret" };
const folder = mkdtempSync(join(tmpdir(), "postroom-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

function refusalOf(settings: Record<string, string>): string {
  try {
    loadConfig(settings);
  } catch (error) {
    expect((error as Fault).code).toBe("settings.bad");
    return (error as Fault).message;
  }
  throw new Error("the settings were accepted");
}

describe("settings", () => {
  it("the defaults work, among them port 8010, folder Inbox and 90 days for events [OPS-04] [ING-22] [OFF-04] [OFF-05] [X-14]", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      ...{ port: 8010, mailboxFolder: "Inbox", graph: null, eventRetentionDays: 90 },
    });
    expect(page).toContain("| `PORT` | 8010 |");
    expect([config.redisUrl, config.serviceBus]).toEqual([null, null]);
    for (const queue of [
      "office-upload-finalization",
      "office-profile",
      "office-indexing",
    ] as const)
      expect(config.serviceBusQueues[queue]).toBe(queue);
  });

  it("settings name the queues, the mailbox and its folder, and the shared table [OFF-04] [ING-22]", () => {
    const config = loadConfig({
      ...GRAPH,
      GRAPH_MAILBOX_EMAIL: "notes@firm.example",
      GRAPH_MAILBOX_FOLDER: "Contract notes",
      ServiceBus__ConnectionString: "Endpoint=sb://x/",
      ServiceBus__UploadFinalizationQueue: "u",
      ServiceBus__ProfileQueue: "p",
      ServiceBus__IndexingQueue: "i",
      INGEST_STATE_SCHEMA: "back_office",
      INGEST_ATTACHMENTS_COLUMN: "attachments_written",
      INGEST_PATHS_COLUMN: "gcs_paths",
      JOB_CONCURRENCY: "3",
    });
    expect(config).toMatchObject({
      graph: { tenantId: "t", clientId: "c" },
      mailboxEmail: "notes@firm.example",
      mailboxFolder: "Contract notes",
      serviceBusQueues: {
        "office-upload-finalization": "u",
        "office-profile": "p",
        "office-indexing": "i",
      },
      ingest: {
        schema: "back_office",
        appName: "pad_contract_notes",
        attachmentsColumn: "attachments_written",
        archivePathsColumn: "gcs_paths",
      },
      jobConcurrency: 3,
    });
    expect(config.serviceBus?.reveal()).toBe("Endpoint=sb://x/");
    expect(refusalOf({ INGEST_PATHS_COLUMN: "x; DROP" })).toContain("INGEST_PATHS_COLUMN");
  });

  it("invalid settings are named together, and nothing starts [OPS-02]", () => {
    const message = refusalOf({ PORT: "x", LEASE_SECONDS: "0", DATABASE_URL: "mysql://x" });
    for (const name of ["PORT", "LEASE_SECONDS", "DATABASE_URL"]) expect(message).toContain(name);
  });

  it.each([
    ["GRAPH_TENANT_ID", ["GRAPH_CLIENT_ID", "GRAPH_CLIENT_SECRET"]],
    ["API_APP_ID", ["API_CLIENT_SECRET", "TENANT_ID"]],
    ["MODEL_BASE_URL", ["MODEL_API_KEY", "MODEL_NAME"]],
  ])("missing settings that belong together with %s are named [OPS-02]", (given, missing) => {
    const message = refusalOf({ [given]: "https://x.example" });
    for (const name of missing) expect(message).toContain(`${name}: missing`);
  });

  it("a value that cannot be right is refused in words of ours, whatever the setting", () => {
    const names = [...page.matchAll(/^\| `(\w+)`(?: •)? \|/gm)].map(([, name]) => name!);
    const values = ["banana", "", "-1", "1.5", "99999999999", "{}", "http://x.example"];
    const given = names.flatMap((name) =>
      [...values, "file:/nowhere", "env:NOWHERE"].map((value) => ({ name, value })),
    );
    const refusals = given.flatMap(({ name, value }) => {
      try {
        loadConfig({ [name]: value });
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
    expect(names.length).toBeGreaterThan(90);
    expect(refusals.length).toBeGreaterThan(names.length);
    const ofLibraries =
      /Invalid |Too (small|big)|expected \w+|ENOENT|EISDIR|undefined|NaN|not defined|in the format/;
    expect(refusals.filter((text) => ofLibraries.test(text))).toEqual([]);
    for (const text of refusals) expect(text).toMatch(/^these settings are invalid:\n/);
  });

  it("a public address is https, or http on this machine [OPS-04] [SEC-04]", () => {
    const urlOf = (url: string) => loadConfig({ GRAPH_WEBHOOK_URL: url }).webhookUrl;
    expect(refusalOf({ GRAPH_WEBHOOK_URL: "http://mail.example" })).toContain("https");
    expect(urlOf("https://mail.example/")).toBe("https://mail.example");
    expect(urlOf("http://127.0.0.1:8010")).toBe("http://127.0.0.1:8010");
  });
});

describe("settings of the systems that Postroom replaces", () => {
  const fileOf = (text: string) => {
    const path = join(folder, "appsettings.json");
    writeFileSync(path, text);
    return path;
  };

  it("are accepted under their names, as connection strings and in their file; the environment wins [AUTH-02] [OPS-02] [OFF-22]", () => {
    const path = fileOf(`// appsettings.json
      { "Graph": { "TenantId": "t", "ClientId": "c", "ClientSecret": "a-secret" },
        "ConnectionStrings": { "Redis": "redis://127.0.0.1:1", "ServiceBus": "Endpoint=sb://x/" },
        "TENANT_ID": "from-the-file" }`);
    const config = loadConfig({
      POSTROOM_CONFIG: path,
      TENANT_ID: "t2",
      EmailProcessing__DefaultContainerId: "b!abc",
      Dataverse__ConnectionString:
        "AuthType=ClientSecret;Url=https://org.crm.dynamics.com;ClientId=app;ClientSecret=a-secret=y;",
    });
    expect(config).toMatchObject({
      graph: { tenantId: "t", clientId: "c" },
      jobEngine: "service-bus",
      api: { tenantId: "t2", appId: "app" },
      documents: { dataverseOrigin: "https://org.crm.dynamics.com" },
    });
    expect(config.graph?.clientSecret.reveal()).toBe("a-secret");
    expect(config.redisUrl?.reveal()).toBe("redis://127.0.0.1:1");
  });

  it("are refused by name if a deployment left a token, if two differ, or if the connection string has another form [AUTH-11] [OPS-02]", () => {
    const path = fileOf(`{ "Graph": { "TenantId": "#{TENANT_ID}#" } }`);
    expect(refusalOf({ POSTROOM_CONFIG: path })).toContain(
      "Graph__TenantId: contains #{TENANT_ID}#",
    );
    const published = fileOf(`{ "TENANT_ID": "from-environment" }`);
    expect(refusalOf({ POSTROOM_CONFIG: published })).toContain(
      "TENANT_ID: contains from-environment, which the deployment has not replaced",
    );
    expect(refusalOf({ POSTROOM_CONFIG: join(folder, "none.json") })).toContain("POSTROOM_CONFIG");
    expect(refusalOf({ ...GRAPH, Graph__ClientId: "other" })).toContain(
      "Graph__ClientId: differs from GRAPH_CLIENT_ID",
    );
    for (const text of ["https://org.crm.dynamics.com", "AuthType=OAuth;Url=https://x.example"])
      expect(refusalOf({ ConnectionStrings__Dataverse: text })).toContain(
        "ConnectionStrings__Dataverse: must be AuthType=ClientSecret;Url=…",
      );
  });

  it("name the engine, or leave it to the connection strings; Redis beside Service Bus is a cache", () => {
    const Redis__ConnectionString = "redis://127.0.0.1:1";
    const ServiceBus__ConnectionString = "Endpoint=sb://x/";
    const engineOf = (settings: Record<string, string>) => loadConfig(settings).jobEngine;
    expect(engineOf({})).toBe("postgres");
    expect(engineOf({ Redis__ConnectionString })).toBe("redis");
    expect(engineOf({ Redis__ConnectionString, JOB_ENGINE: "postgres" })).toBe("postgres");
    expect(engineOf({ Redis__ConnectionString, ServiceBus__ConnectionString })).toBe("service-bus");
    expect(refusalOf({ JOB_ENGINE: "redis" })).toContain("Redis__ConnectionString: missing");
  });

  it("that belong to documents are not ignored when the others are missing [OPS-02]", () => {
    const message = refusalOf({ EmailProcessing__WebhookSecret: "a-secret-of-the-webhook" });
    for (const name of ["Dataverse__ServiceUrl", "TENANT_ID", "API_APP_ID", "API_CLIENT_SECRET"])
      expect(message).toContain(`${name}: missing`);
  });

  it("in .env count unless the environment says otherwise", () => {
    writeFileSync(
      join(folder, ".env"),
      "# the backend\nGRAPH_WEBHOOK_URL=https://mail.example # public\nexport LOG_LEVEL='warn'\nPORT=1\n",
    );
    expect(readDotEnv(folder)).toEqual({
      ...{ GRAPH_WEBHOOK_URL: "https://mail.example", LOG_LEVEL: "warn", PORT: "1" },
    });
    expect(readDotEnv(join(folder, "nowhere"))).toEqual({});
  });
});

describe("a secret", () => {
  it.each(SECRETS)(
    "the secret %s may be a file or another variable, and must not be empty [SEC-01] [H-11]",
    (name) => {
      expect(refusalOf({ [name]: "env:NOT_SET" })).toContain("NOT_SET");
      expect(refusalOf({ [name]: `file:${folder}/not-there` })).toContain(name);
      expect(refusalOf({ [name]: "@Microsoft.KeyVault(SecretUri=x)" })).toContain("Key Vault");
      expect(refusalOf({ [name]: "" })).toContain(name);
      expect(refusalOf({ [name]: "env:EMPTY", EMPTY: "" })).toContain(name);
    },
  );

  it.each(SECRETS)("%s_FILE names a file that contains it, and nothing else does too", (name) => {
    const missing = join(folder, "not-there");
    expect(refusalOf({ [`${name}_FILE`]: missing })).toMatch(new RegExp(`${name}: .*not-there`));
    expect(refusalOf({ [`${name}_FILE`]: missing, [name]: "long-enough-to-be-one" })).toContain(
      `${name}_FILE: set either it or ${name}`,
    );
    expect(refusalOf({ [`${name}_FILE`]: "" })).toContain(`${name}_FILE: must not be empty`);
  });

  it("secrets are files of one folder; a value of its own comes first, and other files do not count", () => {
    const secrets = join(folder, "secrets");
    mkdirSync(secrets);
    const files = {
      GRAPH_CLIENT_SECRET: "from-the-folder\n",
      Connections__other__ClientSecret: "of-the-other-tenant",
      GRAPH_CLIENT_STATE: "not-this-one-but-another",
      PORT: "1",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(secrets, name), text);
    const config = loadConfig({
      ...{ GRAPH_TENANT_ID: "t", GRAPH_CLIENT_ID: "c", POSTROOM_SECRETS: secrets },
      ...{ Connections__other__TenantId: "t", Connections__other__ClientId: "c" },
      GRAPH_CLIENT_STATE: "the-state-of-its-own",
    });
    expect(config.graph?.clientSecret.reveal()).toBe("from-the-folder");
    expect(config.connections["other"]?.clientSecret.reveal()).toBe("of-the-other-tenant");
    expect(config.sharedClientState?.reveal()).toBe("the-state-of-its-own");
    expect(config.port).toBe(8010);
    expect(refusalOf({ POSTROOM_SECRETS: join(folder, "none") })).toContain("POSTROOM_SECRETS:");
  });

  it("a secret is read from where its reference points [SEC-01] [OPS-03]", () => {
    writeFileSync(join(folder, "secret"), "from-a-file\n");
    const config = loadConfig({
      ...GRAPH,
      GRAPH_CLIENT_SECRET: `file:${folder}/secret`,
      GRAPH_CLIENT_STATE: "env:ELSEWHERE",
      ELSEWHERE: "from-elsewhere-and-long",
    });
    expect(config.graph?.clientSecret.reveal()).toBe("from-a-file");
    expect(config.sharedClientState?.reveal()).toBe("from-elsewhere-and-long");
  });

  it("a secret is not shown when the settings are printed [H-11]", () => {
    const config = loadConfig(GRAPH);
    expect(`${JSON.stringify(config)} ${String(config.graph?.clientSecret)}`).not.toContain(
      "a-secret",
    );
  });
});

/** What docs/settings.md says about settings in general. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
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
  it("the defaults work, among them port 8010 and folder Inbox [OPS-04] [ING-22] [OFF-04]", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ port: 8010, mailboxFolder: "Inbox", graph: null });
    expect(page).toContain("| `PORT` | 8010 |");
    const names = [config.serviceBusQueues["office-profile"], config.redisUrl, config.serviceBus];
    expect(names).toEqual(["office-profile", null, null]);
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

  it("a public address is https, or http on this machine [OPS-04] [SEC-04]", () => {
    const urlOf = (url: string) => loadConfig({ GRAPH_WEBHOOK_URL: url }).webhookUrl;
    expect(refusalOf({ GRAPH_WEBHOOK_URL: "http://mail.example" })).toContain("https");
    expect(urlOf("https://mail.example/")).toBe("https://mail.example");
    expect(urlOf("http://127.0.0.1:8010")).toBe("http://127.0.0.1:8010");
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

/** Settings that lie in Azure Key Vault, as deployments of the source systems have them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadConfigAndVault } from "../../src/config.ts";
import { createTenant, type Tenant } from "../../tenant/index.ts";
import type { JournalEntry } from "../../tenant/journal.ts";
import { settingsFor, until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { startKeyVault, type VaultServer } from "../servers/key-vault.ts";
import { installPackages } from "../servers/packages.ts";

const BIN = resolve(import.meta.dirname, "../../bin/postroom.js");
const AZURE = resolve(import.meta.dirname, "../helpers/with-azure.mjs");
const OLD = "0123456789abcdef0123456789abcdef";
const NEW = "fedcba9876543210fedcba9876543210";
const folder = mkdtempSync(join(tmpdir(), "postroom-vault-"));
const children: ChildProcess[] = [];
let tenant: Tenant;
let vault: VaultServer;
let base: Record<string, string>;

beforeAll(async () => {
  await installPackages();
  tenant = await createTenant({ tls: true });
  vault = await startKeyVault(tenant);
  writeFileSync(join(folder, "ca.pem"), tenant.ca!);
  const { PORT, POSTROOM_HOME, DATABASE_URL } = (await settingsFor(null)) as Record<string, string>;
  base = {
    ...{ PORT: PORT!, POSTROOM_HOME: POSTROOM_HOME!, DATABASE_URL: DATABASE_URL! },
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    GRAPH_AUTHORITY: tenant.addresses.entra,
    GRAPH_BASE_URL: tenant.addresses.graph,
    GRAPH_TENANT_ID: tenant.tenantId,
    GRAPH_CLIENT_ID: tenant.clientId,
    AZURE_TENANT_ID: tenant.tenantId,
    AZURE_CLIENT_ID: tenant.apps[1]!.appId,
    AZURE_CLIENT_SECRET: tenant.apps[1]!.secrets[0]!,
  };
  vault.readers.add(tenant.apps[1]!.appId);
});

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("exit", ended));
  }
  await vault.close();
  await tenant.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A child with nothing of our own environment but what finds programs. */
function serve(settings: Record<string, string>, hasSdk = true) {
  const { PATH = "", HOME = "", CI = "" } = process.env;
  const env = { PATH, HOME, CI, ...base, ...settings };
  const args = [...(hasSdk ? ["--import", AZURE] : []), BIN, "serve"];
  const child = endWithUs(spawn(process.execPath, args, { cwd: folder, env }));
  children.push(child);
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((end) => child.once("exit", end));
  return { child, ended, said: () => said };
}

const isTokenOfPostroom = ({ kind, clientId }: JournalEntry): boolean =>
  kind === "token.issued" && clientId === tenant.clientId;

const at = (path: string): string => `@Microsoft.KeyVault(SecretUri=${vault.url}/secrets/${path})`;

it("settings in Key Vault are read at the start, in the version that is named or the newest, and work [SEC-01]", async () => {
  vault.secrets.set("Graph-Secret", {
    versions: [
      { id: OLD, value: tenant.clientSecret },
      { id: NEW, value: "rotated-but-not-yet-known-to-entra" },
    ],
  });
  vault.secrets.set("Database", { versions: [{ id: NEW, value: base["DATABASE_URL"]! }] });
  writeFileSync(
    join(folder, "appsettings.json"),
    JSON.stringify({ Graph: { ClientSecret: at(`Graph-Secret/${OLD}`) } }),
  );
  const server = serve({
    DATABASE_URL: at("Database/"),
    POSTROOM_CONFIG: join(folder, "appsettings.json"),
    GRAPH_MAILBOX_EMAIL: tenant.users[0]!.mail,
  });
  await until("a token for Graph, got with the secret from the vault", async () => {
    if (server.child.exitCode !== null) throw new Error(server.said());
    const answer = await fetch(`http://127.0.0.1:${base["PORT"]}/readyz`).catch(() => null);
    return answer?.status === 200 && tenant.journal.entries().some(isTokenOfPostroom);
  });
  expect(server.said()).not.toContain(tenant.clientSecret);
  // Only the first call is challenged.
  expect(vault.answers).toEqual([
    `401 /secrets/Graph-Secret/${OLD}`,
    `200 /secrets/Graph-Secret/${OLD}`,
    "200 /secrets/Database/",
  ]);
});

it("a secret that the vault does not have or does not give stops the start, and every such setting is named [SEC-01]", async () => {
  vault.secrets.set("Off", { versions: [{ id: NEW, value: "a-secret-value" }], isDisabled: true });
  vault.secrets.set("Short", { versions: [{ id: NEW, value: "tiny" }] });
  const server = serve({
    GRAPH_CLIENT_SECRET: at("Missing"),
    API_CLIENT_SECRET: at("Off"),
    Rag__ApiKey: at("Short"),
    GRAPH_CLIENT_STATE: at(`Off/${OLD}`),
  });
  expect(await server.ended).toBe(2);
  const host = new URL(vault.url).host;
  for (const line of [
    `GRAPH_CLIENT_SECRET: ${host} has no Missing`,
    `API_CLIENT_SECRET: ${host} does not let this identity read Off`,
    "Rag__ApiKey: must have at least 16 characters",
    `GRAPH_CLIENT_STATE: ${host} has no version ${OLD} of Off`,
  ])
    expect(server.said()).toContain(line);
});

it("an identity without a right to the vault, or one that Entra refuses, stops the start with a line that says so [SEC-01]", async () => {
  const GRAPH_CLIENT_SECRET = at("Graph-Secret");
  const stranger = {
    AZURE_CLIENT_ID: tenant.clientId,
    AZURE_CLIENT_SECRET: tenant.clientSecret,
  };
  const servers = [
    serve({ GRAPH_CLIENT_SECRET, ...stranger }),
    serve({ GRAPH_CLIENT_SECRET, AZURE_CLIENT_SECRET: "not-the-secret" }),
    serve({ GRAPH_CLIENT_SECRET }, false),
  ];
  expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual([2, 2, 2]);
  const [denied, unknown, bare] = servers.map(({ said }) => said());
  expect(denied).toContain("does not let this identity read Graph-Secret");
  expect(unknown).toMatch(/GRAPH_CLIENT_SECRET: localhost:\d+ did not answer for Graph-Secret: .*/);
  expect(bare).toMatch(
    /a Key Vault reference needs a package that is not installed; run "npm install @azure\/keyvault-secrets@\S+ @azure\/identity@\S+"/,
  );
  expect(bare).not.toContain("    at ");
});

it.each([
  ["http", "@Microsoft.KeyVault(SecretUri=http://ashdown.vault.azure.net/secrets/a)", "by https"],
  [
    "another host",
    "@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/a)",
    "ends with .vault.azure.net",
  ],
  [
    "a host that only looks alike",
    "@Microsoft.KeyVault(SecretUri=https://evilvault.azure.net/secrets/a)",
    "ends with",
  ],
  [
    "another port",
    "@Microsoft.KeyVault(SecretUri=https://ashdown.vault.azure.net:8443/secrets/a)",
    "ends with",
  ],
  [
    "a name that leaves the vault",
    "@Microsoft.KeyVault(VaultName=evil.example/x;SecretName=a)",
    "must be @Microsoft",
  ],
  [
    "a key",
    "@Microsoft.KeyVault(SecretUri=https://ashdown.vault.azure.net/keys/a)",
    "must be @Microsoft",
  ],
  [
    "credentials",
    "@Microsoft.KeyVault(SecretUri=https://me:pw@ashdown.vault.azure.net/secrets/a)",
    "must be @Microsoft",
  ],
  ["no vault", "@Microsoft.KeyVault(SecretName=a)", "must be @Microsoft"],
  [
    "an unfinished form",
    "@Microsoft.KeyVault(SecretUri=https://ashdown.vault.azure.net/secrets/a",
    "must be @Microsoft",
  ],
])("a reference with %s is refused before anything is sent [SEC-01]", async (_, value, why) => {
  const refused = loadConfigAndVault({ EmailProcessing__WebhookSecret: value });
  await expect(refused).rejects.toThrow(new RegExp(`EmailProcessing__WebhookSecret: .*${why}`));
});

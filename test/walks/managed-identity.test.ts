/** Services that know the identity of the machine: no setting holds a key for them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ContainerClient } from "@azure/storage-blob";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressWithoutKey } from "../../src/files/blob-azure.ts";
import { namespaceWithoutKey } from "../../src/jobs/engines/service-bus-address.ts";
import { openDatabase } from "../../src/store/database.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { createTenant, type Tenant } from "../../tenant/index.ts";
import { createLocalTls } from "../../tenant/tls.ts";
import { settingsFor, until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { type AzuriteServer, startAzurite } from "../servers/azurite.ts";
import { installPackages } from "../servers/packages.ts";

const BIN = resolve(import.meta.dirname, "../../bin/postroom.js");
const AZURE = resolve(import.meta.dirname, "../helpers/with-azure.mjs");
const STORAGE = "https://storage.azure.com";
const HEADER = "the-header-of-this-machine";
const CONTAINER = "archive";
const folder = mkdtempSync(join(tmpdir(), "postroom-identity-"));
const children: ChildProcess[] = [];
let tenant: Tenant;
let azurite: AzuriteServer;
let machine: Server;
/** The resources that the machine's identity was asked for. */
const asked: string[] = [];

beforeAll(async () => {
  await installPackages();
  tenant = await createTenant({ tls: true });
  tenant.apps.push({
    ...{ appId: "e406a681-f3d4-42a8-90b6-c2b029497af1", displayName: "Azure Storage" },
    ...{ servicePrincipalId: "0a1d5d9e-6c0b-4f1c-9a43-3f5a5bd5e5a4", secrets: [], appRoles: [] },
    ...{ delegatedScopes: [], redirectUris: [], accessTokenVersion: 1 },
    identifierUris: [STORAGE],
  });
  const { ca, key, cert } = await createLocalTls();
  const files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  writeFileSync(join(folder, "ca.pem"), ca);
  azurite = await startAzurite(files);
  await containerOf(azurite, ca).create();
  machine = await startMachine();
});

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("exit", ended));
  }
  machine.close();
  await azurite.close();
  await tenant.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As the tests see it, with the account's key. */
function containerOf(server: AzuriteServer, ca: string): ContainerClient {
  const options: object = { tlsOptions: { ca } };
  return new ContainerClient(server.connectionString(), CONTAINER, options);
}

/** The endpoint by which App Service gives tokens to the programs that it runs. */
async function startMachine(): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, "http://machine");
    const resource = searchParams.get("resource")!;
    const isOwn = request.headers["x-identity-header"] === HEADER;
    const token = tenant.tokenFor({ app: tenant.apps[1]!.appId, scope: `${resource}/.default` });
    const type = { "content-type": "application/json" };
    if (!isOwn) return void response.writeHead(401, type).end('{"message":"Unauthorized"}');
    asked.push(resource.replace(/\/$/, ""));
    const expiresAt = Math.floor(Date.now() / 1_000) + 3_000;
    const answer = {
      access_token: token,
      resource,
      token_type: "Bearer",
      expires_on: `${expiresAt}`,
    };
    response.writeHead(200, type).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return server;
}

async function environment(): Promise<Record<string, string>> {
  const { PORT, POSTROOM_HOME, DATABASE_URL } = (await settingsFor(null)) as Record<string, string>;
  const { port } = machine.address() as AddressInfo;
  const [bus] = /127\.0\.0\.1:\d+/.exec(tenant.addresses.serviceBus!)!;
  return {
    ...{ PORT: PORT!, POSTROOM_HOME: POSTROOM_HOME!, DATABASE_URL: DATABASE_URL! },
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    IDENTITY_ENDPOINT: `http://127.0.0.1:${port}/msi/token`,
    IDENTITY_HEADER: HEADER,
    GRAPH_AUTHORITY: tenant.addresses.entra,
    GRAPH_BASE_URL: tenant.addresses.graph,
    GRAPH_TENANT_ID: tenant.tenantId,
    GRAPH_CLIENT_ID: tenant.clientId,
    GRAPH_CLIENT_SECRET: tenant.clientSecret,
    GRAPH_MAILBOX_EMAIL: tenant.users[0]!.mail,
    DELTA_MINUTES: "0.05",
    ServiceBus__ConnectionString: `Endpoint=sb://${bus}/;Authentication=Managed Identity`,
    ARCHIVE_STORE: `azure://${CONTAINER}`,
    ARCHIVE_CONNECTION_STRING: `BlobEndpoint=${azurite.url}/devstoreaccount1`,
  };
}

function run(words: readonly string[], env: Record<string, string>) {
  const { PATH = "", HOME = "", CI = "" } = process.env;
  const args = ["--import", AZURE, BIN, ...words];
  const child = endWithUs(
    spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME, CI, ...env } }),
  );
  children.push(child);
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((end) => child.once("exit", end));
  return { child, ended, said: () => said };
}

it("Service Bus and a storage account are used with the identity of the machine, without a key [SEC-01]", async () => {
  const env = await environment();
  const queues = run(["jobs", "create-queues"], env);
  expect(await queues.ended, queues.said()).toBe(0);
  const server = run(["serve"], env);
  const database = openDatabase({ url: env["DATABASE_URL"]! });
  const ask = async (sql: string) => {
    if (server.child.exitCode !== null) throw new Error(server.said());
    // Before the server has made its tables, there is nothing.
    return database.query(sql).then(
      ({ rows }) => rows,
      () => [],
    );
  };
  const read = "SELECT 1 FROM postroom.job WHERE type = 'delta-sync' AND state = 'Completed'";
  await until("a job that Service Bus carried", async () => (await ask(read)).length > 0);
  const note = await makeNote({ seed: 3, kind: "buy" });
  await tenant.graph.admin.sendMail({
    to: tenant.users[0]!.mail,
    attachments: [{ name: "note.pdf", contentType: "application/pdf", bytes: note.pdf }],
  });
  const done = "SELECT 1 FROM bo_airflow.email_ingestion_state WHERE status = 'success'";
  await until("the note", async () => (await ask(done)).length > 0);
  await database.close();
  const names: string[] = [];
  for await (const blob of containerOf(azurite, tenant.ca!).listBlobsFlat()) names.push(blob.name);
  expect(names).toEqual([expect.stringMatching(/^archive\/sender_email=.*\.pdf$/)]);
  expect([...new Set(asked)].sort()).toEqual(["https://servicebus.azure.net", STORAGE]);
});

it("a machine without an identity is told so in one line [SEC-01]", async () => {
  const queues = run(["jobs", "create-queues"], { ...(await environment()), IDENTITY_HEADER: "x" });
  expect(await queues.ended).toBe(2);
  expect(queues.said().trim().split("\n")).toEqual([
    expect.stringContaining("Service Bus without a key needs an identity that this machine does"),
  ]);
});

describe("a connection string without a key", () => {
  it.each([
    ["ns.servicebus.windows.net", "ns.servicebus.windows.net"],
    ["Endpoint=sb://ns.example/;Authentication=Managed Identity", "ns.example"],
    ["Endpoint=sb://ns.example", "ns.example"],
    ["Endpoint=sb://ns.example/;SharedAccessKeyName=Root;SharedAccessKey=k=", null],
    ["Endpoint=sb://ns.example/;SharedAccessSignature=SharedAccessSignature sr=x", null],
    ["Endpoint=https://ns.example/", null],
  ])("of Service Bus names the namespace: %s [SEC-01]", (text, namespace) => {
    expect(namespaceWithoutKey(text)).toBe(namespace);
  });

  it.each([
    ["BlobEndpoint=https://a.blob.core.windows.net/", "https://a.blob.core.windows.net"],
    ["DefaultEndpointsProtocol=https;AccountName=a", "https://a.blob.core.windows.net"],
    ["AccountName=a;EndpointSuffix=core.chinacloudapi.cn", "https://a.blob.core.chinacloudapi.cn"],
    ["AccountName=a;AccountKey=k==;BlobEndpoint=https://a.example", null],
    ["BlobEndpoint=https://a.example;SharedAccessSignature=sig=x", null],
    ["nonsense", null],
  ])("of a storage account names its address: %s [SEC-01]", (text, address) => {
    expect(addressWithoutKey(text)).toBe(address);
  });
});

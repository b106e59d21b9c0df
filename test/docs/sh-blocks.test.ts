/** What the pages tell people to type works as printed, on one machine with one `postroom up`. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../src/store/embedded-postgres.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import { emptyDatabaseUrl, freshDatabaseUrl } from "../helpers/database.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";
import { askQuestions, type Questions } from "./questions.ts";
import {
  type Line,
  linesOf,
  missingFor,
  notAroundUs,
  overlooked,
  PAGES,
  pagesWithBlocks,
  ROOT,
} from "./sh-blocks.ts";
import { openShell, PROGRAM, type Shell, stop } from "./shell.ts";

const NOTE =
  "Wertpapierabrechnung Kauf\nISIN DE0005200000\nSchlusstag 16.04.2021\nStück 90\nKurs EUR 91,30\nKurswert EUR 8.217,00\nProvision EUR 41,09\nAusmachender Betrag EUR 8.258,09\n";
const before = process.cwd();
let folder: string;
let home: string;
let port: number;
let up: ChildProcess;
let shell: Shell;
/** What a reader fills in where a page says `…` or names an address of their own. */
let filledIn: Record<string, string>;
/** The database of `postroom up`. */
let databaseUrl: string;
/** What the pages about review answer. */
let questions: Questions;
/** The settings of a server that runs beside `postroom up`. */
let beside: Record<string, string>;
/** That of a program that Postroom replaces. */
let redis: TestRedis;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-docs-"));
  await chmod(folder, 0o711);
  home = join(folder, ".postroom");
  port = await freePort();
  databaseUrl = await freshDatabaseUrl();
  const settings = {
    ...{ DATABASE_URL: databaseUrl, POSTROOM_HOME: home },
    GRAPH_RICH_NOTIFICATIONS: "true",
  };
  up = endWithUs(
    spawn(process.execPath, [PROGRAM, "up", "--quiet", "--no-sample-mail"], {
      env: { PATH: process.env["PATH"], TMPDIR: tmpdir(), PORT: String(port), ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  let said = "";
  up.stdout!.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  redis = await startRedis();
  await new Promise<void>((done) => {
    const [[key, link]] = Object.entries(LINKS) as [[string, string]];
    connect(redis.port, "127.0.0.1", function (this: Socket) {
      this.end(`SET ${key} ${link}\r\n`);
    })
      .resume()
      .once("close", () => done());
  });
  await makeFiles();
  process.chdir(folder); // where a reader has the files that a page names
  // It is healthy earlier, but a reader types only what comes after this line: by then all mailboxes are watched.
  await until("the greeting", async () => said.includes("Postroom is up"), 180_000);
  await readTenant();
  questions = await askQuestions({ folder, home, url: `http://127.0.0.1:${port}`, steer });
  Object.assign(filledIn, questions.names);
  shell = await openShell(folder, { home, port }, async () => void (await steer("/mail", MAIL)));
}, 300_000);
afterAll(async () => {
  process.chdir(before);
  await shell?.close();
  await stop(up);
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

const MAIL = { to: "nina.berg@ashdown.example", from: "ann@elsewhere.example", subject: "Hello" };

/** What MSEDB has in Redis. */
const LINKS = { "delta:a1:inbox": "https://graph.microsoft.com/v1.0/delta" };

/** What the systems that Postroom replaces export. */
const OF_OTHERS: Readonly<Record<string, object>> = {
  "mailboxes.jsonl": { _id: { $oid: "a1" }, email: "omar.haddad@ashdown.example" },
  "emailevents.jsonl": {
    ...{ mailboxId: { $oid: "a1" }, messageId: "AAMk1", eventType: "read" },
    timestamp: { $date: "2026-01-05T08:00:00Z" },
  },
  "redis.json": LINKS,
  "rows.jsonl": {
    message_id: "AAk1",
    mailbox_email: "omar.haddad@ashdown.example",
    status: "success",
  },
  "documents.jsonl": { sprk_documentid: "3f2a61b0-0000-4000-8000-000000000009" },
  "sdap-jobs.jsonl": { jobType: "RagIndexing" },
};

const HALF = { quantity: 50, gross: null, net: null };
/** What a reader has written for Postroom. */
const OF_THE_READER: Readonly<Record<string, string>> = {
  "parts.json": JSON.stringify([HALF, HALF]),
  "orders.csv":
    "reference,username,direction,quantity,placedOn,ticker\nO-7,nina.berg,BUY,77,2026-01-01,ORD7\n",
  "people.csv": "email,name\nnina.berg@ashdown.example,Nina Berg\n",
};

async function makeFiles(): Promise<void> {
  const { pdf } = await makeNote({ seed: "docs", kind: "buy", language: "en" });
  const eml = "From: desk@broker.example\r\nSubject: Forwarded\r\n\r\nSee below.\r\n";
  const truth = { type: "BUY", date: "2021-04-16", isin: "DE0005200000", shares: 90 };
  const transactions = [{ ...truth, currency: "EUR", amount: 8258.09 }];
  const row = (fold: number) => ({ file: `${fold}.txt`, fold, text: NOTE, transactions });
  await Promise.all([
    writeFile(join(folder, "note.pdf"), pdf),
    writeFile(join(folder, "contract.pdf"), pdf),
    writeFile(join(folder, "forwarded.eml"), eml),
    writeFile(join(folder, "corpus.jsonl"), [0, 1, 2, 3, 4].map(row).map(asLine).join("")),
    ...Object.entries(OF_OTHERS).map(([name, row]) =>
      writeFile(join(folder, name), `${JSON.stringify(row)}\n`),
    ),
    ...Object.entries(OF_THE_READER).map(([name, text]) => writeFile(join(folder, name), text)),
    cp(join(ROOT, "README.md"), join(folder, "README.md")),
    cp(join(ROOT, "deploy"), join(folder, "deploy"), { recursive: true }),
    // Programs of a checkout that read files of the reader.
    ...["bench", "node_modules"].map((name) => symlink(join(ROOT, name), join(folder, name))),
  ]);
}
const asLine = (row: { fold: number }): string =>
  `${JSON.stringify({ ...row, family: `f${row.fold}` })}\n`;

async function readTenant(): Promise<void> {
  const tenant = JSON.parse(await readFile(join(home, "tenant.json"), "utf8"));
  const secret = join(folder, "secret-of-the-app");
  await writeFile(secret, tenant.clientSecret);
  await writeFile(join(folder, "admin-token"), await adminToken(tenant));
  const otherPort = String(await freePort());
  beside = {
    ...{ PORT: otherPort, POSTROOM_HOME: join(folder, "beside") },
    ...{ DATABASE_URL: await freshDatabaseUrl() },
    ...{ GRAPH_BASE_URL: tenant.graph, GRAPH_AUTHORITY: tenant.entra },
  };
  filledIn = {
    "TENANT_ID=…": `TENANT_ID=${tenant.tenantId}`,
    "CLIENT_ID=…": `CLIENT_ID=${tenant.clientId}`,
    "TenantId=…": `TenantId=${tenant.tenantId}`,
    "ClientId=…": `ClientId=${tenant.clientId}`,
    "ClientSecret=file:…": `ClientSecret=file:${secret}`,
    "file:/run/secrets/graph": `file:${secret}`,
    "postgres://…/restored": `'${await emptyDatabaseUrl()}'`,
    "6f1c…": "$(postroom evidence verify ./case-17 --json | jq -r .head)",
    "--port 4010": `--port ${await freePort()}`,
    "ceo@example.com": await shutOut(tenant),
    "https://mail-hooks.example.com": `http://127.0.0.1:${otherPort}`,
    // The app of this tenant has the name that a new one would get.
    "--token-file admin-token": `--token-file admin-token --graph-url ${tenant.graph} --name 'Another Postroom'`,
    "redis-cli ": `redis-cli -p ${redis.port} `,
    "8010": String(port),
    "8011": String(port + 1),
  };
}

/** What an administrator gets from Entra: here the daemon of the tenant is one. */
async function adminToken(tenant: Readonly<Record<string, string>>): Promise<string> {
  const { value } = (await (await fetch(`${tenant["admin"]}/apps`)).json()) as {
    value: { appId: string; appRoles: string[] }[];
  };
  const { appId, appRoles } = value.find((app) => app.appId === tenant["clientId"])!;
  const rights = ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"];
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ appRoles: [...appRoles, ...rights] });
  await fetch(`${tenant["admin"]}/apps/${appId}`, { method: "PATCH", headers, body });
  const answer = await fetch(`${tenant["entra"]}/${tenant["tenantId"]}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "client_credentials", client_id: tenant["clientId"]! },
      ...{ client_secret: tenant["clientSecret"]!, scope: "https://graph.microsoft.com/.default" },
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Exchange keeps the app out of the mailbox of one more person. */
async function shutOut({ clientId }: Readonly<Record<string, string>>): Promise<string> {
  const { value } = (await (await fetch(steering("/mailboxes"))).json()) as {
    value: { userPrincipalName: string }[];
  };
  const mailboxes = value.map(({ userPrincipalName }) => userPrincipalName);
  const person = await steer("/users", { userPrincipalName: "ceo" });
  expect((await steer(`/apps/${clientId}/mailboxes`, { mailboxes }, "PUT")).status).toBe(200);
  return ((await person.json()) as { userPrincipalName: string }).userPrincipalName;
}

const steering = (path: string): string => `http://127.0.0.1:${port + 1}/admin${path}`;

async function steer(path: string, body: object, method = "POST"): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(steering(path), { method, headers, body: JSON.stringify(body) });
}

const fillIn = (text: string): string =>
  Object.entries(filledIn).reduce(
    (line, [said, meant]) => line.replaceAll(said, meant),
    questions.fillIn(text),
  );

/** Documents are indexed while one reads. */
const untilItFinds = (line: string, file: string): string =>
  `until ${line} | tee found | grep -F '${file}'; do :; done; cat found`;

/** A block that starts a server of its own has its own folder and port; the others share `postroom up`. */
function toScript(lines: readonly Line[]): string[] {
  const serving = new Set(
    lines.filter(({ text }) => text.startsWith("postroom serve")).map(({ block }) => block),
  );
  const settings = Object.entries(beside).map(([name, value]) => `export ${name}='${value}'`);
  const opened = new Set<number>();
  return lines.flatMap(({ block, text, finds }, index) => {
    const line = finds.reduce(untilItFinds, fillIn(text));
    if (!serving.has(block)) return [line];
    const isLast = lines[index + 1]?.block !== block;
    const start = opened.has(block) ? [] : [`KEPT=$(export -p)`, ...settings];
    opened.add(block);
    return [...start, line, ...(isLast ? [`eval "$KEPT"`] : [])];
  });
}

describe("the sh blocks", () => {
  // Moving the tenant's clock by days ends tokens and subscriptions, so that page comes last.
  const pages = pagesWithBlocks().sort(
    (one, other) => Number(one === "docs/tenant.md") - Number(other === "docs/tenant.md"),
  );
  it.each(pages)("%s: every command works as printed", async (page) => {
    const lines = linesOf(page).filter(({ kind }) => kind === "run");
    const settings = {
      ...{ DATABASE_URL: databaseUrl, GRAPH_CLIENT_STATE: "a-state-of-this-test-only" },
      ...{ GRAPH_MAILBOX_EMAIL: "operations@ashdown.example", OTHER_DATABASE: databaseUrl },
    };
    const script = toScript(lines);
    expect(script.filter((line) => line.includes("…"))).toEqual([]);
    const { code, said } = await shell.run(script, settings);
    expect(code, said).toBe(0);
  });

  it("none is left out but programs of others and what runs around this test", () => {
    const lines = pages.flatMap(linesOf);
    const count = (kind: Line["kind"]) => lines.filter((line) => line.kind === kind).length;
    expect(notAroundUs()).toEqual([]);
    expect(PAGES.flatMap(overlooked)).toEqual([]);
    expect(count("run")).toBeGreaterThan(130);
    const programs = lines.flatMap(({ text }) => missingFor(text) ?? []);
    const byProgram = [...new Set(programs)].map(
      (name) => `${name} ${programs.filter((each) => each === name).length}`,
    );
    console.log(
      `sh lines in ${pages.length} pages: ${count("run")} run here, ${count("around")} by .ci/run; left out: ` +
        `${programs.length} for programs of others (${byProgram.join(", ")})`,
    );
  });
});

/** A run of the whole product with faults on the way, after which no secret and no text of a mail is found anywhere. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { findJobs } from "../src/jobs/status/job-status-table.ts";
import { makeNote } from "../tenant/content/notes/make-note.ts";
import { aDocumentScene, type DocumentScene, WEBHOOK_SECRET } from "./documents/scene.ts";
import { watch } from "./helpers/app.ts";

const BODY = `canary-${randomUUID()}`;
const JWT = /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/;
const UPLOAD_URL = /\/upload\/drive\/[\w-]+/;
let scene: DocumentScene;
let canaries: string[];
/** Every answer of the API, by the request that it answers. */
const answers: Record<string, string> = {};

beforeAll(async () => {
  scene = await aDocumentScene({
    app: { roles: ["intake", "api", "worker"] },
    settings: { EmailProcessing__MaxTotalSizeMB: "1" },
  });
  const { tenant, app, nina, omar } = scene;
  const [name] = tenant.users[1]!.userPrincipalName.split("@");
  await watch(app, tenant, [name!], "Inbox");
  canaries = [
    BODY,
    WEBHOOK_SECRET,
    tenant.clientSecret,
    ...tenant.apps.flatMap((each) => each.secrets),
    app.operatorKey,
    nina.token,
    omar.token,
    new URL(inject("postgresUrl")).password,
    ...tenant.graph.admin.subscriptions().flatMap((each) => each.clientState ?? []),
  ];
});

async function call(method: "GET" | "POST" | "PUT", url: string, more: object = {}) {
  const headers = { authorization: `Bearer ${scene.app.operatorKey}` };
  const answer = await scene.app.server.inject({ method, url, headers, ...more });
  answers[`${method} ${url}`] = `${answer.body} ${JSON.stringify(answer.headers)}`;
  return answer;
}

async function receiveMail(subject: string, attachments: readonly object[] = []): Promise<void> {
  const { tenant } = scene;
  await tenant.graph.admin.sendMail({
    ...{ to: tenant.users[1]!.mail, from: "documents@broker.example", subject },
    body: `<p>${BODY}</p>`,
    attachments: attachments as never,
  });
}

async function work(): Promise<void> {
  await scene.app.watching.begin();
  await scene.app.jobs.workUntilIdle(60_000);
}

const fail = (kind: string, where: object, times: number | null, options: object = {}) =>
  void scene.tenant.faults.arm({ kind, where, remaining: times, options } as never);

/** Mail with and without a note, while Graph and Entra fail in turn. */
async function watchAndIngest(): Promise<void> {
  const note = await makeNote({ seed: 3, kind: "buy" });
  const file = { name: "note.pdf", contentType: "application/pdf", bytes: note.pdf };
  await receiveMail("with a note", [file]);
  await receiveMail("without a note");
  await receiveMail("a broken note", [{ ...file, bytes: Buffer.from(`%PDF-1.4 ${BODY} %%EOF`) }]);
  fail("unauthorized", { part: "graph" }, 1);
  fail("html", { part: "graph" }, 1);
  fail("server-error", { part: "graph" }, 2, { status: 503 });
  await work();
  scene.tenant.faults.disarm();
  await work();
}

/** Files as people and as the app, refused, failed, and resumed. */
async function file(): Promise<void> {
  const { tenant, app, nina, omar, containerId } = scene;
  await scene.put("a.txt", BODY);
  await scene.put("b.txt", BODY, { person: omar, container: `b!${"A".repeat(60)}` });
  fail("unauthorized", { part: "graph" }, null);
  answers["PUT c.txt"] = JSON.stringify(await scene.put("c.txt", BODY));
  tenant.faults.disarm();
  const session = await app.server.inject({
    ...{ method: "POST", url: "/upload/session", headers: nina.headers },
    payload: { fileName: "big.bin", size: 327_680, containerId },
  });
  answers["POST /upload/session"] = session.body;
  fail("server-error", { method: "PUT", path: "/upload/drive/*" }, 2, { status: 500 });
  const chunk = await app.server.inject({
    ...{ method: "PUT", url: `/upload/session/${session.json().uploadId}/chunk` },
    headers: { ...nina.headers, "content-range": "bytes 0-327679/327680" },
    payload: Buffer.alloc(327_680),
  });
  answers["PUT chunk"] = chunk.body;
  const { id } = await tenant.dataverse.admin.create("email", {
    ...{ subject: "to file", description: BODY, actualend: "2026-02-17T10:00:00Z" },
  });
  const { id: large } = await tenant.dataverse.admin.create("email", {
    ...{
      subject: "too large",
      description: BODY.repeat(20_000),
      actualend: "2026-02-17T10:00:00Z",
    },
  });
  fail("server-error", { part: "dataverse" }, 1, { status: 500 });
  for (const each of [id, large, randomUUID()])
    await call("POST", `/api/v1/emails/webhook-trigger?code=${WEBHOOK_SECRET}`, {
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ PrimaryEntityId: each, PrimaryEntityName: "email" }),
    });
  await app.jobs.workUntilIdle(60_000);
  tenant.faults.disarm();
}

/** What strangers send to the open doors. */
async function knock(): Promise<void> {
  const json = { headers: { "content-type": "application/json" } };
  const forged = { subscriptionId: randomUUID(), clientState: "canary-state", resource: BODY };
  const items = [forged, { ...forged, changeType: "created", resourceData: { id: "AAMkForged" } }];
  await call("POST", "/webhooks/graph", { ...json, payload: JSON.stringify({ value: items }) });
  await call("POST", `/api/v1/emails/webhook-trigger?code=canary-code`, { ...json, payload: "{}" });
  await call("GET", "/api/trades?access_token=canary-token", {
    headers: { authorization: `Bearer ${scene.nina.token}x` },
  });
}

/** Every route that shows something, as an admin. */
async function askEverything(): Promise<void> {
  const { paths } = (await call("GET", "/api/openapi.json")).json() as {
    paths: Record<string, Record<string, unknown>>;
  };
  const jobs = await findJobs(scene.app.database, { limit: 50 });
  for (const [path, methods] of Object.entries(paths)) {
    if (!("get" in methods) || path === "/api/events/tail") continue;
    if (!path.includes("{")) await call("GET", path);
    else for (const { jobId } of jobs) await call("GET", path.replace(/\{[^}]+\}/g, jobId));
  }
  for (const path of ["/metrics", "/readyz", "/api/doctor"]) await call("GET", path);
}

const leaksIn = (text: string): string[] => [
  ...canaries
    .concat("canary-state", "canary-code", "canary-token")
    .filter((each) => text.includes(each)),
  ...[JWT, UPLOAD_URL].flatMap((pattern) => pattern.exec(text)?.[0] ?? []),
];

describe("after a run with mail, files, strangers and faults", () => {
  beforeAll(async () => {
    await watchAndIngest();
    await file();
    await knock();
    await askEverything();
  }, 300_000);

  it("the run did what it should: trades or questions, files, failures and refusals", async () => {
    const { database, logLines } = scene.app;
    const count = async (table: string) =>
      (await database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]!.n;
    expect(await count("postroom.event")).toBeGreaterThan(2);
    expect(await count("postroom.review")).toBeGreaterThan(0);
    expect(scene.files().length).toBeGreaterThan(0);
    const dead = "postroom.job WHERE state IN ('Failed', 'Poisoned')";
    expect(await count(dead)).toBeGreaterThan(0);
    expect(logLines.filter((line) => "err" in line).length).toBeGreaterThan(0);
    expect(logLines.length).toBeGreaterThan(10);
    expect(Object.keys(answers).length).toBeGreaterThan(20);
  });

  it("no log line shows a secret or the text of a mail [SEC-07] [S65]", () => {
    const wrong = scene.app.logLines.flatMap((line) => {
      const leaks = leaksIn(JSON.stringify(line));
      return leaks.length > 0 ? [{ leaks, line }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("no answer of the API, error, metric or trace shows one [S65]", () => {
    const wrong = Object.entries(answers).flatMap(([request, answer]) => {
      // The operator's own key and code are in the request, not in the answer.
      const leaks = leaksIn(answer);
      return leaks.length > 0 ? [{ request, leaks }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("no row holds one: no job, dead letter, trace, subscription or reservation [S65]", async () => {
    const { database } = scene.app;
    const { rows: tables } = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const wrong: { name: string; leaks: string[] }[] = [];
    for (const { name } of tables) {
      // The index holds the text of filed documents and its words: that is what people search.
      const isIndex = name === "postroom.chunk" || name === "postroom.stem";
      const { rows } = await database.query<{ text: string }>(
        `SELECT t::text AS text FROM ${name} t`,
      );
      const leaks = rows
        .flatMap(({ text }) => leaksIn(text))
        .filter((leak) => !(isIndex && leak === BODY));
      if (leaks.length > 0) wrong.push({ name, leaks });
    }
    expect(wrong).toEqual([]);
  });
});

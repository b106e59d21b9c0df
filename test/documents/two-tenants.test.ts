/** Two Microsoft tenants in one installation: what people of the first learn about the second, whatever their role. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { createRandom } from "../../tenant/random.ts";
import { anApp, aTenant, type TestApp, until } from "../helpers/app.ts";
import { aPerson, documentSettings, type Person } from "./scene.ts";

const CALLS = 500;
/** How many ways to ask for something are tried; POSTROOM_LONG tries all of them. */
const PAIRS = 400;
const SEED = "two tenants";
const CANARY = "zsecond7c41";
/** They never end. */
const ENDLESS = /\/(tail|stream)$/;

interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** As the description of the API gives it. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Names of what may stand in the query. */
  readonly query: readonly string[];
}

/** Something of the second tenant, and a name of the same form that nothing has. */
interface Thing {
  readonly real: string;
  readonly phantom: string;
}

let other: Tenant;
let app: TestApp;
let people: Person[];
let viewer: Person;
let operations: Operation[];
/** What names things of the second tenant. */
let theirs: string[];
let things: Thing[];

beforeAll(async () => {
  const tenant = await aTenant();
  other = await aTenant({ seed: "second" });
  for (const user of other.users)
    Object.assign(user, {
      mail: user.mail.replace("ashdown", CANARY),
      userPrincipalName: user.userPrincipalName.replace("ashdown", CANARY),
    });
  app = await anApp(tenant, {
    ...documentSettings(tenant),
    Connections__second__TenantId: other.tenantId,
    Connections__second__ClientId: other.clientId,
    Connections__second__ClientSecret: other.clientSecret,
    Connections__second__GraphUrl: other.addresses.graph,
    Connections__second__Authority: other.addresses.entra,
  });
  const roles = { 1: [], 2: ["Postroom.Viewer"], 3: ["Postroom.Operator"], 4: ["Postroom.Admin"] };
  people = Object.entries(roles).map(([index, held]) => {
    Object.assign(tenant.users[Number(index)]!, { appRoles: { [tenant.apps[1]!.appId]: held } });
    return aPerson(tenant, Number(index));
  });
  viewer = people[1]!;
  await fillFirst(tenant);
  theirs = [...(await fillSecond()), other.tenantId, ...other.users.map(({ id }) => id)];
  operations = await readOperations();
  things = await findThings();
});

async function admin<T>(method: "GET" | "POST", url: string, payload?: object): Promise<T> {
  const headers = { authorization: `Bearer ${app.operatorKey}` };
  const answer = await app.server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json() as T;
}

/** Mail and a question of the first tenant. */
async function fillFirst(tenant: Tenant): Promise<void> {
  const { mail } = tenant.users[5]!;
  await admin("POST", "/api/mailboxes", { address: mail, ingestFolder: "Inbox" });
  const note = await makeNote({ seed: "first", kind: "buy", language: "en" });
  const attachments = [{ name: "first.pdf", bytes: note.pdf }];
  const from = "desk@broker.example";
  await tenant.graph.admin.sendMail({ to: mail, from, subject: "the first", attachments });
  await until("a question of the first", async () => {
    const { reviews } = await admin<{ reviews: object[] }>("GET", "/api/reviews");
    return reviews.length > 0;
  });
}

/** Mail, a trade and a question of the second tenant; returns their ids. */
async function fillSecond(): Promise<string[]> {
  const { mail } = other.users[1]!;
  await admin("POST", "/api/people/import", { csv: `email,name\n${mail},Nina Berg\n` });
  await admin("POST", "/api/senders", { sender: mail });
  const added = { address: mail, connection: "second", ingestFolder: "Inbox" };
  await admin("POST", "/api/mailboxes", added);
  for (const from of [mail, `stranger@${CANARY}.example`]) {
    const note = await makeNote({ seed: from, kind: "buy", language: "en" });
    const attachments = [{ name: `${CANARY}.pdf`, bytes: note.pdf }];
    await other.graph.admin.sendMail({ to: mail, from, subject: `${CANARY} note`, attachments });
  }
  const [trade] = await until("a trade", async () => {
    const { trades } = await admin<{ trades: { id: string }[] }>("GET", "/api/trades");
    return trades.length > 0 && trades;
  });
  const { reviews } = await until("a question", async () => {
    const found = await admin<{ reviews: { id: number }[] }>("GET", "/api/reviews");
    return found.reviews.length > 1 && found;
  });
  const { events } = await admin<{ events: { messageId: string }[] }>(
    "GET",
    `/api/events?mailbox=${mail}`,
  );
  const { jobs } = await admin<{ jobs: { jobId: string; subjectId: string }[] }>(
    "GET",
    "/api/jobs",
  );
  const ofThem = jobs.filter(({ subjectId }) => subjectId === events[0]!.messageId);
  expect(ofThem.length).toBeGreaterThan(0);
  return [
    ...[mail, trade!.id, String(reviews.at(-1)!.id), events[0]!.messageId],
    ...ofThem.map(({ jobId }) => jobId),
  ];
}

async function readOperations(): Promise<Operation[]> {
  interface Described {
    readonly parameters?: readonly { readonly name: string; readonly in: string }[];
    readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  }
  const { paths } = await admin<{ paths: Record<string, Record<string, Described>> }>(
    "GET",
    "/api/openapi.json",
  );
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, { parameters = [], requestBody }]) => ({
        ...{ method: method.toUpperCase() as Operation["method"], path },
        body: (requestBody?.content["application/json"]?.example ?? null) as Operation["body"],
        query: parameters.filter((each) => each.in === "query").map(({ name }) => name),
      }))
      .filter(() => !ENDLESS.test(path)),
  );
}

/** One of each kind. */
async function findThings(): Promise<Thing[]> {
  const [mail, trade, review, message] = theirs as [string, string, string, string];
  const { rows } = await app.database.query<{
    note: string;
    line: string;
    job: string;
    seq: number;
  }>(
    `SELECT d.id::text AS note, l.id::text AS line, f.position AS seq,
            (SELECT j.id::text FROM postroom.job j WHERE j.subject_id = $2 LIMIT 1) AS job
       FROM postroom.trade_document d JOIN postroom.trade_line l ON l.document_id = d.id
       JOIN postroom.event e ON e.message_id = $2 JOIN postroom.event_feed f ON f.event = e.seq
      WHERE lower(d.mailbox) = lower($1) LIMIT 1`,
    [mail, message],
  );
  const { note, line, job, seq } = rows[0]!;
  const { tradeKey } = await admin<{ tradeKey: string }>("GET", `/api/trades/${trade}`);
  return [
    { real: mail, phantom: `nobody${mail.slice(mail.indexOf("@"))}` },
    { real: message, phantom: `${message.slice(0, -6)}AAAAAA` },
    { real: tradeKey, phantom: `${tradeKey}x` },
    { real: "second", phantom: "fourth" },
    // No longer than what it stands for, so that no limit of a field tells them apart.
    ...[review, String(seq)].map((real) => ({ real, phantom: "9".repeat(real.length) })),
    ...[trade, note, line, job, other.users[1]!.id].map((real) => ({
      real,
      phantom: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    })),
  ];
}

interface Asked {
  readonly method: Operation["method"];
  readonly url: string;
  readonly payload?: object;
}

/** They say how much is wanted, not of what. */
const NUMBERS = new Set(["limit", "days", "hours"]);

/**
 * Each way to name a thing in a request: in the path, in a field of the body, in the query. A number says something else
 * in most fields, so it is named in paths only.
 */
function waysToName(
  { method, path, body, query }: Operation,
  { real }: Thing,
): ((name: string) => Asked)[] {
  const payload = body === null ? {} : { payload: body };
  const at = (name: string) => path.replace(/\{[^}]+\}/g, encodeURIComponent(name));
  const inPath = path.includes("{")
    ? [(name: string) => ({ method, url: at(name), ...payload })]
    : [];
  if (/^\d+$/.test(real)) return inPath;
  const fields = Object.entries(body ?? {}).filter(([, value]) => typeof value !== "boolean");
  return [
    ...inPath,
    ...fields.map(([field, value]) => (name: string) => ({
      ...{ method, url: at("x") },
      payload: { ...body, [field]: Array.isArray(value) ? [name] : name },
    })),
    ...query
      .filter((field) => !NUMBERS.has(field))
      .map((field) => (name: string) => ({
        ...{ method, url: `${at("x")}?${field}=${encodeURIComponent(name)}`, ...payload },
      })),
  ];
}

/** Status and body, without what names the thing that was asked for or this one request. */
async function answerTo(asked: Asked, name: string): Promise<string> {
  const { headers } = people[3]!;
  const { statusCode, body } = await app.server.inject({ ...asked, headers });
  const names = [asked.url, asked.url.split("?")[0]!, encodeURIComponent(name), name];
  const rest = names
    .map((each) => new RegExp(`(?<![a-zA-Z0-9])${each.replace(/\W/g, "\\$&")}(?![a-zA-Z0-9])`, "g"))
    .reduce((text, each) => text.replace(each, "…"), body);
  return `${statusCode} ${rest.replace(OF_ONE_REQUEST, "")}`;
}

/** A search says which words of the question it did not find. */
const OF_ONE_REQUEST =
  /"(?:correlationId|jobId|uploadId|uploadUrl|url)":"[^"]*"|"missing":\[[^\]]*\]/g;

describe("a token of the first tenant", () => {
  it(`shows nothing of the second in ${CALLS} random calls of four people, of no role to admin`, async () => {
    const random = createRandom(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!;
    const seen: string[] = [];
    const statuses = new Set<number>();
    for (let index = 0; index < CALLS; index++) {
      const { method, path } = pick(operations);
      const id = pick(theirs);
      const filled = path.replace(/\{[^}]+\}/g, encodeURIComponent(id));
      const query = random.next() < 0.3 ? `?text=${CANARY}&mailbox=${encodeURIComponent(id)}` : "";
      const { headers } = pick(people);
      const answer = await app.server.inject({
        ...{ method, url: `${filled}${query}`, headers },
        ...(method === "GET" || method === "DELETE"
          ? {}
          : { payload: { text: CANARY, address: id } }),
      });
      statuses.add(answer.statusCode);
      // What the caller sent may be in the answer.
      const rest = [filled, query, encodeURIComponent(id), id, `?text=${CANARY}`].reduce(
        (text, sent) => (sent === "" ? text : text.replaceAll(sent, "")),
        answer.body,
      );
      for (const each of [...theirs.filter((one) => one.length > 8), CANARY])
        if (rest.includes(each)) seen.push(`${method} ${filled} as ${id} shows ${each}`);
      if (answer.statusCode === 500) seen.push(`${method} ${filled} fails: ${answer.body}`);
    }
    expect(seen).toEqual([]);
    expect([...statuses].some((status) => status === 200)).toBe(true);
  });

  it("gets the same answer about a thing of the second and about one that does not exist", async () => {
    const random = createRandom(SEED);
    const all = operations.flatMap((operation) =>
      things.flatMap((thing) => waysToName(operation, thing).map((ask) => ({ ask, thing }))),
    );
    const isLong = process.env["POSTROOM_LONG"] !== undefined;
    const adding = (connection: string) => ({
      ...{ method: "POST" as const, url: "/api/mailboxes" },
      payload: { address: theirs[0], connection },
    });
    all.push({ ask: adding, thing: { real: "second", phantom: "fourth" } });
    for (const path of ["/api/jobs", "/office/jobs"])
      for (const thing of things) {
        const url = (name: string) => `${path}/${encodeURIComponent(name)}/stream`;
        all.push({ ask: (name) => ({ method: "GET", url: url(name) }), thing });
      }
    const tried = all.filter(() => isLong || random.next() < PAIRS / all.length);
    const different: string[] = [];
    for (const { ask, thing } of tried) {
      const asked = ask(thing.real);
      const real = await answerTo(asked, thing.real);
      const phantom = await answerTo(ask(thing.phantom), thing.phantom);
      if (real !== phantom && !phantom.startsWith("429") && !real.startsWith("429"))
        different.push(
          `${asked.method} ${asked.url} ${JSON.stringify(asked.payload)}\n  ${real}\n  ${phantom}`,
        );
    }
    process.stdout.write(
      `  ${tried.length} of ${all.length} ways to ask about a thing were tried\n`,
    );
    expect(different).toEqual([]);
  });

  it("shows a viewer the rows of the first, and the operator key those of both", async () => {
    for (const [path, name, both] of [
      ["/api/mailboxes", "mailboxes", 2],
      ["/api/reviews", "reviews", 2],
      ["/api/trades", "trades", 1],
    ] as const) {
      const all = await admin<Record<string, object[]>>("GET", path);
      expect(all[name], path).toHaveLength(both);
      const { headers } = name === "reviews" ? people[2]! : viewer;
      const own = (await app.server.inject({ url: path, headers })).json();
      expect(own[name], path).toHaveLength(both - 1);
    }
    const { events } = (
      await app.server.inject({ url: "/api/events", headers: viewer.headers })
    ).json();
    expect(new Set(events.map(({ subject }: { subject: string }) => subject))).toEqual(
      new Set(["the first"]),
    );
  });

  it("follows the events of the first only, in a stream that has no end", async () => {
    const { headers } = viewer;
    const answer = await fetch(`${app.url}/api/events/tail?after=0`, { headers });
    let said = "";
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      said += part;
      if (said.includes("the first")) break;
    }
    expect(said).toContain("the first");
    expect(said).not.toContain(CANARY);
  });

  it("changes nothing of the second, whose mailbox and question are as they were", async () => {
    const [address, , review] = theirs;
    const { headers } = people[3]!;
    const at = `/api/mailboxes/${address}`;
    for (const [method, url] of [
      ["DELETE", at],
      ["POST", `${at}/pause`],
      ["POST", `${at}/resync`],
      ["POST", `/api/jobs/${theirs[4]}/cancel`],
    ] as const)
      expect((await app.server.inject({ method, url, headers })).statusCode, url).toBe(404);
    const decision = { action: "reject", reason: "not mine" };
    const url = `/api/reviews/${review}/decision`;
    const decided = await app.server.inject({
      method: "POST",
      url,
      headers,
      payload: { decision },
    });
    expect(decided.statusCode, decided.body).toBe(404);
    const added = { address: "new@zsecond7c41.example", connection: "second" };
    const add = { method: "POST", url: "/api/mailboxes", headers, payload: added } as const;
    expect((await app.server.inject(add)).statusCode).toBe(403);
    expect(await admin("GET", at)).toMatchObject({ status: "active" });
    expect(await admin("GET", `/api/reviews/${review}`)).toMatchObject({ status: "open" });
  });

  it("does not make Microsoft's notifications for the second strangers", async () => {
    const { rows } = await app.database.query<{ id: string }>(
      `SELECT s.subscription_id AS id FROM postroom.subscription s JOIN postroom.mailbox m ON m.id = s.mailbox
        WHERE m.address = $1 AND s.status = 'active'`,
      [theirs[0]],
    );
    const isKnown = () => rows.map(({ id }) => app.watching.directory.has(id));
    expect(isKnown()).toContain(true);
    const { headers } = people[3]!;
    const other = {
      address: (
        await admin<{ mailboxes: { address: string }[] }>("GET", "/api/mailboxes")
      ).mailboxes.find(({ address }) => address !== theirs[0])!.address,
    };
    const [method, url] = ["POST", `/api/mailboxes/${other.address}/resume`] as const;
    // Its subscription is made again, and what is known about subscriptions is read again.
    await app.database.query(
      "UPDATE postroom.subscription SET status = 'removed' WHERE mailbox = (SELECT id FROM postroom.mailbox WHERE address = $1)",
      [other.address],
    );
    expect((await app.server.inject({ method, url, headers })).statusCode).toBe(200);
    expect(isKnown()).toContain(true);
  });

  it("opens nothing that concerns all tenants, unlike the operator key", async () => {
    const { headers } = people[3]!;
    for (const url of ["/api/doctor", "/api/sinks", "/api/holds", "/api/people", "/metrics"]) {
      expect((await app.server.inject({ url, headers })).statusCode, url).toBe(403);
      const key = { authorization: `Bearer ${app.operatorKey}` };
      expect((await app.server.inject({ url, headers: key })).statusCode, url).toBe(200);
    }
  });

  it("and one of the second opens nothing at all", async () => {
    const stranger = aPerson(other, 1);
    for (const { method, path } of operations.slice(0, 40)) {
      const url = path.replace(/\{[^}]+\}/g, "x");
      const { headers } = stranger;
      const answer = await app.server.inject({ method, url, headers });
      const open = await app.server.inject({ method, url });
      expect(answer.statusCode, `${method} ${path}`).toBe(open.statusCode);
    }
  });
});

/** Two Microsoft tenants in one installation: what people of the first learn about the second. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { createRandom } from "../../tenant/random.ts";
import { anApp, aTenant, type TestApp, until } from "../helpers/app.ts";
import { aPerson, documentSettings, type Person } from "./scene.ts";

const CALLS = 500;
const SEED = "two tenants";
const CANARY = "zsecond7c41";
/** They never end. */
const ENDLESS = /\/(tail|stream)$/;

interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
}

let other: Tenant;
let app: TestApp;
let people: Person[];
let operations: Operation[];
/** What names things of the second tenant. */
let theirs: string[];

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
  people = [1, 2].map((index) => aPerson(tenant, index));
  theirs = [...(await fillSecond()), other.tenantId, ...other.users.map(({ id }) => id)];
  operations = await readOperations();
});

async function admin<T>(method: "GET" | "POST", url: string, payload?: object): Promise<T> {
  const headers = { authorization: `Bearer ${app.operatorKey}` };
  const answer = await app.server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json() as T;
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
    return found.reviews.length > 0 && found;
  });
  const { events } = await admin<{ events: { messageId: string }[] }>("GET", "/api/events");
  const { jobs } = await admin<{ jobs: { jobId: string }[] }>("GET", "/api/jobs");
  return [
    ...[mail, trade!.id, String(reviews[0]!.id), events[0]!.messageId],
    ...jobs.slice(0, 5).map(({ jobId }) => jobId),
  ];
}

async function readOperations(): Promise<Operation[]> {
  const { paths } = await admin<{ paths: Record<string, object> }>("GET", "/api/openapi.json");
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => ({ method: method.toUpperCase() as Operation["method"], path }))
      .filter(() => !ENDLESS.test(path)),
  );
}

describe("a token of the first tenant", () => {
  it(`shows nothing of the second in ${CALLS} random calls`, async () => {
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
      const rest = [filled, query, encodeURIComponent(id), id].reduce(
        (text, sent) => (sent === "" ? text : text.replaceAll(sent, "")),
        answer.body,
      );
      const found = [
        ...theirs.filter((each) => each.length > 8),
        `${CANARY} note`,
        `${CANARY}.pdf`,
      ];
      for (const each of found)
        if (rest.includes(each)) seen.push(`${method} ${filled} as ${id} shows ${each}`);
    }
    expect(seen).toEqual([]);
    expect([...statuses].some((status) => status === 200)).toBe(true);
    expect([...statuses].every((status) => status !== 500)).toBe(true);
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

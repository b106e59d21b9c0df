/** Events and trades reach other programs: all of them, in order, whatever the receivers do. */
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemRandom } from "../../src/lib/random.ts";
import { insertTrade, setTradeStatus } from "../../src/trades/trade-table.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { aReceiver, type Receiver } from "./receiver.ts";

let tenant: Tenant;
let app: TestApp;
const receivers: Receiver[] = [];
const KEY = { POSTROOM_SEAL_KEY: "one key for all processes of this test" };
/** At 0 every pause is as short as it can be. */
let jitter = 0;
const random = { ...systemRandom, fraction: () => jitter };

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, KEY, { random });
  await watch(app, tenant, ["nina"]);
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.down();
  const { sinks } = (await api("GET", "/api/sinks")) as { sinks: { name: string }[] };
  for (const { name } of sinks) await api("DELETE", `/api/sinks/${name}`);
});

async function api(method: "GET" | "POST" | "DELETE", url: string, payload?: object, status = 300) {
  const answer = await app.server.inject({
    ...{ method, url, headers: { authorization: `Bearer ${app.operatorKey}` } },
    ...(payload === undefined ? {} : { payload }),
  });
  if (status === 300) expect(answer.statusCode, answer.body).toBeLessThan(300);
  else expect(answer.statusCode, answer.body).toBe(status);
  return answer.json() as object;
}

async function receive(): Promise<Receiver> {
  const receiver = await aReceiver();
  receivers.push(receiver);
  return receiver;
}

const add = async (name: string, more: object): Promise<string> =>
  ((await api("POST", "/api/sinks", { name, ...more })) as { secret: string }).secret;

interface View {
  readonly name: string;
  readonly waiting: number;
  readonly failures: number;
  readonly sent: number;
  readonly lastError: string | null;
  readonly nextAt: string | null;
}
async function view(name: string): Promise<View> {
  const { sinks } = (await api("GET", "/api/sinks")) as { sinks: View[] };
  return sinks.find((sink) => sink.name === name)!;
}

let mails = 0;
async function send(count: number): Promise<string[]> {
  const subjects = Array.from({ length: count }, () => `mail ${++mails}`);
  for (const subject of subjects)
    await tenant.graph.admin.sendMail({ to: "nina.berg@ashdown.example", subject });
  return subjects;
}

const subjectsOf = (receiver: Receiver) =>
  [...new Map(receiver.requests.map((each) => [each.headers["webhook-id"], each])).values()]
    .map(({ body }) => JSON.parse(body) as { type: string; data: { subject: string } })
    .filter(({ type }) => type === "mail.arrived")
    .map(({ data }) => data.subject);

/** The given subjects in the order of the feed, which is the order in which the events were committed. */
async function inFeed(subjects: readonly string[]): Promise<string[]> {
  const { events } = (await api("GET", "/api/events?order=oldest&type=arrived&limit=200")) as {
    events: { subject: string }[];
  };
  return events.map(({ subject }) => subject).filter((subject) => subjects.includes(subject));
}

/** The function that the page on sinks shows. */
async function shownInDocs() {
  const page = readFileSync(new URL("../../docs/sinks.md", import.meta.url), "utf8");
  const [, code] = /```js\n([\s\S]*?)```/.exec(page)!;
  return (await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as {
    isGenuine(headers: object, body: string, secret: string): boolean;
  };
}

describe("a webhook", () => {
  it("gets each event once, in order, with a signature that the lines of the page verify", async () => {
    const receiver = await receive();
    const secret = await add("signed", { kind: "webhook", url: receiver.url });
    const subjects = await send(3);
    await until("three events", async () => subjectsOf(receiver).length === 3);
    expect(subjectsOf(receiver)).toEqual(await inFeed(subjects));
    expect(new Set(receiver.taken).size).toBe(receiver.requests.length);
    const { isGenuine } = await shownInDocs();
    const { headers, body } = receiver.requests[0]!;
    expect(isGenuine(headers, body, secret)).toBe(true);
    expect(isGenuine(headers, `${body} `, secret)).toBe(false);
    expect(isGenuine({ ...headers, "webhook-id": "other" }, body, secret)).toBe(false);
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect(isGenuine(headers, body, other)).toBe(false);
    const { rows } = await app.database.query<{ sealed: Buffer }>("SELECT * FROM postroom.sink");
    expect(rows[0]!.sealed.includes(secret)).toBe(false);
  });

  it("that is down for many attempts loses nothing, doubles nothing, and delays no other sink", async () => {
    const [broken, well] = [await receive(), await receive()];
    await add("broken", { kind: "webhook", url: broken.url });
    await add("well", { kind: "webhook", url: well.url });
    await broken.down();
    const subjects = await send(5);
    await until("the other sink has all", async () => subjectsOf(well).length === 5);
    const waiting = await until("three failures", async () => {
      const now = await view("broken");
      return now.failures >= 3 && now;
    });
    expect(waiting).toMatchObject({ waiting: 5, sent: 0 });
    expect(waiting.lastError).toContain("ECONNREFUSED");
    await broken.up();
    await until("all arrived", async () => (await view("broken")).waiting === 0);
    expect(subjectsOf(broken)).toEqual(await inFeed(subjects));
    expect(broken.taken.length).toBe(new Set(broken.taken).size);
    expect(await view("broken")).toMatchObject({ failures: 0, lastError: null, sent: 5 });
  });

  it("that is down for an hour, through every pause that Postroom makes, loses nothing and doubles nothing", async () => {
    const receiver = await receive();
    await add("hour", { kind: "webhook", url: receiver.url });
    await receiver.down();
    jitter = 0.99;
    const pauses = () =>
      app.logLines.flatMap(({ sink, waitMs }) => (sink === "hour" ? [Number(waitMs)] : []));
    const waitedMs = () => pauses().reduce((sum, each) => sum + each, 0);
    const subjects: string[] = [];
    try {
      while (waitedMs() < 3_600_000) {
        const before = pauses().length;
        if (before < 5) subjects.push(...(await send(1)));
        await until("one more attempt", async () => pauses().length > before);
        // The pause is over.
        await app.database.query("UPDATE postroom.sink SET next_at = NULL WHERE name = 'hour'");
      }
    } finally {
      jitter = 0;
    }
    expect(Math.max(...pauses())).toBeLessThanOrEqual(300_000);
    expect(await view("hour")).toMatchObject({ waiting: 5, sent: 0 });
    await receiver.up();
    await until("all arrived", async () => (await view("hour")).waiting === 0);
    expect(subjectsOf(receiver)).toEqual(await inFeed(subjects));
    expect(receiver.taken.length).toBe(new Set(receiver.taken).size);
  });

  it("that breaks the connection after it took a message gets it again under the same id", async () => {
    const receiver = await receive();
    await add("rude", { kind: "webhook", url: receiver.url });
    let breaks = 2;
    receiver.answer = () => (breaks-- > 0 ? "break" : 200);
    const subjects = await send(2);
    await until("all arrived", async () => (await view("rude")).sent === 2);
    expect(receiver.taken.length).toBe(4);
    expect(new Set(receiver.taken).size).toBe(2);
    expect(subjectsOf(receiver)).toEqual(await inFeed(subjects));
  });

  it("is not called before the time that it asked for", async () => {
    const receiver = await receive();
    receiver.answer = () => 429;
    receiver.headers = { "retry-after": "1800" };
    await add("busy", { kind: "webhook", url: receiver.url });
    await send(1);
    const { nextAt, lastError } = await until("a refusal", async () => {
      const now = await view("busy");
      return now.failures > 0 && now;
    });
    expect(lastError).toBe("the receiver answered with 429");
    const seconds = (Date.parse(nextAt!) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(1_700);
    expect(seconds).toBeLessThan(1_801);
  });

  it("that redirects is refused, and the other address gets nothing", async () => {
    const [receiver, elsewhere] = [await receive(), await receive()];
    receiver.answer = () => 307;
    receiver.headers = { location: elsewhere.url };
    await add("moved", { kind: "webhook", url: receiver.url });
    const answer = await api("POST", "/api/sinks/moved/test");
    expect(answer).toMatchObject({ isTaken: false, problem: "the receiver answered with 307" });
    expect(elsewhere.requests).toEqual([]);
  });

  it("served by two processes gets each message from one of them", async () => {
    const receiver = await receive();
    const other = await anApp(tenant, { ...KEY, DATABASE_URL: app.database.url }, { random });
    try {
      await add("shared", { kind: "webhook", url: receiver.url });
      const subjects = await send(4);
      await until("all arrived", async () => (await view("shared")).sent >= 4);
      expect(subjectsOf(receiver)).toEqual(await inFeed(subjects));
      expect(receiver.taken.length).toBe(new Set(receiver.taken).size);
    } finally {
      await other.stop();
    }
  });
});

describe("an address", () => {
  it.each([
    ["http://receiver.example/hook", "must be https"],
    ["https://user:word@receiver.example/", "must not contain a user"],
    ["https://10.1.2.3/", "is not a public address"],
    ["https://169.254.169.254/latest/meta-data/", "is not a public address"],
    ["https://[fd00::1]/", "is not a public address"],
    ["https://[::ffff:10.0.0.1]/", "is not a public address"],
    ["https://0x7f000001.example:1/#x", "must not contain a fragment"],
    ["ftp://127.0.0.1/", "must be https"],
  ])("%s is refused", async (url, words) => {
    const answer = await api("POST", "/api/sinks", { name: "x", kind: "webhook", url }, 422);
    expect((answer as { detail: string }).detail).toContain(words);
  });
});

describe("an outbox", () => {
  it("has each event and each change of a trade once, in order, from the start if asked", async () => {
    const { database } = app;
    await add("table", { kind: "outbox", fromStart: true });
    const id = await aTrade();
    await database.transaction((tx) => setTradeStatus(tx, id, "cancelled"));
    await database.transaction((tx) => setTradeStatus(tx, id, "confirmed"));
    const read = async () =>
      (
        await database.query<{ type: string; data: { id: string; isin: string }; id: string }>(
          "SELECT id, type, data FROM postroom.sink_outbox WHERE sink = 'table' ORDER BY number",
        )
      ).rows;
    await until("nothing waits", async () => (await view("table")).waiting === 0);
    const rows = await read();
    const trades = rows.filter(({ type }) => type.startsWith("trade."));
    expect(trades.map(({ type }) => type)).toEqual([
      "trade.confirmed",
      "trade.cancelled",
      "trade.confirmed",
    ]);
    expect(trades.every(({ data }) => data.id === id)).toBe(true);
    const events = await database.query("SELECT FROM postroom.event");
    expect(rows.filter(({ type }) => type.startsWith("mail.")).length).toBe(events.rowCount);
    // The same ids come again if the place is lost, so nothing is doubled.
    await database.query("UPDATE postroom.sink SET event_position = 0, trade_position = 0");
    await until("it has all again", async () => (await view("table")).sent === 2 * rows.length);
    expect((await read()).map((row) => row.id)).toEqual(rows.map((row) => row.id));
  });
});

async function aTrade(): Promise<string> {
  const id = systemRandom.uuid();
  const facts = {
    ...{
      direction: "BUY",
      quantity: 10,
      price: 2,
      priceCurrency: "EUR",
      currency: "EUR",
      gross: 20,
    },
    ...{ fees: null, taxes: null, net: 20, tradeDate: "2026-03-02", settlementDate: null },
    ...{
      name: "A share",
      isin: "DE0007164600",
      ticker: null,
      reference: "R1",
      account: null,
      broker: null,
    },
  };
  await app.database.transaction((tx) =>
    insertTrade(tx, {
      ...{
        id,
        tradeKey: "k",
        fingerprint: id,
        referenceKey: null,
        economicKey: "e",
        occurrence: 1,
      },
      ...{
        confirmedBy: "postroom",
        needsAudit: false,
        username: "nina",
        senderEmail: "a@b.example",
      },
      ...{ confidence: 1, facts: facts as never, correctsId: null, orderId: null },
      ...{ orderState: "unmatched" as const, matchMatrix: [] },
    }),
  );
  return id;
}

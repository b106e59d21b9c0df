import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { connect } from "node:net";
import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Tenant } from "../../tenant/index.ts";
import { aLog, anApp, aTenant, type TestApp, until, watch } from "../../test/helpers/app.ts";
import { deltaSync, lifecycleEvent, mailChanged } from "../flows/specs/watching.ts";
import { createManualClock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { sha256 } from "../lib/hash.ts";
import { registerNotificationRoutes } from "./graph-notifications.ts";

// Graph's subscriptions and our users know these addresses, so they are written out here.
const NOTIFICATION_URLS = [
  "/api/graph/notifications",
  "/api/graph/lifecycle",
  "/webhooks/graph",
] as const;
const SECRET = "s3cr3t-client-state-canary";
const SUBSCRIPTION = "11111111-2222-3333-4444-555555555555";
let app: TestApp;
let tenant: Tenant;
let userId: string;
let tenantId: string;

beforeAll(async () => {
  tenant = await aTenant({ switches: { deliveryDelayMs: 0, journalRequests: true } });
  app = await anApp(tenant, {}, { roles: ["intake", "api"] });
  tenantId = tenant.tenantId;
  userId = tenant.users[0]!.id;
  await addSubscription(app);
  await app.watching.directory.refresh();
});

async function addSubscription({ database }: TestApp): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO postroom.mailbox (address, graph_user_id, owner_id) VALUES ('a@x.example', $1, 'owner') RETURNING id`,
    [userId],
  );
  await database.query(
    `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
     VALUES ($1, $2, $3, 'created,updated,deleted', $4, 'active')`,
    [rows[0]!.id, SUBSCRIPTION, `users/${userId}/messages`, sha256(SECRET)],
  );
}

let count = 0;
function item(more: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1;
  const id = `AAMk${count}`;
  return {
    subscriptionId: SUBSCRIPTION,
    clientState: SECRET,
    changeType: "created",
    tenantId,
    resource: `Users/${userId}/Messages/${id}`,
    resourceData: {
      "@odata.type": "#Microsoft.Graph.Message",
      "@odata.id": `Users/${userId}/Messages/${id}`,
      "@odata.etag": `W/"${count}"`,
      id,
    },
    ...more,
  };
}

const post = (
  body: unknown,
  url: string = NOTIFICATION_URLS[0],
  headers: Record<string, string> = {},
) =>
  app.server.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });

const asOperator = () => ({ authorization: `Bearer ${app.operatorKey}` });

async function rowCount(): Promise<number> {
  const { rows } = await app.database.query<{ n: number }>(
    "SELECT count(*) AS n FROM postroom.notification",
  );
  return rows[0]!.n;
}

/** Sends a delivery and returns how many rows it added. */
async function added(
  send: () => Promise<{ statusCode: number }>,
): Promise<{ status: number; rows: number }> {
  const before = await rowCount();
  const { statusCode } = await send();
  return { status: statusCode, rows: (await rowCount()) - before };
}

describe("the handshake", () => {
  it.each(NOTIFICATION_URLS)(
    "%s echoes the token, decoded as Graph encodes it, and writes nothing [WEB-01] [WEB-02] [WEB-03] [WEB-04]",
    async (url) => {
      const before = await rowCount();
      const answer = await app.server.inject({
        method: "POST",
        url: `${url}?validationToken=Validation%3a+Testing+client+application+reachability+%2b+Request-Id%3a+254`,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.body).toBe(
        "Validation: Testing client application reachability + Request-Id: 254",
      );
      expect(await rowCount()).toBe(before);
    },
  );

  const shake = (query: string) =>
    app.server.inject({ method: "POST", url: `/webhooks/graph?${query}` });

  it("a script as token is echoed unchanged as inert text [S18]", async () => {
    const script = await shake("validationToken=%3Cscript%3Ealert(1)%3C/script%3E");
    expect([script.statusCode, script.body]).toEqual([200, "<script>alert(1)</script>"]);
    expect(script.headers).toMatchObject({
      "content-type": expect.stringMatching(/^text\/plain/),
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  });

  it("a token with a line break is refused, and no header is split [S19]", async () => {
    for (const token of ["a%0d%0aset-cookie:%20x=1", "a%0ab", "a%0db"]) {
      const answer = await shake(`validationToken=${token}`);
      expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([400, undefined]);
    }
  });

  it("two tokens, or a token as a list, are refused [S20]", async () => {
    expect((await shake("validationToken=a&validationToken=b")).statusCode).toBe(400);
    expect((await shake("validationToken[x]=a")).statusCode).toBe(400);
  });

  it("a token of 64 KiB is refused [S22]", async () => {
    expect((await shake(`validationToken=${"x".repeat(64 * 1024)}`)).statusCode).toBe(400);
  });

  it("a delivery whose address has another query is no handshake [WEB-04]", async () => {
    expect(await added(() => post({ value: [item()] }, "/webhooks/graph?from=proxy"))).toEqual({
      status: 202,
      rows: 1,
    });
  });

  it("a handshake by GET is answered 405 [S21]", async () => {
    const answer = await app.server.inject({ url: "/webhooks/graph?validationToken=a" });
    expect(answer.statusCode).toBe(405);
  });
});

describe("a delivery", () => {
  it.each(NOTIFICATION_URLS)(
    "to %s needs no token: the secret of each item is its only proof [WEB-01] [WEB-02] [WEB-03]",
    async (url) => {
      const lifecycle = item({ changeType: undefined, lifecycleEvent: "missed" });
      expect(await added(() => post({ value: [item(), lifecycle] }, url))).toEqual({
        status: 202,
        rows: 2,
      });
      const forged = item({ clientState: "forged" });
      expect(await added(() => post({ value: [forged] }, url, asOperator()))).toEqual({
        status: 401,
        rows: 0,
      });
    },
  );

  it("a delivery of N notifications becomes N rows and is answered 202 [WEB-05] [WEB-12]", async () => {
    expect(await added(() => post({ value: [item(), item(), item()] }))).toEqual({
      status: 202,
      rows: 3,
    });
  });

  it("a delivery repeated k times becomes one row; a later change of the same message becomes another [WEB-21] [R04]", async () => {
    const once = item();
    expect(await added(() => post({ value: [once, once] }))).toEqual({ status: 202, rows: 1 });
    expect(await added(() => post({ value: [once] }))).toEqual({ status: 202, rows: 0 });
    const later = {
      ...once,
      resourceData: { ...(once["resourceData"] as object), "@odata.etag": 'W/"later"' },
    };
    expect(await added(() => post({ value: [later] }))).toEqual({ status: 202, rows: 1 });
  });

  it("items are checked one by one: genuine ones are kept, the others are counted and logged with the sender's address [WEB-07] [WEB-08] [WEB-11] [R39] [S7]", async () => {
    const bad = item({ clientState: "wrong-secret-canary" });
    const rejections = () =>
      app.logLines.filter((line) => line["security"] === "notification-rejected");
    const before = rejections().length;
    const good = Array.from({ length: 19 }, () => item());
    expect(await added(() => post({ value: [bad, ...good] }))).toEqual({ status: 202, rows: 19 });
    const logged = rejections();
    expect(logged).toHaveLength(before + 1);
    expect(logged.at(-1)).toMatchObject({
      ip: "127.0.0.1",
      subscriptionId: SUBSCRIPTION,
      items: 1,
    });
  });

  it("a delivery of many forged items is one line in the log [S7]", async () => {
    const written = async (value: readonly unknown[]) => {
      const before = app.logLines.length;
      await post({ value });
      return app.logLines.slice(before).filter((line) => "security" in line);
    };
    const forged = Array.from({ length: 1_000 }, () => item({ clientState: "wrong" }));
    expect(await written([null, ...forged.slice(1)])).toMatchObject([
      { security: "notification-rejected", subscriptionId: SUBSCRIPTION, items: 1_000 },
    ]);
    expect(await written([item(), ...forged.slice(1)])).toMatchObject([{ items: 999 }]);
  });

  it("a genuine item vouches for no other: a forged one behind it is rejected [WEB-08] [S7]", async () => {
    await app.database.query(
      `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
       SELECT id, 'neighbour', $1, 'created', $2, 'active' FROM postroom.mailbox`,
      [`users/${userId}/mailFolders/neighbour/messages`, sha256("the neighbour's secret")],
    );
    await app.watching.directory.refresh();
    for (const forged of [
      item({ clientState: "wrong" }),
      item({ subscriptionId: "neighbour" }),
      null,
      "a text",
    ])
      expect(await added(() => post({ value: [item(), forged] }))).toEqual({
        status: 202,
        rows: 1,
      });
  });

  it.each([
    ["a wrong secret [S1] [S8]", { clientState: "wrong" }],
    ["no secret [S2]", { clientState: undefined }],
    ["an empty secret [S2]", { clientState: "" }],
    ["null as secret [S2]", { clientState: null }],
    ["a number as secret [S2]", { clientState: 7 }],
    ["a list as secret [S2]", { clientState: [SECRET] }],
    ["a secret of 128 KB [S2]", { clientState: "x".repeat(128 * 1024) }],
    ["an unknown subscription [S3]", { subscriptionId: "99999999-2222-3333-4444-555555555555" }],
    ["another tenant [S5]", { tenantId: "another" }],
    ["another user's mailbox [S6]", { resource: "Users/somebody-else/Messages/AAMk1" }],
  ])(
    "a delivery with nothing wrong but %s is answered 401 and writes nothing [WEB-08] [WEB-09] [WEB-10] [R39]",
    async (_, more) => {
      expect(await added(() => post({ value: [item(more)] }))).toEqual({ status: 401, rows: 0 });
    },
  );

  it("a delivery that names no tenant or user, or brings content that we did not ask for, is accepted", async () => {
    const text = "x";
    const encryptedContent = {
      ...{ data: text, dataKey: text, dataSignature: text, encryptionCertificateId: text },
    };
    const lifecycle = { changeType: undefined, lifecycleEvent: "reauthorizationRequired" };
    for (const more of [
      { tenantId: undefined },
      { resource: undefined },
      { ...lifecycle, resource: "communications/calls/1" },
      { encryptedContent },
    ])
      expect(await added(() => post({ value: [item(more)] }))).toEqual({ status: 202, rows: 1 });
  });

  it("a delivery without items is accepted and writes nothing [WEB-13]", async () => {
    expect(await added(() => post({}))).toEqual({ status: 202, rows: 0 });
    expect(await added(() => post({ value: [] }))).toEqual({ status: 202, rows: 0 });
  });

  it.each([
    ["not JSON", "this is not JSON", {}, 400],
    ["a bare number", "7", {}, 400],
    ["a poisoned prototype [S12]", '{"__proto__":{"x":1},"value":[]}', {}, 400],
    ["larger than 1 MiB, JSON or not [S9]", "x".repeat(1024 * 1024 + 1), {}, 413],
    [
      "longer than 1,000 items [S14]",
      JSON.stringify({ value: Array.from({ length: 1_001 }, () => ({})) }),
      {},
      413,
    ],
    ["text/html with JSON in it [S13]", "{}", { "content-type": "text/html" }, 415],
    ["plain text without a token", "{}", { "content-type": "text/plain" }, 415],
    ["compressed [S10]", "{}", { "content-encoding": "gzip" }, 415],
    ["JSON of depth 10,000", `{"value":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, {}, 400],
  ])(
    "a delivery that is %s is refused, writes nothing and leaves the server healthy [WEB-13]",
    async (_, body, headers, status) => {
      expect(await added(() => post(body, "/webhooks/graph", headers))).toEqual({
        status,
        rows: 0,
      });
      expect((await app.server.inject({ url: "/healthz" })).body).toBe("Healthy");
      expect(({} as { x?: unknown }).x).toBeUndefined();
    },
  );

  it("a genuine delivery is refused for nothing but its depth of 10,000, and one of depth four is kept [S11]", async () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const send = (depth: number) =>
      post(JSON.stringify({ value: [item()] }).replace(/}]}$/, `,"extra":${nested(depth)}}]}`));
    expect(await added(() => send(4))).toEqual({ status: 202, rows: 1 });
    expect(await added(() => send(10_000))).toEqual({ status: 400, rows: 0 });
  });

  it("a delivery with the right secret of another subscription is answered 401 [WEB-08] [S4]", async () => {
    await app.database.query(
      `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
       SELECT id, 'another', $1, 'created', $2, 'active' FROM postroom.mailbox`,
      [`users/${userId}/mailFolders/x/messages`, sha256("the other's secret")],
    );
    await app.watching.directory.refresh();
    const crossed = item({ clientState: "the other's secret" });
    expect(await added(() => post({ value: [crossed] }))).toEqual({ status: 401, rows: 0 });
    const own = item({ clientState: "the other's secret", subscriptionId: "another" });
    expect(await added(() => post({ value: [own] }))).toEqual({ status: 202, rows: 1 });
  });

  it("a delivery for a subscription that Graph has not answered yet needs the secret sent with the request [S3]", async () => {
    await app.database.query(
      `INSERT INTO postroom.subscription (mailbox, resource, change_type, secret_hash, status)
       SELECT id, $1, 'created', $2, 'pending' FROM postroom.mailbox`,
      [`users/${userId}/mailFolders/z/messages`, sha256("the pending one's secret")],
    );
    await app.watching.directory.refresh();
    const send = (clientState: string) =>
      added(() => post({ value: [item({ clientState, subscriptionId: "not-known-yet" })] }));
    expect(await send("a guess")).toEqual({ status: 401, rows: 0 });
    expect(await send("the pending one's secret")).toEqual({ status: 202, rows: 1 });
  });

  it("a delivery about nobody is answered 401, whatever the subscription says about its mailbox [S6]", async () => {
    await app.database.query(
      `WITH nobody AS (INSERT INTO postroom.mailbox (address, owner_id) VALUES ('n@x.example', 'o') RETURNING id)
       INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
       SELECT id, 'without-user', 'me/messages', 'created', $1, 'active' FROM nobody`,
      [sha256("its secret")],
    );
    await app.watching.directory.refresh();
    for (const resource of ["communications/calls/1", "Users/null/Messages/1"]) {
      const about = { resource, clientState: "its secret", subscriptionId: "without-user" };
      expect(await added(() => post({ value: [item(about)] }))).toEqual({ status: 401, rows: 0 });
    }
    await app.database.query("DELETE FROM postroom.mailbox WHERE address = 'n@x.example'");
  });

  it("a delivery with a validation token is only echoed [WEB-04] [S23]", async () => {
    const send = () => post({ value: [item()] }, "/webhooks/graph?validationToken=abc");
    expect((await send()).body).toBe("abc");
    expect((await added(send)).rows).toBe(0);
  });

  it("a delivery may mix changes and lifecycle notices on any address, and leads only to jobs until a worker runs [WEB-03] [WEB-14] [WEB-18] [WEB-24]", async () => {
    const lifecycle = {
      subscriptionId: SUBSCRIPTION,
      clientState: SECRET,
      tenantId,
      lifecycleEvent: "missed",
      subscriptionExpirationDateTime: "2026-12-01T00:00:00Z",
    };
    expect(await added(() => post({ value: [item(), lifecycle] }, "/api/graph/lifecycle"))).toEqual(
      { status: 202, rows: 2 },
    );
    await app.dispatcher.run();
    const { rows } = await app.database.query<{ queue: string; type: string }>(
      "SELECT queue, type FROM postroom.job WHERE type IN ('lifecycle-event', 'mail-changed') GROUP BY 1, 2 ORDER BY 1",
    );
    expect(rows).toEqual([
      { queue: "webhook-events", type: "mail-changed" },
      { queue: "webhook-renewal", type: "lifecycle-event" },
    ]);
  });

  it("the message id is taken from resourceData, otherwise from the resource in any of its spellings [WEB-15] [WEB-17]", async () => {
    const spellings = [
      `users/${userId}/messages/ID-1`,
      `Users/${userId}/Messages/ID-2`,
      `Users('${userId}')/messages('ID-3')`,
      `users/${userId}@${tenantId}/messages/ID-4`,
    ];
    await post({ value: spellings.map((resource) => item({ resource, resourceData: undefined })) });
    const { rows } = await app.database.query(
      "SELECT message_id FROM postroom.notification WHERE message_id LIKE 'ID-%' ORDER BY 1",
    );
    expect(rows.map((row) => row["message_id"])).toEqual(["ID-1", "ID-2", "ID-3", "ID-4"]);
  });

  it("a rejected delivery is logged under the id that its sender gave it", async () => {
    const headers = { "x-correlation-id": "a-delivery-of-mine" };
    await post({ value: [item({ clientState: "wrong" })] }, NOTIFICATION_URLS[0], headers);
    const logged = app.logLines.filter((line) => line["security"] === "notification-rejected");
    expect(logged.at(-1)).toMatchObject({ correlationId: "a-delivery-of-mine" });
  });

  it("a delivery leaves no secret in any log line [SEC-03] [WEB-11] [S1]", () => {
    const everything = JSON.stringify(app.logLines);
    expect(everything).not.toContain(SECRET);
    expect(everything).not.toContain("wrong-secret-canary");
  });
});

describe("a delivery that cannot be written", () => {
  it("is answered 503; only of a database that is down Graph is told when to try again", async () => {
    const answerTo = async (fault: Error) => {
      const { log, lines } = aLog();
      const server = Fastify({
        loggerInstance: log as unknown as FastifyBaseLogger,
        logController: new LogController({ disableRequestLogging: true }),
      });
      registerNotificationRoutes(server, {
        ...{ directory: app.watching.directory, clock: createManualClock(Date.now()), log },
        accept: () => Promise.reject(fault),
        metrics: { answered: () => undefined, items: () => undefined },
      });
      const url = NOTIFICATION_URLS[0];
      const payload = { value: [item()] };
      const { statusCode, headers } = await server.inject({ method: "POST", url, payload });
      const isLogged = lines.some(({ msg }) => msg === "a notification could not be accepted");
      return [statusCode, headers["retry-after"], isLogged];
    };
    expect(await answerTo(new Fault("store.unavailable", "down"))).toEqual([503, "5", false]);
    expect(await answerTo(new Fault("graph.denied", "odd"))).toEqual([503, undefined, true]);
    expect(await answerTo(new Error("a mistake of ours"))).toEqual([503, undefined, true]);
  });
});

describe("the list of subscriptions", () => {
  it("is read again only for a subscription that is not in it", async () => {
    const { directory } = app.watching;
    const refresh = vi.spyOn(directory, "refresh");
    await post({ value: [item(), null] });
    expect(refresh).not.toHaveBeenCalled();
    await post({ value: [item(), item({ subscriptionId: "not-in-it" })] });
    expect(refresh).toHaveBeenCalledTimes(1);
    refresh.mockRestore();
  });
});

describe("a sender that keeps sending forged notifications", () => {
  it("the sender gets 429 while genuine deliveries from the same address pass, and the database is not queried [S15]", async () => {
    // No second passes unless the test says so.
    const clock = createManualClock(Date.now());
    const still = await anApp(null, {}, { roles: ["intake"], clock });
    await addSubscription(still);
    await still.watching.directory.refresh();
    // Counts what deliveries ask of the database, and nothing that the app does beside them.
    const delivering = new AsyncLocalStorage<true>();
    let used = 0;
    for (const { pool } of [still.database, still.intakeDatabase]) {
      const connect = pool.connect.bind(pool) as (...them: unknown[]) => unknown;
      vi.spyOn(pool, "connect").mockImplementation((...them: unknown[]) => {
        used += delivering.getStore() ? 1 : 0;
        return connect(...them) as never;
      });
    }
    const send = (more: object) =>
      delivering.run(true, async () => {
        const payload = { value: [item({ tenantId: undefined, ...more })] };
        const url = NOTIFICATION_URLS[0];
        return (await still.server.inject({ method: "POST", url, payload })).statusCode;
      });
    const forged = { clientState: "wrong", subscriptionId: "unknown" };
    for (let index = 0; index < 100; index++) expect(await send(forged)).toBe(401);
    expect(await send(forged)).toBe(429);
    const rejections = () => still.logLines.filter((line) => "security" in line).length;
    expect([used, rejections()]).toEqual([0, 100]);
    for (let index = 0; index < 50; index++) expect(await send(forged)).toBe(429);
    expect([used, rejections()]).toEqual([0, 100]);
    clock.advance(1_000);
    expect([await send(forged), await send(forged), used]).toEqual([401, 429, 1]);
    expect([await send({}), await send({ tenantId })]).toEqual([202, 202]);
  });
});

describe("an address that has used up its refusals", () => {
  it("its genuine deliveries pass even for a subscription that another process made a moment ago", async () => {
    const bad = () => post({ value: [item({ clientState: "wrong" })] });
    await until("the address is told to stop", async () => (await bad()).statusCode === 429);
    await app.database.query(
      `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
       SELECT id, 'just-made', $1, 'created', $2, 'active' FROM postroom.mailbox`,
      [`users/${userId}/mailFolders/y/messages`, sha256("a secret of the new one")],
    );
    const genuine = { clientState: "a secret of the new one", subscriptionId: "just-made" };
    await until("the delivery is accepted", async () => {
      expect((await bad()).statusCode).not.toBe(202);
      return (await post({ value: [item(genuine)] })).statusCode === 202;
    });
  });

  it("is the caller's own behind a proxy that we trust, and the proxy's behind any other", async () => {
    const trusting = await anApp(
      null,
      { POSTROOM_TRUST_PROXY: "10.0.0.0/8" },
      { roles: ["intake"] },
    );
    const from = async (remoteAddress: string, caller: string) =>
      (
        await trusting.server.inject({
          ...{ method: "POST", url: "/webhooks/graph", remoteAddress },
          headers: { "content-type": "application/json", "x-forwarded-for": caller },
          payload: JSON.stringify({ value: [item()] }),
        })
      ).statusCode;
    await until(
      "one caller is told to stop",
      async () => (await from("10.1.2.3", "203.0.113.1")) === 429,
    );
    expect(await from("10.1.2.3", "203.0.113.2")).toBe(401);
    // A caller cannot choose the address under which it is counted.
    let n = 0;
    await until(
      "a stranger is told to stop",
      async () => (await from("198.51.100.1", `203.0.113.${n++ % 250}`)) === 429,
    );
  });
});

describe("the intake", () => {
  it("cuts off senders that never finish their headers or their body, and serves others meanwhile [S16]", async () => {
    const head = "POST /webhooks/graph HTTP/1.1\r\nhost: x\r\n";
    const body = `${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;
    const ends = [head, body].map(async (start) => {
      const socket = connect(app.port, "127.0.0.1");
      socket.on("error", () => {}); // a reset is an end too
      socket.resume().write(start);
      const drip = setInterval(() => socket.write(start === head ? "x" : " "), 500);
      await once(socket, "close");
      clearInterval(drip);
    });
    expect(await added(() => post({ value: [item()] }))).toEqual({ status: 202, rows: 1 });
    await Promise.all(ends);
  });

  it("a slow sender has ten seconds, and every answer is measured [WEB-23]", async () => {
    expect(app.server.server.requestTimeout).toBe(10_000);
    expect(app.server.server.headersTimeout).toBeLessThanOrEqual(10_000);
    const { body } = await app.server.inject({ url: "/metrics", headers: asOperator() });
    expect(body).toMatch(/postroom_intake_seconds_bucket\{le="10",status="202"\} \d+/);
    expect(body).toContain("postroom_notifications_repeated_total");
    expect(body).toContain("postroom_intake_slow_share 0\n");
    const ready = await app.server.inject({ url: "/readyz", headers: asOperator() });
    expect(JSON.stringify(ready.json())).toContain("0.0 % of the answers");
  });

  it("an id that PostgreSQL cannot store is stored with a visible replacement, and other deliveries still get 202", async () => {
    const named = (id: string) => {
      const one = item();
      return { ...one, resourceData: { ...(one.resourceData as object), id } };
    };
    const answers = await added(() =>
      Promise.all(
        ["a\0b", "half \ud800", "whole 1", "whole 2"].map((id) => post({ value: [named(id)] })),
      ).then((all) => {
        expect(all.map((answer) => answer.statusCode)).toEqual([202, 202, 202, 202]);
        return all[0]!;
      }),
    );
    expect(answers.rows).toBe(4);
    const { rows } = await app.database.query(
      "SELECT message_id AS id FROM postroom.notification WHERE message_id = ANY($1) ORDER BY 1",
      [["a\uFFFDb", "half \uFFFD", "whole 1", "whole 2"]],
    );
    expect(rows).toHaveLength(4);
  });

  it("a burst of sixty deliveries and its repeats are answered in time [WEB-05] [WEB-12]", async () => {
    const burst = { value: Array.from({ length: 60 }, () => item()) };
    expect(await added(() => post(burst))).toEqual({ status: 202, rows: 60 });
    expect(await added(() => post(burst))).toEqual({ status: 202, rows: 0 });
    const { body } = await app.server.inject({ url: "/metrics", headers: asOperator() });
    const answered = (line: string) =>
      new RegExp(`^postroom_intake_seconds_${line} (\\d+)$`, "m").exec(body)![1];
    expect(answered('bucket\\{le="10",status="202"\\}')).toBe(answered('count\\{status="202"\\}'));
  });

  it("the intake requests nothing from Graph and writes only the notification and its job [WEB-06]", async () => {
    const asked = () =>
      tenant.journal.entries(0).filter((entry) => entry.kind === "request").length;
    const written = async () => {
      const { rows } = await app.database.query(
        "SELECT (SELECT count(*) FROM postroom.event) AS events, (SELECT count(*) FROM postroom.message) AS messages",
      );
      return rows[0];
    };
    const before = asked();
    const one = item();
    expect((await post({ value: [one] })).statusCode).toBe(202);
    await app.dispatcher.run();
    expect(asked()).toBe(before);
    expect(await written()).toEqual({ events: 0, messages: 0 });
  });

  it("changes, lifecycle notices and delta reads each have their own queue [WEB-22] [WEB-14] [JOB-22]", () => {
    expect([mailChanged.queue, lifecycleEvent.queue, deltaSync.queue]).toEqual([
      "webhook-events",
      "webhook-renewal",
      "delta-sync",
    ]);
  });
});

describe("a real delivery of the tenant", () => {
  it("a delivery becomes events, and every lifecycle notice is logged [WEB-19] [WEB-25] [SUB-26] [OBS-20]", async () => {
    const tenant = await aTenant();
    const live = await anApp(tenant);
    await watch(live, tenant, ["nina"]);
    await tenant.graph.admin.sendMail({ to: tenant.users[1]!.userPrincipalName, subject: "Hello" });
    await until(
      "the event",
      async () =>
        (await live.database.query("SELECT 1 FROM postroom.event WHERE subject = 'Hello'"))
          .rowCount > 0,
    );
    const { rows } = await live.database.query(
      'SELECT last_notification_at AS "at" FROM postroom.subscription',
    );
    expect(rows[0]!["at"]).toBeInstanceOf(Date);

    const [subscription] = tenant.graph.admin.subscriptions();
    for (const event of ["missed", "reauthorizationRequired"] as const)
      tenant.graph.admin.sendLifecycle(subscription!.id, event);
    tenant.graph.admin.removeSubscription(subscription!.id);
    const logged = () => live.logLines.map((line) => line["lifecycleEvent"]);
    await until("all three in the log", async () =>
      ["missed", "reauthorizationRequired", "subscriptionRemoved"].every((event) =>
        logged().includes(event),
      ),
    );
    const missed = live.logLines.find((line) => line["lifecycleEvent"] === "missed")!;
    expect(missed).toMatchObject({
      level: "warn",
      from: expect.any(String),
      to: expect.any(String),
    });
  });

  it("a notification without a message id ends as a failure that an operator sees [WEB-16]", async () => {
    const tenant = await aTenant();
    const live = await anApp(tenant);
    await watch(live, tenant, ["nina"]);
    const [subscription] = tenant.graph.admin.subscriptions();
    await live.server.inject({
      method: "POST",
      url: "/webhooks/graph",
      payload: {
        value: [
          {
            subscriptionId: subscription!.id,
            clientState: subscription!.clientState,
            tenantId: tenant.tenantId,
            changeType: "created",
            resource: `Users/${tenant.users[1]!.id}/Messages`,
          },
        ],
      },
    });
    const dead = await until("the dead letter", async () => {
      const { rows } = await live.database.query<{ code: string }>(
        "SELECT error_code AS code FROM postroom.job WHERE type = 'mail-changed' AND is_dead",
      );
      return rows[0];
    });
    expect(dead.code).toBe("mail.no-message-id");
  });

  it("mail that arrived while there was no subscription is ingested once, by delta [DLT-15] [ING-19]", async () => {
    const tenant = await aTenant();
    const live = await anApp(tenant);
    await watch(live, tenant, ["nina"], "Inbox");
    tenant.graph.admin.removeSubscription(tenant.graph.admin.subscriptions()[0]!.id, {
      notify: false,
    });
    await tenant.graph.admin.sendMail({
      to: tenant.users[1]!.userPrincipalName,
      subject: "In the gap",
    });
    await live.watching.readAll("test");
    await live.watching.readAll("test");
    const states = await until("its end", async () => {
      const { rows } = await live.database.query<{ status: string }>(
        "SELECT status FROM bo_airflow.email_ingestion_state WHERE subject = 'In the gap' AND status <> 'processing'",
      );
      return rows.length > 0 && rows;
    });
    expect(states).toEqual([{ status: "skipped" }]);
  });
});

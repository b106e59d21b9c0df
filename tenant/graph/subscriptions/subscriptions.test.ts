import { describe, expect, it } from "vitest";
import { ALEX, BLAIR, createGraphBench, type Loose } from "../testing/graph-bench.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("the handshake", () => {
  it("calls each URL with a token in Graph's own encoding and an empty text body", async () => {
    const bench = createGraphBench();
    const created = await bench.subscribe({ lifecycleNotificationUrl: "https://app.example/hook" });
    expect(created.status).toBe(201);
    expect(bench.received).toHaveLength(2);
    const [first] = bench.received;
    expect(first!.url).toMatch(
      /^https:\/\/app\.example\/hook\?validationToken=Validation%3a\+Testing\+client\+application\+reachability\+for\+subscription\+Request-Id%3a\+[0-9a-f-]{36}$/,
    );
    expect(first).toMatchObject({
      body: "",
      timeoutMs: 10_000,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  });

  it("keeps the query of the URL", async () => {
    const bench = createGraphBench();
    await bench.subscribe({ notificationUrl: "https://app.example/hook?key=1" });
    expect(bench.received[0]!.url).toContain("?key=1&validationToken=");
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(1000);
    expect(bench.received[1]!.url).toBe("https://app.example/hook?key=1");
  });

  it.each([
    ["a status other than 200", { status: 202 }, "ValidationError"],
    ["an endpoint that answers 403", { status: 403 }, "ValidationError"],
    ["a trailing newline", { status: 200, body: "TOKEN\n" }, "InvalidRequest"],
    [
      "an answer after ten seconds",
      { status: 200, body: "TOKEN", tookMs: 10_100 },
      "InvalidRequest",
    ],
    [
      "a JSON content type",
      { status: 200, body: "TOKEN", headers: { "content-type": "application/json" } },
      "InvalidRequest",
    ],
    ["nobody there", { status: 0 }, "ValidationError"],
  ])("refuses the subscription for %s", async (_title, answer, code) => {
    const bench = createGraphBench();
    bench.endpoint("https://app.example/hook", ({ url }) => ({
      headers: { "content-type": "text/plain" },
      ...answer,
      body:
        "body" in answer
          ? answer.body!.replace("TOKEN", new URL(url).searchParams.get("validationToken")!)
          : "",
    }));
    const refused = await bench.subscribe();
    expect([refused.status, refused.json.error.code]).toEqual([400, code]);
    expect(bench.admin.subscriptions()).toHaveLength(0);
  });

  it("an answer after 9.9 seconds is in time", async () => {
    const bench = createGraphBench();
    bench.endpoint("https://app.example/hook", ({ url }) => ({
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: new URL(url).searchParams.get("validationToken")!,
      tookMs: 9_900,
    }));
    expect((await bench.subscribe()).status).toBe(201);
  });
});

describe("creating", () => {
  it.each([
    ["no resource", { resource: undefined }, 400],
    ["no expiry", { expirationDateTime: undefined }, 400],
    ["an expiry without a zone", { expirationDateTime: "2026-01-06T00:00:00" }, 400],
    ["an unknown property", { colour: "blue" }, 400],
    ["an unknown change type", { changeType: "created,moved" }, 400],
    ["plain http to the world", { notificationUrl: "http://app.example/hook" }, 400],
    ["a client state of 129 characters", { clientState: "x".repeat(129) }, 400],
    ["an unknown resource", { resource: "users/x/letters" }, 400],
    ["an unknown user", { resource: "users/who/messages" }, 404],
    ["an unknown folder", { resource: `users/${ALEX}/mailFolders('nowhere')/messages` }, 404],
    ["a broken filter", { resource: `users/${ALEX}/messages?$filter=isRead eq` }, 400],
    ["an unknown TLS version", { latestSupportedTlsVersion: "v9" }, 400],
    ["drives with created", { resource: "drives/b!1/root", changeType: "created" }, 400],
    [
      "rich content without a certificate",
      { includeResourceData: true, resource: `users/${ALEX}/messages?$select=subject` },
      400,
    ],
  ])("%s is refused", async (_title, body, status) => {
    const bench = createGraphBench();
    const refused = await bench.subscribe(body);
    expect(refused.status).toBe(status);
    expect(refused.json.error.message).toBeTruthy();
    expect(bench.received).toHaveLength(0);
  });

  it.each([
    ["quotes and odd case", "/users('ALEX')/mailfolders('Inbox')/messages"],
    ["a leading slash", "/users/ALEX/messages"],
    ["a principal name", "users/alex@contoso.example/mailFolders/inbox/messages"],
    ["loopback", "users/ALEX/messages"],
  ])("takes %s", async (_title, resource) => {
    const bench = createGraphBench();
    const made = await bench.subscribe({
      resource: resource.replace("ALEX", ALEX),
      notificationUrl: "http://127.0.0.1:9/hook",
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ latestSupportedTlsVersion: "v1_2", clientState: "secret" });
  });

  it("raises a near expiry to 45 minutes and refuses one past the limit of the resource", async () => {
    const bench = createGraphBench();
    const at = (ms: number) => ({
      expirationDateTime: new Date(bench.clock.now() + ms).toISOString(),
    });
    const near = await bench.subscribe(at(60_000));
    expect(Date.parse(near.json.expirationDateTime)).toBe(bench.clock.now() + 45 * 60_000);
    const far = await bench.subscribe({
      ...at(7 * DAY_MS + 2 * 60_000),
      resource: `users/${BLAIR}/messages`,
    });
    expect(far.json.error).toMatchObject({
      code: "ExtensionError",
      message: "Subscription expiration can only be 10080 minutes in the future.",
    });
    const drive = await bench.subscribe({
      ...at(42_300 * 60_000),
      resource: "/drives/b!1/root",
      changeType: "updated",
    });
    expect(drive.status).toBe(201);
  });

  it("a second identical one conflicts, or coexists if the switch says so", async () => {
    const bench = createGraphBench();
    const first = await bench.subscribe();
    const twin = await bench.subscribe({ changeType: "deleted,created,updated" });
    expect(twin.status).toBe(409);
    expect(twin.json.error.message).toBe(
      `Subscription Id ${first.json.id} already exists for the requested combination`,
    );
    bench.context.switches.duplicateSubscription = "coexist";
    expect((await bench.subscribe()).status).toBe(201);
  });

  it("the thousand-and-first of a mailbox is forbidden", async () => {
    const bench = createGraphBench({ switches: { duplicateSubscription: "coexist" } });
    for (let index = 0; index < 1000; index++) await bench.subscribe();
    expect((await bench.subscribe()).status).toBe(403);
    expect((await bench.subscribe({ resource: `users/${BLAIR}/messages` })).status).toBe(201);
  });

  it("a delegated token may not watch another's mailbox; a switch allows it, but nothing is delivered", async () => {
    const bench = createGraphBench();
    const alex = bench.as("alex", ["Mail.Read"], ALEX);
    const body = {
      changeType: "created",
      notificationUrl: "https://app.example/hook",
      resource: `users/${BLAIR}/messages`,
      expirationDateTime: new Date(bench.clock.now() + DAY_MS).toISOString(),
    };
    expect((await bench.call("POST", "/v1.0/subscriptions", { body, as: alex })).status).toBe(403);
    bench.context.switches["delegatedForeignMailbox"] = "silent";
    expect((await bench.call("POST", "/v1.0/subscriptions", { body, as: alex })).status).toBe(201);
    await bench.admin.sendMail({ to: BLAIR });
    await bench.clock.advance(5000);
    expect(bench.items()).toEqual([]);
  });
});

describe("keeping", () => {
  it("renews with PATCH, and 404 after the end", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe();
    const expirationDateTime = new Date(bench.clock.now() + 3 * DAY_MS).toISOString();
    const renewed = await bench.call("PATCH", `/v1.0/subscriptions/${json.id}`, {
      body: { expirationDateTime },
    });
    expect([renewed.status, renewed.json.expirationDateTime]).toEqual([200, expirationDateTime]);
    expect(bench.received).toHaveLength(1);
    await bench.clock.advance(3 * DAY_MS);
    const late = await bench.call("PATCH", `/v1.0/subscriptions/${json.id}`, {
      body: { expirationDateTime },
    });
    expect(late.status).toBe(404);
    expect(bench.journal.entries().at(-1)).toMatchObject({
      kind: "subscription.removed",
      cause: "expired",
    });
  });

  it("PATCH needs an expiry or a URL, performs the handshake with a new URL, and never adds a lifecycle URL", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe();
    const patch = (body: object) => bench.call("PATCH", `/v1.0/subscriptions/${json.id}`, { body });
    expect((await patch({ clientState: "x" })).status).toBe(400);
    expect(
      (
        await patch({
          lifecycleNotificationUrl: "https://app.example/life",
          expirationDateTime: json.expirationDateTime,
        })
      ).status,
    ).toBe(400);
    expect((await patch({ notificationUrl: "https://app.example/other" })).status).toBe(200);
    expect(bench.received.at(-1)!.url).toContain("https://app.example/other?validationToken=");
    bench.context.switches.handshakeOnRenew = true;
    await patch({ expirationDateTime: json.expirationDateTime });
    expect(bench.received).toHaveLength(3);
  });

  it("reauthorize does not extend, and near a renewal it is a trap", async () => {
    const bench = createGraphBench({ switches: { reauthorizeTrap: "inconsistent" } });
    const { json } = await bench.subscribe();
    expect((await bench.post(`/v1.0/subscriptions/${json.id}/reauthorize`)).status).toBe(204);
    await bench.clock.advance(9 * 60_000);
    await bench.call("PATCH", `/v1.0/subscriptions/${json.id}`, {
      body: { expirationDateTime: json.expirationDateTime },
    });
    expect(bench.kinds()).toContain("subscription.trap");
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(5000);
    expect(bench.items()).toEqual([]);
  });

  it("an app lists its own without the client state, in pages, and without options", async () => {
    const bench = createGraphBench({ switches: { duplicateSubscription: "coexist" } });
    for (let index = 0; index < 150; index++) await bench.subscribe();
    const first = await bench.get("/v1.0/subscriptions");
    expect(first.json.value).toHaveLength(100);
    expect(first.json.value[0].clientState).toBeNull();
    const rest = await bench.get(first.json["@odata.nextLink"]);
    expect(rest.json.value).toHaveLength(50);
    expect((await bench.get("/v1.0/subscriptions?$top=5")).status).toBe(400);
    const one = await bench.get(`/v1.0/subscriptions/${first.json.value[0].id}`);
    expect(one.json.clientState).toBe("secret");
    expect((await bench.call("DELETE", `/v1.0/subscriptions/${one.json.id}`)).status).toBe(204);
    expect((await bench.get(`/v1.0/subscriptions/${one.json.id}`)).status).toBe(404);
  });

  it("more than 25 list requests in twenty seconds are refused", async () => {
    const bench = createGraphBench({ switches: { throttling: true } });
    const statuses: number[] = [];
    for (let index = 0; index < 26; index++)
      statuses.push((await bench.get("/v1.0/subscriptions")).status);
    expect(statuses.filter((each) => each === 429)).toEqual([429]);
    await bench.clock.advance(21_000);
    expect((await bench.get("/v1.0/subscriptions")).status).toBe(200);
  });
});

describe("lifecycle", () => {
  const LIFE = { lifecycleNotificationUrl: "https://app.example/life" };

  it("reauthorizationRequired is sent more and more often as the expiry approaches, with the client state", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe(LIFE);
    await bench.clock.advance(DAY_MS - 60_000);
    const events = bench.items();
    expect(events.every((each) => each.lifecycleEvent === "reauthorizationRequired")).toBe(true);
    expect(events.length).toBeGreaterThanOrEqual(6);
    expect(events[0]).toMatchObject({
      subscriptionId: json.id,
      clientState: "secret",
      tenantId: bench.context.tenantId,
    });
    expect(events[0]).not.toHaveProperty("changeType");
    const times = bench.received.filter((each) => each.body !== "").map((each) => each.atMs);
    expect(times.at(-1)! - times.at(-2)!).toBe(15 * 60_000);
  });

  it("a removal sends subscriptionRemoved unless it is silent", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe(LIFE);
    const other = await bench.subscribe({ ...LIFE, resource: `users/${BLAIR}/messages` });
    bench.admin.removeSubscription(json.id);
    bench.admin.removeSubscription(other.json.id, { notify: false });
    await bench.clock.advance(1000);
    expect(bench.items().map((each: Loose) => [each.subscriptionId, each.lifecycleEvent])).toEqual([
      [json.id, "subscriptionRemoved"],
    ]);
    expect((await bench.get(`/v1.0/subscriptions/${json.id}`)).status).toBe(404);
  });

  it("while the service's token has expired items are held, and a renewal releases them", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe(LIFE);
    bench.admin.holdSubscription(json.id);
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(60_000);
    expect(bench.items().map((each: Loose) => each.lifecycleEvent ?? each.changeType)).toEqual([
      "reauthorizationRequired",
    ]);
    await bench.post(`/v1.0/subscriptions/${json.id}/reauthorize`);
    await bench.clock.advance(1000);
    expect(bench.items().at(-1)).toMatchObject({ changeType: "created" });
  });

  it("held items are dropped after four hours, each by its own age", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe({
      expirationDateTime: new Date(bench.clock.now() + 7 * DAY_MS).toISOString(),
    });
    bench.admin.holdSubscription(json.id);
    await bench.admin.sendMail({ to: ALEX, subject: "too old" });
    await bench.clock.advance(2 * HOUR_MS);
    const [young] = await bench.admin.sendMail({ to: ALEX, subject: "young enough" });
    await bench.clock.advance(3 * HOUR_MS);
    await bench.post(`/v1.0/subscriptions/${json.id}/reauthorize`);
    await bench.clock.advance(1000);
    expect(bench.items().map((each) => each.resourceData.id)).toEqual([young!.id]);
    expect(bench.kinds()).toContain("notification.given-up");
  });
});

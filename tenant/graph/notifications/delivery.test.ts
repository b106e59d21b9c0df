import { describe, expect, it } from "vitest";
import { ALEX, BLAIR, createGraphBench, type Loose } from "../testing/graph-bench.ts";

const MINUTE_MS = 60_000;
const HOOK = "https://app.example/hook";
const types = (items: Loose[]) => items.map((each) => each.lifecycleEvent ?? each.changeType);

describe("what a notification says", () => {
  it("created, updated and deleted after the delay, with the state of the change", async () => {
    const bench = createGraphBench();
    await bench.subscribe();
    const [mail] = await bench.admin.sendMail({ to: "alex@contoso.example", subject: "Hello" });
    await bench.clock.advance(1000);
    bench.admin.markRead(ALEX, mail!.id);
    await bench.clock.advance(1000);
    bench.admin.hardDelete(ALEX, mail!.id);
    await bench.clock.advance(1000);
    const items = bench.items();
    expect(types(items)).toEqual(["created", "updated", "deleted"]);
    expect(items[0]).toMatchObject({
      clientState: "secret",
      resource: `Users/${ALEX}/Messages/${mail!.id}`,
      resourceData: { "@odata.type": "#Microsoft.Graph.Message", id: mail!.id },
    });
    expect(items[0].resourceData["@odata.etag"]).not.toBe(items[1].resourceData["@odata.etag"]);
    expect(items[0].subscriptionExpirationDateTime).toMatch(/\+00:00$/);
  });

  it("a folder's subscription sees a move out as deleted and a move in as created", async () => {
    const bench = createGraphBench();
    await bench.subscribe({ resource: `users/${ALEX}/mailFolders('inbox')/messages` });
    await bench.subscribe({
      resource: `users/${ALEX}/mailFolders('archive')/messages`,
      notificationUrl: "https://app.example/two",
    });
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    const moved = bench.admin.move(ALEX, mail!.id, "archive");
    await bench.clock.advance(1000);
    const items = bench.items();
    expect(items.map((each) => [each.changeType, each.resourceData.id])).toEqual([
      ["created", mail!.id],
      ["deleted", mail!.id],
      ["created", moved.id],
    ]);
  });

  it("over the whole mailbox a move is one update under immutable ids, or a pair by switch and by default ids", async () => {
    for (const [headers, switches, expected] of [
      [{ Prefer: 'IdType="ImmutableId"' }, {}, ["created", "updated"]],
      [
        { Prefer: 'IdType="ImmutableId"' },
        { moveNotification: "deleted-and-created" },
        ["created", "deleted", "created"],
      ],
      [{}, {}, ["created", "deleted", "created"]],
    ] as const) {
      const bench = createGraphBench({ switches });
      await bench.subscribe({}, headers);
      const [mail] = await bench.admin.sendMail({ to: ALEX });
      bench.admin.move(ALEX, mail!.id, "archive");
      await bench.clock.advance(1000);
      expect(types(bench.items())).toEqual(expected);
      if ("Prefer" in headers)
        expect(new Set(bench.items().map((each) => each.resourceData.id))).toEqual(
          new Set([mail!.immutableId]),
        );
    }
  });

  it("a filter turns reading into leaving and unreading into entering", async () => {
    const bench = createGraphBench();
    await bench.subscribe({ resource: `users/${ALEX}/messages?$filter=isRead eq false` });
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    bench.admin.categorize(ALEX, mail!.id, ["Blue"]);
    bench.admin.markRead(ALEX, mail!.id);
    bench.admin.categorize(ALEX, mail!.id, ["Red"]);
    bench.admin.markRead(ALEX, mail!.id, false);
    await bench.clock.advance(1000);
    expect(types(bench.items())).toEqual(["created", "updated", "deleted", "created"]);
  });

  it("only the requested change types, of that mailbox", async () => {
    const bench = createGraphBench();
    await bench.subscribe({ changeType: "deleted" });
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    await bench.admin.sendMail({ to: BLAIR });
    await bench.call("DELETE", `/v1.0/users/${ALEX}/messages/${mail!.id}`);
    await bench.clock.advance(1000);
    expect(types(bench.items())).toEqual(["deleted"]);
  });

  it("items of two subscriptions at one URL share a request, up to its limit", async () => {
    const bench = createGraphBench({ switches: { notificationsPerPost: 3 } });
    await bench.subscribe();
    await bench.subscribe({ resource: `users/${BLAIR}/messages` });
    for (let index = 0; index < 4; index++) await bench.admin.sendMail({ to: [ALEX, BLAIR] });
    await bench.clock.advance(1000);
    const sizes = bench.received
      .filter((each) => each.body !== "")
      .map((each) => JSON.parse(each.body).value.length);
    expect(sizes).toEqual([3, 3, 2]);
    expect(new Set(bench.items().map((each) => each.subscriptionId)).size).toBe(2);
  });

  it("an event hub receives everything, after a first message instead of a handshake", async () => {
    const bench = createGraphBench();
    const url =
      "EventHub:https://ns.servicebus.windows.net/eventhubname/mail?tenantId=contoso.example";
    expect((await bench.subscribe({ notificationUrl: url })).status).toBe(201);
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(1000);
    expect(bench.received).toHaveLength(0);
    const hub = bench.admin.eventHub(url) as Loose[];
    expect(hub[0].value[0]).toMatchObject({ subscriptionId: "NA" });
    expect(hub[0].value[0].changeType).toMatch(/^Validation: Testing client application/);
    expect(types(hub[1].value)).toEqual(["created"]);
    expect(hub[1]).not.toHaveProperty("validationTokens");
  });
});

describe("answers", () => {
  it("any 2xx within three seconds is enough", async () => {
    const bench = createGraphBench();
    await bench.subscribe();
    bench.endpoint(HOOK, () => ({ status: 204, tookMs: 2_900 }));
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(5 * MINUTE_MS);
    expect(bench.items()).toHaveLength(1);
    expect(bench.kinds()).toContain("notification.acknowledged");
  });

  it("a delivery answered after 3.1 seconds is repeated, and on a repetition 9.9 seconds are fast enough", async () => {
    const bench = createGraphBench();
    await bench.subscribe();
    const took = [3_100, 9_900];
    bench.endpoint(HOOK, () => ({ status: 202, tookMs: took.shift() ?? 5 }));
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(5 * MINUTE_MS);
    expect(bench.items()).toHaveLength(2);
    expect(bench.items()[0].id).toBe(bench.items()[1].id);
    expect(took).toEqual([]);
  });

  it.each([301, 400, 401, 404, 500, 503, 0])("status %d is repeated", async (status) => {
    const bench = createGraphBench();
    await bench.subscribe();
    const answers = [{ status }];
    bench.endpoint(HOOK, () => answers.shift() ?? {});
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(MINUTE_MS);
    expect(bench.items()).toHaveLength(2);
  });

  it("repeats with growing waits and ten seconds each, gives up after four hours and sends missed", async () => {
    const bench = createGraphBench();
    await bench.subscribe({
      lifecycleNotificationUrl: "https://app.example/life",
      expirationDateTime: new Date(bench.clock.now() + 7 * 86_400_000).toISOString(),
    });
    bench.endpoint(HOOK, () => ({ status: 400 }));
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(5 * 60 * MINUTE_MS);
    const tries = bench.received.filter((each) => each.body !== "" && each.url === HOOK);
    expect(tries[0]!.timeoutMs).toBe(3000);
    expect(tries.slice(1).every((each) => each.timeoutMs === 10_000)).toBe(true);
    const waits = tries.slice(1).map((each, index) => each.atMs - tries[index]!.atMs);
    expect(waits.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
    expect(tries.at(-1)!.atMs - tries[0]!.atMs).toBeLessThanOrEqual(4 * 60 * MINUTE_MS);
    expect(bench.kinds()).toContain("notification.given-up");
    expect(types(bench.items())).toContain("missed");
  });
});

describe("endpoints that answer slowly", () => {
  async function slowBench(tookMs: number) {
    const bench = createGraphBench({ switches: { notificationsPerPost: 1 } });
    await bench.subscribe({
      lifecycleNotificationUrl: "https://app.example/life",
      expirationDateTime: new Date(bench.clock.now() + 7 * 86_400_000).toISOString(),
    });
    let took = tookMs;
    bench.endpoint(HOOK, () => ({ status: took > 10_000 ? 0 : 202, tookMs: took }));
    for (let index = 0; index < 10; index++) await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(1000);
    return {
      bench,
      heal: () => {
        took = 5;
      },
    };
  }

  it("more than a tenth over three seconds: new items wait ten minutes", async () => {
    const { bench, heal } = await slowBench(4_000);
    expect(bench.admin.endpoints()).toEqual([{ endpoint: HOOK, mode: "slow" }]);
    heal();
    const before = bench.clock.now();
    await bench.admin.sendMail({ to: ALEX, subject: "waits" });
    await bench.clock.advance(9 * MINUTE_MS);
    const fresh = () =>
      bench.journal
        .entries()
        .filter(
          (each) =>
            each.kind === "notification.sent" &&
            (each["attempt"] as number) === 1 &&
            Date.parse(each.at) > before,
        );
    expect(fresh()).toHaveLength(0);
    await bench.clock.advance(2 * MINUTE_MS);
    expect(fresh()).toHaveLength(1);
  });

  it("more than 15 % over ten seconds: everything is dropped for ten minutes, then missed is sent", async () => {
    const { bench, heal } = await slowBench(4_000);
    bench.endpoint(HOOK, () => ({ status: 0, tookMs: 10_001 }));
    await bench.clock.advance(MINUTE_MS);
    expect(bench.admin.endpoints()[0]).toMatchObject({ mode: "drop" });
    heal();
    await bench.admin.sendMail({ to: ALEX, subject: "lost" });
    await bench.clock.advance(5 * MINUTE_MS);
    expect(bench.kinds()).toContain("notification.dropped");
    bench.endpoint(HOOK, () => ({}));
    const sent = bench.items().length;
    await bench.clock.advance(10 * MINUTE_MS);
    expect(types(bench.items().slice(sent))).toContain("missed");
    for (let index = 0; index < 3; index++) {
      await bench.admin.sendMail({ to: ALEX });
      await bench.clock.advance(MINUTE_MS);
    }
    expect(bench.admin.endpoints()[0]).toMatchObject({ mode: "ok" });
  });
});

describe("faults on the way", () => {
  async function struck(kind: string, options = {}) {
    const bench = createGraphBench();
    await bench.subscribe();
    bench.faults.arm({ kind, remaining: 1, options });
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    bench.admin.markRead(ALEX, mail!.id);
    return bench;
  }

  it("a lost notification is in the journal only", async () => {
    const bench = await struck("drop-notification");
    await bench.clock.advance(10 * MINUTE_MS);
    expect(types(bench.items())).toEqual(["updated"]);
    expect(bench.kinds()).toContain("notification.dropped");
  });

  it("items in transit to a removed subscription are dropped, and the journal says so", async () => {
    const bench = createGraphBench();
    const { json } = await bench.subscribe();
    await bench.admin.sendMail({ to: ALEX });
    await bench.call("DELETE", `/v1.0/subscriptions/${json.id}`);
    await bench.clock.advance(1000);
    expect(bench.items()).toEqual([]);
    expect(bench.journal.entries().at(-1)).toMatchObject({
      kind: "notification.dropped",
      cause: "subscription gone",
    });
  });

  it("a switch decides whether items that wait for a removed subscription are still delivered before the removal is announced", async () => {
    for (const [pendingOnRemoval, expected] of [
      ["delivered", ["created", "subscriptionRemoved"]],
      ["dropped", ["subscriptionRemoved"]],
    ] as const) {
      const bench = createGraphBench({ switches: { pendingOnRemoval } });
      const { json } = await bench.subscribe({ lifecycleNotificationUrl: HOOK });
      await bench.admin.sendMail({ to: ALEX });
      bench.admin.removeSubscription(json.id);
      await bench.clock.advance(1000);
      expect(types(bench.items())).toEqual(expected);
    }
  });

  it("a switch decides whether a redirect fails or is followed", async () => {
    for (const [followRedirects, expected] of [
      [false, 400],
      [true, 201],
    ] as const) {
      const bench = createGraphBench({ switches: { followRedirects } });
      bench.endpoint(HOOK, ({ url }) => ({
        status: 301,
        headers: { location: `/moved${new URL(url).search}` },
      }));
      expect((await bench.subscribe()).status).toBe(expected);
    }
  });

  it("an arriving message may be reported as created and updated at once", async () => {
    const bench = createGraphBench({ switches: { updatedAfterCreated: true } });
    await bench.subscribe();
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(1000);
    expect(types(bench.items())).toEqual(["created", "updated"]);
  });

  it("a duplicate can come hours later", async () => {
    const bench = await struck("duplicate-notification", { delayMs: 3 * 60 * MINUTE_MS });
    await bench.clock.advance(MINUTE_MS);
    expect(types(bench.items())).toEqual(["created", "updated"]);
    await bench.clock.advance(3 * 60 * MINUTE_MS);
    expect(types(bench.items())).toEqual(["created", "updated", "created"]);
  });

  it("with delays and reordering, the second notification can overtake the first", async () => {
    for (const kind of ["late-notification", "reorder-notifications"]) {
      const bench = await struck(kind);
      await bench.clock.advance(10 * MINUTE_MS);
      expect(types(bench.items())).toEqual(["updated", "created"]);
    }
  });

  it("a notification can arrive before the 201", async () => {
    const bench = createGraphBench();
    await bench.admin.sendMail({ to: ALEX });
    bench.faults.arm({ kind: "notification-before-201", remaining: 1 });
    const pending = bench.subscribe();
    const { json } = await pending;
    expect(bench.items().map((each) => each.subscriptionId)).toEqual([json.id]);
  });
});

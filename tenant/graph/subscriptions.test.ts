import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench } from "./testing/graph-bench.ts";

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

  it.each([
    ["a status other than 200", { status: 202 }, "ValidationError"],
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
    expect(refused.status).toBe(400);
    expect(refused.json.error.code).toBe(code);
    expect(bench.admin.subscriptions()).toHaveLength(0);
  });
});

describe("delivery", () => {
  it("tells of created, updated and deleted after the delay, with the state of the change", async () => {
    const bench = createGraphBench();
    await bench.subscribe();
    const [mail] = await bench.admin.sendMail({ to: "alex@contoso.example", subject: "Hello" });
    await bench.clock.advance(1000);
    bench.admin.markRead(ALEX, mail!.id);
    await bench.clock.advance(1000);
    bench.admin.hardDelete(ALEX, mail!.id);
    await bench.clock.advance(1000);
    const items = bench.items();
    expect(items.map((each) => each.changeType)).toEqual(["created", "updated", "deleted"]);
    expect(items[0]).toMatchObject({
      clientState: "secret",
      resource: `Users/${ALEX}/Messages/${mail!.id}`,
      resourceData: { "@odata.type": "#Microsoft.Graph.Message", id: mail!.id },
    });
    expect(items[0].resourceData["@odata.etag"]).not.toBe(items[1].resourceData["@odata.etag"]);
  });

  it("repeats with growing waits and ten seconds each, and gives up after four hours", async () => {
    const bench = createGraphBench();
    await bench.subscribe();
    bench.endpoint("https://app.example/hook", () => ({ status: 400 }));
    await bench.admin.sendMail({ to: ALEX });
    await bench.clock.advance(5 * 3_600_000);
    const tries = bench.received.filter((each) => each.body !== "");
    expect(tries[0]!.timeoutMs).toBe(3000);
    expect(tries.slice(1).every((each) => each.timeoutMs === 10_000)).toBe(true);
    const waits = tries.slice(1).map((each, index) => each.atMs - tries[index]!.atMs);
    expect(waits.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
    expect(tries.at(-1)!.atMs - tries[0]!.atMs).toBeLessThanOrEqual(4 * 3_600_000);
    expect(bench.kinds()).toContain("notification.given-up");
  });
});

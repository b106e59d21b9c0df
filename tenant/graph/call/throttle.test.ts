import { describe, expect, it } from "vitest";
import { ALEX, BLAIR, createGraphBench, type Loose } from "../testing/graph-bench.ts";

const INBOX = `/v1.0/users/${ALEX}/mailFolders/inbox`;

describe("Outlook's limits", () => {
  it("a fifth request at a time to one mailbox is refused, another mailbox is not", async () => {
    const bench = createGraphBench({ switches: { throttling: true, mailboxLatencyMs: 1000 } });
    const four = Array.from({ length: 4 }, () => bench.get(INBOX));
    const fifth = await bench.get(INBOX);
    expect(fifth.status).toBe(429);
    expect(fifth.json.error).toMatchObject({
      code: "ApplicationThrottled",
      message: "Application is over its MailboxConcurrency limit.",
      innerError: { code: "429" },
    });
    expect(Number(fifth.headers!["retry-after"])).toBeGreaterThan(0);
    const other = bench.get(`/v1.0/users/${BLAIR}/mailFolders/inbox`);
    await bench.settle();
    await bench.clock.advance(1000);
    for (const each of [...four, other]) expect((await each).status).toBe(200);
    const later = bench.get(INBOX);
    await bench.settle();
    await bench.clock.advance(1000);
    expect((await later).status).toBe(200);
  });

  it("after 10,000 requests in ten minutes more are refused, and refused ones count too", async () => {
    const bench = createGraphBench({ switches: { throttling: true } });
    for (let index = 0; index < 10_000; index++) await bench.get(INBOX);
    const refused = await bench.get(INBOX);
    expect([refused.status, refused.json.error.code]).toEqual([429, "TooManyRequests"]);
    const retryAfterMs = Number(refused.headers!["retry-after"]) * 1000;
    expect(retryAfterMs).toBeGreaterThan(9 * 60_000);
    bench.context.switches["retryAfterHeader"] = false;
    expect((await bench.get(INBOX)).headers).not.toHaveProperty("retry-after");
    await bench.clock.advance(retryAfterMs);
    expect((await bench.get(INBOX)).status).toBe(200);
  });

  it("after 150 MB written in five minutes more are refused", async () => {
    const bench = createGraphBench({ switches: { throttling: true } });
    const body = Buffer.alloc(60 * 1024 * 1024, 32);
    const write = () => bench.call("POST", `/v1.0/users/${ALEX}/messages`, { body });
    expect((await write()).status).toBe(400);
    expect((await write()).status).toBe(400);
    expect((await write()).status).toBe(429);
    await bench.clock.advance(5 * 60_000 + 10_000);
    expect((await write()).status).toBe(400);
  });

  it("can be switched off", async () => {
    const bench = createGraphBench({ switches: { mailboxLatencyMs: 1000 } });
    const many = Array.from({ length: 9 }, () => bench.get(INBOX));
    await bench.settle();
    await bench.clock.advance(1000);
    for (const each of many) expect((await each).status).toBe(200);
  });
});

describe("$batch", () => {
  const get = (id: string, url = `/users/${ALEX}/mailFolders/inbox`, more = {}) => ({
    id,
    method: "GET",
    url,
    ...more,
  });

  it("answers each member separately and fails those that depend on a failed one", async () => {
    const bench = createGraphBench();
    const answer = await bench.post("/v1.0/$batch", {
      requests: [
        get("1"),
        get("2", `/users/${ALEX}/mailFolders/nowhere`),
        get("3", `/users/${ALEX}`, { dependsOn: ["2"] }),
        get("4", `/users/${ALEX}`, { dependsOn: ["1"] }),
      ],
    });
    const sorted = answer.json.responses.map((each: Loose) => [each.id, each.status]).sort();
    expect(sorted).toEqual([
      ["1", 200],
      ["2", 400],
      ["3", 424],
      ["4", 200],
    ]);
  });

  it("answers in any order, unless the switch keeps it", async () => {
    const requests = Array.from({ length: 20 }, (_, index) => get(String(index)));
    const orderOf = async (switches: object) => {
      const { json } = await createGraphBench({ switches }).post("/v1.0/$batch", { requests });
      return json.responses.map((each: Loose) => each.id);
    };
    const asked = requests.map((each) => each.id);
    expect(await orderOf({ shuffleBatch: false })).toEqual(asked);
    const shuffled = await orderOf({});
    expect(shuffled).not.toEqual(asked);
    expect(shuffled.sort()).toEqual([...asked].sort());
  });

  it("forwards four members at a time, so one batch stays within a mailbox's limit and two do not", async () => {
    const bench = createGraphBench({ switches: { throttling: true, mailboxLatencyMs: 10 } });
    const batch = () =>
      bench.post("/v1.0/$batch", {
        requests: Array.from({ length: 20 }, (_, index) => get(String(index))),
      });
    const statuses = (answer: Loose) => answer.json.responses.map((each: Loose) => each.status);
    const settle = async (pending: Promise<Loose>[]) => {
      for (let step = 0; step < 100; step++) {
        await bench.clock.advance(10);
        await bench.settle();
      }
      return Promise.all(pending);
    };
    const [alone] = await settle([batch()]);
    expect(statuses(alone)).toEqual(Array(20).fill(200));
    const pair = await settle([batch(), batch()]);
    const refused = pair
      .flatMap((each) => each.json.responses)
      .filter((each: Loose) => each.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0].headers["Retry-After"]).toBeDefined();
    expect(refused[0].body.error.code).toBe("ApplicationThrottled");
  });

  it.each([
    ["nothing", { requests: [] }],
    [
      "twenty-one members",
      { requests: Array.from({ length: 21 }, (_, index) => get(String(index))) },
    ],
    ["one id twice", { requests: [get("a"), get("A")] }],
    ["a body without a type", { requests: [{ id: "1", method: "POST", url: "/x", body: {} }] }],
    ["a dependency that is not there", { requests: [get("1", "/users", { dependsOn: ["9"] })] }],
    ["no list", { value: [] }],
  ])("refuses %s as a whole", async (_title, body) => {
    expect((await createGraphBench().post("/v1.0/$batch", body)).status).toBe(400);
  });

  it("transfers bytes as base64", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({
      to: ALEX,
      attachments: [{ name: "a.bin", bytes: Buffer.from([0, 255, 1]) }],
    });
    const list = await bench.get(`/v1.0/users/${ALEX}/messages/${mail!.id}/attachments`);
    const answer = await bench.post("/v1.0/$batch", {
      requests: [
        get("1", `/users/${ALEX}/messages/${mail!.id}/attachments/${list.json.value[0].id}/$value`),
      ],
    });
    expect(Buffer.from(answer.json.responses[0].body, "base64")).toEqual(Buffer.from([0, 255, 1]));
  });
});

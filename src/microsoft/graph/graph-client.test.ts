import { describe, expect, it } from "vitest";
import { createManualClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { createHttp, type HttpAnswer, type HttpRequest } from "../../lib/http.ts";
import { createGraphClient } from "./graph-client.ts";
import { GraphApiError } from "./graph-fault.ts";
import { createMailboxLimiter } from "./mailbox-limiter.ts";

type Answer = Partial<HttpAnswer> & { json?: unknown };

/** A client whose HTTP layer returns these responses, one after another. */
function aClient(...answers: (Answer | Error)[]) {
  const sent: HttpRequest[] = [];
  const waits: number[] = [];
  const clock = createManualClock(0);
  const limiter = createMailboxLimiter(clock);
  const tokens: boolean[] = [];
  const client = createGraphClient({
    origin: "https://graph.microsoft.com",
    http: async (request) => {
      sent.push(request);
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      if (answer instanceof Error) throw answer;
      const body =
        answer.json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer.json));
      return { status: 200, headers: {}, body, ...answer };
    },
    token: async ({ forceNew = false } = {}) => {
      tokens.push(forceNew);
      return "the-token";
    },
    limiter,
    clock: {
      ...clock,
      sleep: async (ms) => {
        waits.push(ms);
        clock.advance(ms);
      },
    },
    random: { bytes: (length) => Buffer.alloc(length), uuid: () => "u", fraction: () => 0.5 },
  });
  return { client, sent, waits, tokens, limiter };
}

describe("a call", () => {
  it("goes to v1.0 with our token, as JSON and with immutable ids; each can be overridden [GRA-01] [GRA-02] [GRA-04] [H-03]", async () => {
    const { client, sent } = aClient({ json: { ok: true } });
    expect(await client.call({ path: "/users/x" })).toEqual({ ok: true });
    expect(sent[0]).toMatchObject({
      method: "GET",
      url: "https://graph.microsoft.com/v1.0/users/x",
      headers: {
        authorization: "Bearer the-token",
        "content-type": "application/json",
        prefer: 'IdType="ImmutableId"',
      },
    });
    const link = "https://graph.microsoft.com/v1.0/users/x/delta?$skiptoken=a%2Bb";
    await client.call({
      path: link,
      headers: {
        Authorization: "Bearer other",
        "Content-Type": "text/plain",
        Prefer: "odata.maxpagesize=5",
      },
    });
    expect(sent[1]!.url).toBe(link);
    expect(sent[1]!.headers).toMatchObject({
      authorization: "Bearer other",
      "content-type": "text/plain",
      prefer: 'odata.maxpagesize=5, IdType="ImmutableId"',
    });
  });

  it("that is refused throws status, body and path, and never a token [GRA-03] [GRA-07] [GRA-08] [SEC-07]", async () => {
    const { client } = aClient({
      status: 404,
      json: { error: { code: "X", innerError: { code: "ErrorItemNotFound" } } },
    });
    const error = (await client
      .call({ path: "/me/messages/1?$select=id" })
      .catch((thrown: unknown) => thrown)) as GraphApiError;
    expect(error).toBeInstanceOf(GraphApiError);
    expect(error).toMatchObject({
      status: 404,
      code: "graph.not-found",
      graphCode: "ErrorItemNotFound",
      path: "/v1.0/me/messages/1",
    });
    expect(error.body).toContain("ErrorItemNotFound");
    expect(`${error.message}${error.stack}`).not.toContain("the-token");
    expect(error.message).toContain("/v1.0/me/messages/1");
  });

  it("that is throttled waits as long as Graph says, or longer each time if Graph does not say [GRA-05] [R22]", async () => {
    const slow = { status: 429, headers: { "retry-after": "7" } };
    const { client, waits } = aClient(slow, slow, { json: {} });
    await client.call({ path: "/x" });
    expect(waits.every((wait) => wait >= 7_000 && wait < 8_000)).toBe(true);
    const bare = aClient({ status: 429 }, { status: 503 }, { status: 504 }, { json: {} });
    await bare.client.call({ path: "/x" });
    expect(bare.waits).toHaveLength(3);
    expect(bare.waits[2]!).toBeGreaterThan(bare.waits[0]!);
  });

  it("with a long wait ahead gives up its slot, and its mailbox pauses while others continue [R22]", async () => {
    const { client, waits, limiter } = aClient({ status: 429, headers: { "retry-after": "300" } });
    await expect(client.call({ path: "/x", mailbox: "a@x" })).rejects.toMatchObject({
      code: "graph.throttled",
      retryAfterMs: 300_000,
    });
    expect(waits).toEqual([]);
    expect(limiter.restsForMs("a@x")).toBe(300_000);
    expect(limiter.restsForMs("b@x")).toBe(0);
  });

  it("whose token has expired is repeated once with a new one [GRA-06]", async () => {
    const { client, tokens } = aClient({ status: 401 }, { json: { ok: 1 } });
    expect(await client.call({ path: "/x" })).toEqual({ ok: 1 });
    expect(tokens).toEqual([false, true]);
    await expect(aClient({ status: 401 }).client.call({ path: "/x" })).rejects.toMatchObject({
      code: "graph.unauthorized",
    });
  });

  it("that breaks off, or whose answer is not JSON, is repeated", async () => {
    const broken = new Fault("graph.unavailable", "reset");
    const { client } = aClient(broken, { body: Buffer.from("<html>") }, { json: { ok: 1 } });
    expect(await client.call({ path: "/x" })).toEqual({ ok: 1 });
  });
});

describe("a batch", () => {
  it("requests twenty at a time and keeps the order; throttled members are requested again [GRA-05]", async () => {
    const answer = (ids: number[], status = 200) => ({
      json: { responses: ids.map((id) => ({ id: String(id), status, body: { id } })).reverse() },
    });
    const first = Array.from({ length: 20 }, (_, index) => index);
    const { client, sent } = aClient(answer(first), answer([20], 429), answer([20]));
    const items = Array.from({ length: 21 }, (_, index) => ({ path: `/m/${index}` }));
    const results = await client.batch<{ id: number }>("a@x", items);
    expect(results.map((result) => result.isOk && result.body.id)).toEqual([...first, 20]);
    expect(sent).toHaveLength(3);
  });

  it("that lacks an answer is refused as incomplete", async () => {
    const { client } = aClient({ json: { responses: [] } });
    await expect(client.batch("a@x", [{ path: "/m" }])).rejects.toMatchObject({
      code: "graph.bad-answer",
    });
  });
});

describe("a mailbox", () => {
  it("has at most four calls in flight, a batch counts as four, and other mailboxes are not held up", async () => {
    const limiter = createMailboxLimiter(createManualClock(0));
    const ends: (() => void)[] = [];
    const started: string[] = [];
    const run = (mailbox: string, name: string, places = 1) =>
      limiter.run(mailbox, places, () => {
        started.push(name);
        return new Promise<void>((end) => ends.push(end));
      });
    const all = [
      ...["1", "2", "3", "4", "5"].map((name) => run("a", name)),
      run("a", "batch", 4),
      run("b", "other"),
    ];
    await Promise.resolve();
    expect(started).toEqual(["1", "2", "3", "4", "other"]);
    ends[0]!();
    await all[0];
    expect(started.at(-1)).toBe("5");
    for (let index = 1; index < 6; index++) ends[index]!();
    await Promise.all(all.slice(0, 5));
    await new Promise((resolve) => setImmediate(resolve));
    expect(started.at(-1)).toBe("batch");
    ends[6]!();
    await Promise.all(all);
  });
});

describe("a link to another host", () => {
  it.each([
    "http://graph.microsoft.com/v1.0/x",
    "https://graph.microsoft.com.evil.test/v1.0/x",
    "https://evil@graph.microsoft.com/v1.0/x",
    "https://graph.microsoft.com:444/v1.0/x",
    "https://169.254.169.254/latest",
    "https://[::ffff:169.254.169.254]/",
    "https://xn--grph-6na.microsoft.com/",
    "https://graph.microsoft.com./v1.0/x",
  ])("%s is refused before a byte leaves [GRA-01] [SEC-05] [S46]", async (url) => {
    const http = createHttp({
      allowedOrigins: ["https://graph.microsoft.com"],
      unavailable: "graph.unavailable",
    });
    await expect(http({ method: "GET", url })).rejects.toMatchObject({
      code: "http.host-not-allowed",
    });
    await http.close();
  });
});

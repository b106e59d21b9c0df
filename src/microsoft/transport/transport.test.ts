import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { createHttp } from "../../lib/http.ts";
import { systemRandom } from "../../lib/random.ts";
import { createDataverseClient } from "../dataverse/dataverse-client.ts";
import { GRAPH, UPLOAD_SESSION } from "../graph/graph-api.ts";
import { createGraphClient } from "../graph/graph-client.ts";
import { createMailboxLimiter } from "../graph/mailbox-limiter.ts";
import { createUploadSessions } from "../graph/upload-session.ts";
import { claimsWantedBy } from "../identity/claims-challenge.ts";
import { type Api, type ApiCall, createTransport, type TokenSource } from "./transport.ts";

/** What the server does with a request after reading all of it. */
type Deed = (response: ServerResponse, request: IncomingMessage) => void;
const breakOff: Deed = (_, request) => void request.socket.destroy();
const answer =
  (status: number, headers: Record<string, string> = {}, body = "{}"): Deed =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const halfAnAnswer: Deed = (response, request) => {
  response.writeHead(200, { "content-length": "100" }).write("{");
  setImmediate(() => request.socket.destroy());
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server on loopback that does these things, one per request; it repeats the last one forever. */
async function aServer(...deeds: Deed[]) {
  const seen: { method: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const { method = "", headers } = request;
      seen.push({ method, authorization: headers.authorization });
      (deeds.length > 1 ? deeds.shift()! : deeds[0]!)(response, request);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" });
  open.push(http.close, () => new Promise((done) => void server.close(() => done())));

  const waits: number[] = [];
  const clock = createManualClock(0);
  const sleep = async (ms: number) => {
    waits.push(ms);
    clock.advance(ms);
  };
  const tokens: boolean[] = [];
  const token: TokenSource = async ({ forceNew = false } = {}) => {
    tokens.push(forceNew);
    return forceNew ? "new" : "old";
  };
  const needs = { http, origin, token, clock: { ...clock, sleep }, random: systemRandom };
  return { ...needs, needs, seen, waits, tokens };
}

async function send(
  server: Awaited<ReturnType<typeof aServer>>,
  call: Partial<ApiCall>,
  api: Api = GRAPH,
) {
  const transport = createTransport(api, server.needs);
  return transport.json({ method: "GET", url: `${server.origin}/x`, ...call });
}

describe("a call whose outcome is unknown", () => {
  const unknown = { breakOff, halfAnAnswer, "a 503": answer(503), "no JSON": answer(200, {}, "<") };

  describe.each(Object.entries(unknown))("after %s", (_, deed) => {
    it("a POST is not sent again", async () => {
      const server = await aServer(deed, answer(200));
      await expect(send(server, { method: "POST", body: "{}" })).rejects.toMatchObject({
        remedy: "retry",
      });
      expect(server.seen).toHaveLength(1);
    });

    it.each([
      { method: "POST", isSafeTwice: true },
      { method: "GET" },
      { method: "PUT" },
      { method: "PATCH" },
      { method: "DELETE" },
    ] as const)("%j is sent again", async (call) => {
      const server = await aServer(deed, answer(200, {}, '{"ok":1}'));
      expect(await send(server, call)).toEqual({ ok: 1 });
      expect(server.seen.map(({ method }) => method)).toEqual([call.method, call.method]);
    });
  });

  it("is given up after as many tries as the API's patience allows", async () => {
    const server = await aServer(breakOff);
    await expect(send(server, {})).rejects.toMatchObject({ code: "graph.unavailable" });
    expect(server.seen).toHaveLength(GRAPH.patience.tries);
  });
});

describe("a POST that was certainly not carried out is sent again", () => {
  it("after 429, once the time that Retry-After names has passed", async () => {
    const server = await aServer(answer(429, { "retry-after": "3" }), answer(200));
    await send(server, { method: "POST" });
    expect(server.seen).toHaveLength(2);
    expect(server.waits).toHaveLength(1);
    expect(server.waits[0]).toBeGreaterThanOrEqual(3_000);
  });

  it("after 401, with a new token", async () => {
    const server = await aServer(answer(401), answer(200));
    await send(server, { method: "POST" });
    expect(server.seen.map((one) => one.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  it("when Entra could not be reached for a token", async () => {
    const server = await aServer(answer(200));
    let failures = 1;
    const token: TokenSource = async () => {
      if (failures-- > 0) throw new Fault("identity.unavailable", "Entra cannot be reached");
      return "t";
    };
    const transport = createTransport(GRAPH, { ...server.needs, token });
    await transport.json({ method: "POST", url: `${server.origin}/x` });
    expect(server.seen).toHaveLength(1);
  });
});

describe("a wait that Microsoft asks for", () => {
  it("is thrown without sleeping when it is longer than we wait here", async () => {
    const server = await aServer(answer(503, { "retry-after": "11" }));
    await expect(send(server, {})).rejects.toMatchObject({ retryAfterMs: 11_000 });
    expect(server.waits).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it("holds back the next call under the same limit, and no other", async () => {
    const server = await aServer(answer(429, { "retry-after": "60" }), answer(200));
    const transport = createTransport(GRAPH, {
      ...server.needs,
      limiter: createMailboxLimiter(server.clock),
    });
    const call = (key: string) =>
      transport.json({ method: "GET", url: `${server.origin}/x`, limit: { key, places: 1 } });
    await expect(call("a")).rejects.toMatchObject({ retryAfterMs: 60_000 });
    await expect(call("a")).rejects.toMatchObject({
      code: "graph.throttled",
      retryAfterMs: 60_000,
    });
    expect(server.seen).toHaveLength(1);
    await call("b");
    expect(server.seen).toHaveLength(2);
  });
});

describe("a refused token", () => {
  it("is renewed once; a second 401 is thrown", async () => {
    const server = await aServer(answer(401));
    await expect(send(server, {})).rejects.toMatchObject({ status: 401 });
    expect(server.tokens).toEqual([false, true]);
    expect(server.waits).toEqual([]);
  });

  it("that stays refused passes on the claims that Graph or Dataverse asks for", async () => {
    const claims = '{"access_token":{"nbf":{"essential":true,"value":"1"}}}';
    const header = `Bearer error="insufficient_claims", claims="${Buffer.from(claims).toString("base64")}"`;
    const server = await aServer(answer(401, { "www-authenticate": header }));
    const graph = createGraphClient({
      ...server.needs,
      limiter: createMailboxLimiter(server.clock),
    });
    const dataverse = createDataverseClient(server.needs);
    for (const client of [graph, dataverse]) {
      const error = await client.call({ path: "/x" }).catch((thrown: unknown) => thrown);
      expect(claimsWantedBy(error)).toBe(claims);
    }
  });
});

describe("an upload session", () => {
  it("gets no token, and no error shows its URL", async () => {
    const server = await aServer(breakOff);
    const sessions = createUploadSessions(server.needs);
    const error = (await sessions
      .put(`${server.origin}/secret-path`, 0, Buffer.from("x"), 1)
      .catch((thrown: unknown) => thrown)) as Fault;
    expect(error).toMatchObject({ code: "graph.unavailable" });
    expect(`${error.message} ${error.stack} ${JSON.stringify(error.facts)}`).not.toContain(
      "secret-path",
    );
    expect(error.cause).toBeUndefined();
    expect(server.seen).toHaveLength(UPLOAD_SESSION.patience.tries);
    expect(server.seen.every((one) => one.authorization === undefined)).toBe(true);
    expect(server.tokens).toEqual([]);
  });

  it("sends a chunk again when its answer is lost, and goes on where Graph says", async () => {
    const more = '{"nextExpectedRanges":["5-9"]}';
    const server = await aServer(breakOff, answer(416), answer(200, {}, more));
    const sessions = createUploadSessions(server.needs);
    expect(await sessions.put(`${server.origin}/s`, 0, Buffer.from("01234"), 10)).toEqual({
      state: "more",
      nextByte: 5,
    });
    expect(server.seen.map(({ method }) => method)).toEqual(["PUT", "PUT", "GET"]);
  });

  it.each([404, 409, 401])(
    "that answers %i to a cancellation counts as cancelled",
    async (status) => {
      const server = await aServer(answer(status));
      await createUploadSessions(server.needs).cancel(`${server.origin}/s`);
      expect(server.seen).toHaveLength(1);
    },
  );
});

it("a caller that gives up during a wait gets the last error and sends nothing more", async () => {
  const server = await aServer(answer(503));
  const stop = new AbortController();
  const clock = { ...server.clock, sleep: async () => stop.abort() };
  const transport = createTransport(GRAPH, { ...server.needs, clock });
  const call = { method: "GET", url: `${server.origin}/x`, signal: stop.signal } as const;
  await expect(transport.json(call)).rejects.toMatchObject({ code: "graph.unavailable" });
  expect(server.seen).toHaveLength(1);
});

it("creating a subscription is not sent twice, but reading a batch is", async () => {
  const created = await aServer(breakOff, answer(201));
  const limited = (server: typeof created) => ({
    ...server.needs,
    limiter: createMailboxLimiter(server.clock),
  });
  await expect(
    createGraphClient(limited(created)).call({ method: "POST", path: "/subscriptions", body: {} }),
  ).rejects.toMatchObject({ code: "graph.unavailable" });
  expect(created.seen).toHaveLength(1);

  const whole = '{"responses":[{"id":"0","status":200,"body":{"id":"m"}}]}';
  const read = await aServer(breakOff, answer(200, {}, whole));
  const results = await createGraphClient(limited(read)).batch("a@x", [{ path: "/m" }]);
  expect(results).toEqual([{ isOk: true, body: { id: "m" } }]);
  expect(read.seen).toHaveLength(2);
});

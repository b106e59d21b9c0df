import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";
import { createManualClock } from "./clock.ts";
import { Fault, faultCodes, remedyOf, toFault } from "./fault.ts";
import { isSameSecret, key16, sha256, uuidFor } from "./hash.ts";
import { createHttp } from "./http.ts";
import { armKillPoint, killPoint } from "./kill-points.ts";
import { createLog, currentCorrelation, withCorrelation } from "./log.ts";
import { systemRandom } from "./random.ts";
import { Secret } from "./redact.ts";

describe("a wait between tries", () => {
  it("a wait is never shorter than requested, and exceeds that by no more than its cap", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 100_000 }),
        (attempt, askedFor) => {
          const wait = backoffMs({ firstMs: 500, capMs: 8_000 }, attempt, systemRandom, askedFor);
          expect(wait).toBeGreaterThanOrEqual(askedFor);
          expect(wait).toBeLessThanOrEqual(askedFor + 8_000);
        },
      ),
    );
  });
});

describe("keys and secrets", () => {
  it("the same text split into other parts gives another key", () => {
    expect(key16("ab", "c")).not.toEqual(key16("a", "bc"));
    expect(key16("ab", "c")).toEqual(key16("ab", "c"));
    expect(key16("x")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("secrets of any length are compared without throwing [WEB-10]", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (one, other) => isSameSecret(sha256(one), other) === (one === other),
      ),
    );
  });

  it("a name always gives the same UUID, and another name another one", () => {
    expect(uuidFor("record", "a")).toBe(uuidFor("record", "a"));
    expect(uuidFor("record", "a")).not.toBe(uuidFor("record", "b"));
    expect(uuidFor("record", "a")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe("faults", () => {
  it("every fault code has a remedy; any other error is unexpected and is retried", () => {
    for (const code of faultCodes)
      expect(["retry", "wait", "ask-a-person", "give-up"]).toContain(remedyOf(code));
    expect(toFault(new Error("x"))).toMatchObject({ code: "unexpected", remedy: "retry" });
    const own = new Fault("graph.throttled", "slow down", { retryAfterMs: 5 });
    expect(toFault(own)).toBe(own);
  });

  it("a kill point does nothing unless a test arms it", async () => {
    expect(killPoint("intake.committed")).toBeUndefined();
    let passed = 0;
    const disarm = armKillPoint("intake.committed", () => void passed++);
    await killPoint("intake.committed");
    disarm();
    await killPoint("intake.committed");
    expect(passed).toBe(1);
  });
});

describe("logs", () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", to: { write: (line: string) => void lines.push(line) } });

  it("every line carries the correlation id of its request or job [JOB-26]", () => {
    withCorrelation("abc-1", () => log.info({ path: "x" }, "hello"));
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ correlationId: "abc-1", msg: "hello" });
    expect(currentCorrelation()).toBeUndefined();
  });

  it("a log never shows secrets, tokens or bodies, not even inside an error [SEC-07] [SEC-06] [R52]", () => {
    const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";
    const error = new Error(
      `GET failed with Bearer ${token} and client_secret=hunter2&x=1 at postgres://u:pw-canary@h/d`,
    );
    log.error(
      {
        err: error,
        clientState: "canary-1",
        nested: { accessToken: "canary-2", body: "canary-3" },
      },
      "x",
    );
    log.info({ secret: new Secret("canary-4") }, "x");
    expect(lines.join("")).not.toMatch(/canary|hunter2|eyJ|c2lnbmF0dXJl/);
  });

  it("a log hides secrets at any depth, under any spelling, in bindings, messages and other systems' errors [SEC-07]", () => {
    const deep = { a: [{ b: { c: { Client_Secret: "canary-5", url: "redis://:canary-6@h" } } }] };
    const caused = new Error("x", { cause: new Error("refresh_token=canary-7") });
    log.child({ "x-api-key": "canary-8" }).warn({ deep, reason: caused }, "AccountKey=canary-9;");
    expect(lines.at(-1)).toContain("[hidden]");
    expect(lines.join("")).not.toContain("canary");
    log.info({ leaseToken: 7, tokens: { prompt: 12 } }, "counts are shown");
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ leaseToken: 7, tokens: { prompt: 12 } });
  });

  it("text of a mail neither forges a log line nor commands a terminal [S60]", () => {
    const subject = 'a\r\n{"level":"error"}\u001b[2J\u009b2J<script>';
    log.info({ subject, [subject]: 1 }, subject);
    const line = lines.at(-1)!.trimEnd();
    expect(line.split(/[\r\n]/)).toHaveLength(1);
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/u);
    expect(JSON.parse(line)).toMatchObject({ subject });
  });
});

describe("HTTP to the other side", () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers.authorization ?? "");
    if (request.url === "/elsewhere")
      response.writeHead(302, { location: "http://evil.example/" }).end();
    else response.end("ok");
  });
  let origin = "";
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it.each([
    "http://graph.microsoft.com.evil.test/",
    "http://evil@127.0.0.1/",
    "http://169.254.169.254/latest",
    "http://127.0.0.1:1/",
    "http://[::ffff:127.0.0.1]/",
    "not a url",
    "file:///etc/passwd",
  ])("refuses %s, and the token never leaves [S46]", async (url) => {
    const http = createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" });
    const before = received.length;
    await expect(
      http({ method: "GET", url, headers: { authorization: "Bearer t" } }),
    ).rejects.toMatchObject({ code: "http.host-not-allowed" });
    expect(received).toHaveLength(before);
    await http.close();
  });

  it("redirects are not followed [S46]", async () => {
    const http = createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" });
    expect((await http({ method: "GET", url: `${origin}/elsewhere` })).status).toBe(302);
    await http.close();
  });
});

describe("a clock that is moved by hand", () => {
  it("moving a manual clock runs due tasks in order and wakes sleepers", async () => {
    const clock = createManualClock(0);
    const order: string[] = [];
    clock.after(20, () => order.push("b"));
    clock.after(10, () => order.push("a"));
    const cancel = clock.after(15, () => order.push("never"));
    cancel();
    const slept = clock.sleep(30).then(() => order.push("c"));
    clock.advance(30);
    await slept;
    expect(order).toEqual(["a", "b", "c"]);
    expect(clock.now()).toBe(30);
  });
});

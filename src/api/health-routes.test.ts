import Fastify from "fastify";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../lib/clock.ts";
import { Secret } from "../lib/redact.ts";
import type { Role } from "./access/roles.ts";
import { registerHealthRoutes } from "./health-routes.ts";
import { handleErrors, unauthorized } from "./http/problem.ts";

function aServer() {
  const clock = createManualClock(0);
  const counts = { checks: 0, metrics: 0 };
  const app = Fastify();
  handleErrors(app);
  const metrics = new Registry();
  const measure = metrics.metrics.bind(metrics);
  metrics.metrics = () => {
    counts.metrics += 1;
    return measure();
  };
  registerHealthRoutes(app, {
    ...{ clock, metrics, metricsKey: new Secret("key-of-the-metrics") },
    checks: {
      database: async () => {
        counts.checks += 1;
        return "version 18 at /secret/path";
      },
    },
    authorize: async ({ headers }) => {
      if (headers.authorization === undefined) throw unauthorized("no token");
      const isRole = !/^none$|^Bearer/.test(headers.authorization);
      return { id: "x", role: isRole ? (headers.authorization as Role) : null };
    },
  });
  const ask = async (url: string, authorization?: string) =>
    app.inject({ url, headers: authorization === undefined ? {} : { authorization } });
  return { ask, clock, counts };
}

describe("readiness and metrics", () => {
  it("a hundred callers within a second cost one check and one measurement", async () => {
    const { ask, clock, counts } = aServer();
    for (let n = 0; n < 100; n++) await ask(n % 2 === 0 ? "/readyz" : "/metrics", "viewer");
    expect(counts).toEqual({ checks: 1, metrics: 1 });
    clock.advance(1_000);
    await ask("/readyz");
    expect(counts.checks).toBe(2);
  });

  it("everybody may see whether the server is ready, and only viewers see why and what it does", async () => {
    const { ask } = aServer();
    const open = await ask("/readyz");
    expect([open.statusCode, open.json()]).toEqual([200, { status: "ready" }]);
    expect((await ask("/readyz", "viewer")).body).toContain("version 18");
    expect((await ask("/readyz", "none")).statusCode).toBe(403);
    expect((await ask("/metrics")).statusCode).toBe(401);
    expect((await ask("/metrics", "none")).statusCode).toBe(403);
    expect((await ask("/metrics", "viewer")).statusCode).toBe(200);
  });

  it("the key of the metrics opens them and nothing else", async () => {
    const { ask } = aServer();
    const statusOf = async (url: string, key: string) =>
      (await ask(url, `Bearer ${key}`)).statusCode;
    expect(await statusOf("/metrics", "key-of-the-metrics")).toBe(200);
    expect(await statusOf("/metrics", "key-of-the-metric")).toBe(403);
    expect(await statusOf("/readyz", "key-of-the-metrics")).toBe(403);
  });
});

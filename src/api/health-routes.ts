/**
 * For probes and monitoring. Everybody may see whether the server is alive and ready; only viewers see
 * details.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { Clock } from "../lib/clock.ts";
import { isSameSecret, sha256 } from "../lib/hash.ts";
import type { Secret } from "../lib/redact.ts";
import type { Authorize } from "./access/auth.ts";
import { hasRole } from "./access/roles.ts";
import { forbidden } from "./http/problem.ts";

export interface HealthNeeds {
  readonly metrics: Registry;
  /** What must work before requests are accepted, by name; a check throws if it fails. */
  readonly checks: Readonly<Record<string, () => Promise<string>>>;
  readonly authorize: Authorize;
  /** A monitoring system presents it; it opens the metrics and nothing else. Null if there is none. */
  readonly metricsKey: Secret | null;
  readonly clock: Clock;
  /** Details and metrics cover all tenants, and a token belongs to one tenant. */
  readonly hasSeveralTenants?: boolean;
}

const CHECK_MS = 2_000;
/** Checks cost queries and a write to the disk, so many callers share one result. */
const KEPT_MS = 1_000;

type Checked = Readonly<Record<string, { readonly isReady: boolean; readonly detail: string }>>;

export function registerHealthRoutes(app: FastifyInstance, needs: HealthNeeds): void {
  const { clock, metrics } = needs;
  const check = shared(clock, () => runChecks(needs.checks));
  const measure = shared(clock, () => metrics.metrics());

  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("Healthy"));

  app.get("/readyz", async (request, reply) => {
    const isViewer = request.headers.authorization !== undefined;
    if (isViewer) await assertViewer(needs, request);
    const checks = await check();
    const isReady = Object.values(checks).every((each) => each.isReady);
    const status = isReady ? "ready" : "not ready";
    return reply.code(isReady ? 200 : 503).send(isViewer ? { status, checks } : { status });
  });

  app.get("/metrics", async (request, reply) => {
    if (!hasMetricsKey(needs.metricsKey, request)) await assertViewer(needs, request);
    return reply.type(metrics.contentType).send(await measure());
  });
}

function hasMetricsKey(key: Secret | null, { headers }: FastifyRequest): boolean {
  const [, presented] = /^bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (key === null || presented === undefined) return false;
  return key.accepted().some((each) => isSameSecret(sha256(each), presented));
}

async function assertViewer(needs: HealthNeeds, request: FastifyRequest): Promise<void> {
  const caller = await needs.authorize(request);
  if (!hasRole(caller, "viewer")) throw forbidden("this needs the role viewer");
  if (needs.hasSeveralTenants && caller.token !== undefined)
    throw forbidden("this covers every tenant of the installation; it needs the operator key");
}

/** Runs once for all callers within a second. */
function shared<T>(clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let known: { readonly atMs: number; readonly answer: Promise<T> } | null = null;
  return () => {
    const nowMs = clock.now();
    if (known === null || nowMs - known.atMs >= KEPT_MS) known = { atMs: nowMs, answer: ask() };
    return known.answer;
  };
}

async function runChecks(checks: HealthNeeds["checks"]): Promise<Checked> {
  const entries = Object.entries(checks).map(
    async ([name, check]) => [name, await withLimit(check())] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function withLimit(check: Promise<string>): Promise<{ isReady: boolean; detail: string }> {
  const limit = AbortSignal.timeout(CHECK_MS);
  const tooLate = new Promise<never>((_, reject) => {
    limit.addEventListener("abort", () => reject(new Error(`no response within ${CHECK_MS} ms`)));
  });
  try {
    return { isReady: true, detail: await Promise.race([check, tooLate]) };
  } catch (error) {
    return { isReady: false, detail: (error as Error).message };
  }
}

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

export interface HealthNeeds {
  readonly metrics: Registry;
  /** What must work before requests are accepted, by name; a check throws if it fails. */
  readonly checks: Readonly<Record<string, () => Promise<string>>>;
}

const CHECK_MS = 2_000;

export function registerHealthRoutes(app: FastifyInstance, needs: HealthNeeds): void {
  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("Healthy"));

  app.get("/readyz", async (_request, reply) => {
    const checks: Record<string, { isReady: boolean; detail: string }> = {};
    for (const [name, check] of Object.entries(needs.checks))
      checks[name] = await withLimit(check());
    const isReady = Object.values(checks).every((check) => check.isReady);
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", checks });
  });

  app.get("/metrics", async (_request, reply) =>
    reply.type(needs.metrics.contentType).send(await needs.metrics.metrics()),
  );
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

import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Database, Transaction } from "../store/database.ts";

export interface HealthNeeds {
  readonly database: Database;
  readonly metrics: Registry;
  /** Further things that must work, by name; each throws when it does not. */
  readonly checks: Readonly<Record<string, () => Promise<string>>>;
}

const CHECK_MS = 2_000;

export function registerHealthRoutes(app: FastifyInstance, needs: HealthNeeds): void {
  app.get("/healthz", async (_request, reply) => reply.type("text/plain").send("Healthy"));

  app.get("/readyz", async (_request, reply) => {
    const checks: Record<string, { isReady: boolean; detail: string }> = {};
    for (const [name, check] of Object.entries({
      database: () => checkDatabase(needs.database),
      ...needs.checks,
    })) {
      checks[name] = await withLimit(check());
    }
    const isReady = Object.values(checks).every((check) => check.isReady);
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? "ready" : "not ready", checks });
  });

  app.get("/metrics", async (_request, reply) =>
    reply.type(needs.metrics.contentType).send(await needs.metrics.metrics()),
  );
}

async function checkDatabase(database: Database): Promise<string> {
  const { rows } = await database.query<{ isReplica: boolean }>(
    'SELECT pg_is_in_recovery() AS "isReplica"',
  );
  if (rows[0]!.isReplica) throw new Error("this is a read-only replica");
  await database.transaction(probeRoom);
  return "reachable and writable";
}

/** Too much to sort in so little memory: the server writes to its disk, and nothing stays. */
async function probeRoom(tx: Transaction): Promise<void> {
  await tx.query("SET LOCAL work_mem = '64kB'");
  await tx.query(
    "SELECT max(n) FROM (SELECT n FROM generate_series(1, 10000) n ORDER BY -n OFFSET 0) t",
  );
}

async function withLimit(check: Promise<string>): Promise<{ isReady: boolean; detail: string }> {
  const limit = AbortSignal.timeout(CHECK_MS);
  const tooLate = new Promise<never>((_, reject) => {
    limit.addEventListener("abort", () => reject(new Error(`no answer within ${CHECK_MS} ms`)));
  });
  try {
    return { isReady: true, detail: await Promise.race([check, tooLate]) };
  } catch (error) {
    return { isReady: false, detail: (error as Error).message };
  }
}

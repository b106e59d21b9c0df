import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { handleErrors } from "../api/http/problem.ts";
import { withCorrelation } from "../lib/log.ts";
import type { Closers, Foundation } from "./foundation.ts";
import { limitSlowness, limitTime, REQUEST_MS_MAX } from "./slow-senders.ts";

export function createServer(base: Foundation): FastifyInstance {
  const takesFiles = base.config.documents !== null;
  const server = Fastify({
    loggerInstance: base.log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Node has one limit for all requests. Files may take as long as their size requires, so with files we
    // limit each request.
    requestTimeout: takesFiles ? 0 : REQUEST_MS_MAX,
    // By default Node looks for slow clients only every 30 seconds.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    genReqId: (request) => correlationOf(request.headers["x-correlation-id"]) ?? base.random.uuid(),
    // Every line has its correlation id already, and a logger for each request is expensive.
    childLoggerFactory: (log) => log,
    routerOptions: { maxParamLength: 500 },
    trustProxy: base.config.trustedProxies.length > 0 ? [...base.config.trustedProxies] : false,
  });
  server.addHook("onRequest", (request, _reply, done) =>
    request.routeOptions.config.namesItself ? done() : withCorrelation(request.id, done),
  );
  if (takesFiles)
    server.addHook("onRequest", (request, reply, done) => {
      const limit = request.routeOptions.config.takesLong ? limitSlowness : limitTime;
      limit(request.raw, reply.raw);
      done();
    });
  handleErrors(server, base.config.documents?.authorityOrigin);
  return server;
}

export async function listen(
  server: FastifyInstance,
  base: Foundation,
  closers: Closers,
): Promise<string> {
  const { port, host } = base.config;
  closers.push(() => server.close());
  return server.listen({ port, host });
}

/** Writes the URL to the home folder, where the command line finds it. */
export async function announceServer(
  url: string,
  { config }: Foundation,
  closers: Closers,
): Promise<void> {
  const file = join(config.home, "server.json");
  await writeFile(file, JSON.stringify({ url, pid: process.pid }));
  closers.push(() => rm(file, { force: true }));
}

/** Keeps the id that the caller sent if it is plain, because it is written to logs. */
function correlationOf(header: unknown): string | null {
  return typeof header === "string" && /^[\w.-]{1,64}$/.test(header) ? header : null;
}

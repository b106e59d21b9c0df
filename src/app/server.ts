import { rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { handleErrors } from "../api/problem.ts";
import { systemClock } from "../lib/clock.ts";
import { withCorrelation } from "../lib/log.ts";
import type { Closers, Foundation } from "./foundation.ts";

/** A large file over a slow line. */
const UPLOAD_MS_MAX = 60 * 60_000;
const REQUEST_MS_MAX = 10_000;

export function createServer(base: Foundation): FastifyInstance {
  const takesFiles = base.config.documents !== null;
  const server = Fastify({
    loggerInstance: base.log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: takesFiles ? UPLOAD_MS_MAX : REQUEST_MS_MAX,
    // Node looks for senders that are too slow only every half minute by itself.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    genReqId: (request) => correlationOf(request.headers["x-correlation-id"]) ?? base.random.uuid(),
    // Every line carries its correlation id already; a logger of its own for each request is costly.
    childLoggerFactory: (log) => log,
    routerOptions: { maxParamLength: 500 },
  });
  server.addHook("onRequest", (request, _reply, done) =>
    request.routeOptions.config.namesItself ? done() : withCorrelation(request.id, done),
  );
  // Node knows one limit for all requests; where files may take long, the others have this one.
  if (takesFiles)
    server.addHook("onRequest", (request, reply, done) => {
      if (!request.routeOptions.config.takesLong) cutOffIfSlow(request.raw, reply.raw);
      done();
    });
  handleErrors(server, base.config.documents?.authorityOrigin);
  return server;
}

/** Whoever takes longer to send a request than this is not waited for. */
function cutOffIfSlow(request: IncomingMessage, response: ServerResponse): void {
  const cancel = systemClock.after(REQUEST_MS_MAX, () => {
    if (!request.complete) request.destroy();
  });
  response.once("close", cancel);
}

/** Listens, and says in the home folder where, for the command line. */
export async function listen(
  server: FastifyInstance,
  base: Foundation,
  closers: Closers,
): Promise<string> {
  const { port, host, home } = base.config;
  const url = await server.listen({ port, host });
  const file = join(home, "server.json");
  await writeFile(file, JSON.stringify({ url, pid: process.pid }));
  closers.push(
    () => rm(file, { force: true }),
    () => server.close(),
  );
  return url;
}

/** A caller's own id is kept when it is a plain one; it ends up in logs. */
function correlationOf(header: unknown): string | null {
  return typeof header === "string" && /^[\w.-]{1,64}$/.test(header) ? header : null;
}

import { rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { handleErrors } from "../api/http/problem.ts";
import { systemClock } from "../lib/clock.ts";
import { withCorrelation } from "../lib/log.ts";
import type { Closers, Foundation } from "./foundation.ts";

/** Enough for a large file over a slow connection. */
const UPLOAD_MS_MAX = 60 * 60_000;
const REQUEST_MS_MAX = 10_000;

export function createServer(base: Foundation): FastifyInstance {
  const takesFiles = base.config.documents !== null;
  const server = Fastify({
    loggerInstance: base.log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: takesFiles ? UPLOAD_MS_MAX : REQUEST_MS_MAX,
    // By default Node looks for slow clients only every 30 seconds.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    genReqId: (request) => correlationOf(request.headers["x-correlation-id"]) ?? base.random.uuid(),
    // Every line has its correlation id already, and a logger for each request is expensive.
    childLoggerFactory: (log) => log,
    routerOptions: { maxParamLength: 500 },
  });
  server.addHook("onRequest", (request, _reply, done) =>
    request.routeOptions.config.namesItself ? done() : withCorrelation(request.id, done),
  );
  // Node has one limit for all requests. Files need a long one, so the other requests are limited here.
  if (takesFiles)
    server.addHook("onRequest", (request, reply, done) => {
      if (!request.routeOptions.config.takesLong) cutOffIfSlow(request.raw, reply.raw);
      done();
    });
  handleErrors(server, base.config.documents?.authorityOrigin);
  return server;
}

/** Disconnects a client that takes too long to send its request. */
function cutOffIfSlow(request: IncomingMessage, response: ServerResponse): void {
  const cancel = systemClock.after(REQUEST_MS_MAX, () => {
    if (!request.complete) request.destroy();
  });
  response.once("close", cancel);
}

/** Listens, and writes the URL to the home folder, where the command line finds it. */
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

/** Keeps the id that the caller sent if it is plain, because it is written to logs. */
function correlationOf(header: unknown): string | null {
  return typeof header === "string" && /^[\w.-]{1,64}$/.test(header) ? header : null;
}

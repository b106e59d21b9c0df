import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import { handleErrors } from "../api/http/problem.ts";
import { withCorrelation } from "../lib/log.ts";
import { isTracing, type Span, startSpan, within } from "../lib/tracing.ts";
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
    request.routeOptions.config.isUntracked ? done() : withCorrelation(request.id, done),
  );
  // Added only if needed, because every hook costs time on every request.
  if (isTracing()) traceRequests(server);
  if (takesFiles)
    server.addHook("onRequest", (request, reply, done) => {
      const limit = request.routeOptions.config.takesLong ? limitSlowness : limitTime;
      limit(request.raw, reply.raw);
      done();
    });
  handleErrors(server, base.config.documents?.authorityOrigin);
  return server;
}

/** Probes come every few seconds and cause nothing. */
const UNTRACED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** A trace begins with a request; what a stranger's headers say about traces is ignored. */
function traceRequests(server: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const goOn = (request: FastifyRequest, done: () => void): void => {
    const span = spans.get(request);
    if (span === undefined) done();
    else within(span, done);
  };
  server.addHook("onRequest", (request, _reply, done) => {
    const { url = "none" } = request.routeOptions;
    const facts = { "http.request.method": request.method, "http.route": url };
    const start = { kind: "server", facts, cause: null } as const;
    const span = UNTRACED.has(url) ? null : startSpan(`${request.method} ${url}`, start);
    if (span !== null) spans.set(request, span);
    goOn(request, done);
  });
  // Reading a body ends in an event of the socket, which belongs to no request.
  server.addHook("preValidation", (request, _reply, done) => goOn(request, done));
  server.addHook("onResponse", async (request, { statusCode }) => {
    const span = spans.get(request);
    span?.note({ "http.response.status_code": statusCode });
    span?.end(statusCode >= 500 ? String(statusCode) : null);
  });
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

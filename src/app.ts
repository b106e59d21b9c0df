/** Builds everything once, from the settings, and starts and stops it in order. */

import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Registry } from "prom-client";
import { createAuthorize } from "./api/auth.ts";
import { registerEventRoutes } from "./api/event-routes.ts";
import { registerHealthRoutes } from "./api/health-routes.ts";
import { registerMailboxRoutes } from "./api/mailbox-routes.ts";
import { handleErrors } from "./api/problem.ts";
import type { Config } from "./config.ts";
import { deltaSyncHandler } from "./flows/delta-sync.ts";
import { createDispatcher, type Dispatcher } from "./flows/dispatch-notifications.ts";
import { ensureSubscriptionsHandler, lifecycleHandler } from "./flows/lifecycle.ts";
import { mailChangedHandler } from "./flows/mail-changed.ts";
import { deltaSync, ensureSubscriptionsJob } from "./flows/specs.ts";
import { registerNotificationRoutes } from "./intake/graph-notifications.ts";
import { createIntakeMetrics } from "./intake/intake-metrics.ts";
import { createJobs, type Jobs } from "./jobs/create-jobs.ts";
import { createPostgresEngine } from "./jobs/engines/postgres.ts";
import type { JobHandler } from "./jobs/handler.ts";
import { type Clock, every, systemClock } from "./lib/clock.ts";
import { armKill } from "./lib/fault-points.ts";
import { createLog, type Log, withCorrelation } from "./lib/log.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import { type Connections, createConnections } from "./mailbox/connections.ts";
import { ensureSubscriptions, type SubscriptionNeeds } from "./mailbox/ensure-subscriptions.ts";
import { findMailboxes, type Mailbox } from "./mailbox/mailbox-table.ts";
import { createNotificationWriter } from "./mailbox/notification-table.ts";
import type { FollowUp } from "./mailbox/record-observations.ts";
import { createSubscriptionDirectory } from "./mailbox/subscription-directory.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded-postgres.ts";
import { migrate } from "./store/migrate.ts";

export type Role = "intake" | "api" | "worker";
export const ALL_ROLES: readonly Role[] = ["intake", "api", "worker"];

export interface App {
  readonly url: string;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly server: FastifyInstance;
  readonly dispatcher: Dispatcher;
  readonly connections: Connections;
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly roles?: readonly Role[];
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A write that takes longer is given up, so that Graph hears 503 while it still listens. */
const INTAKE_WRITE_MS = 1_500;
const SWEEP_MS = 1_000;

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  if (config.killAt !== null) armKill(config.killAt);
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await build(config, options, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  config: Config,
  options: AppOptions,
  closers: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<App> {
  const roles = new Set(options.roles ?? ALL_ROLES);
  const log = options.log ?? createLog({ level: config.logLevel });
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  await mkdir(config.home, { recursive: true });

  const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, closers));
  const database = openDatabase({ url: databaseUrl, connections: 12 });
  const intakeDatabase = openDatabase({
    url: databaseUrl,
    connections: 3,
    statementTimeoutMs: INTAKE_WRITE_MS,
    applicationName: "postroom-intake",
  });
  closers.push(database.close, intakeDatabase.close);
  await migrate(database);

  const connections = createConnections(config.graph === null ? {} : { default: config.graph }, {
    clock,
    random,
  });
  closers.push(connections.close);
  const graphOf = (mailbox: Mailbox) => connections.graph(mailbox.connection);
  const sharedSecret = config.sharedClientState?.reveal() ?? null;
  const directory = createSubscriptionDirectory({
    database,
    clock,
    tenantOf: connections.tenantOf,
    sharedSecret,
  });
  await directory.refresh();

  const events = new Counter({
    name: "postroom_events_total",
    help: "Events recorded, by the path that saw them first",
    labelNames: ["seen_by"],
    registers: [metrics],
  });
  const resets = new Counter({
    name: "postroom_delta_resets_total",
    help: "Walks begun anew because Graph had forgotten our place",
    registers: [metrics],
  });
  const followUp: FollowUp = async () => {};
  const walkNeeds = {
    database,
    graphOf,
    clock,
    log,
    followUp,
    onReset: () => resets.inc(),
    onEvents: (count: number) => events.inc({ seen_by: "delta" }, count),
  };
  const subscriptionNeeds: SubscriptionNeeds = {
    database,
    graphOf,
    clock,
    random,
    log,
    sharedSecret,
    webhookUrl: config.webhookUrl,
    lifetimeMinutes: config.subscriptionMinutes,
    readNow: (mailbox, reason) => readMailboxNow(jobs, random, mailbox, reason),
    refreshDirectory: () => directory.refresh(),
  };
  const handlers = [
    mailChangedHandler({
      database,
      graphOf,
      clock,
      followUp,
      onEvents: (count) => events.inc({ seen_by: "push" }, count),
    }),
    deltaSyncHandler(walkNeeds),
    lifecycleHandler(subscriptionNeeds),
    ensureSubscriptionsHandler(subscriptionNeeds),
  ] as JobHandler[];
  const jobs: Jobs = createJobs({
    database,
    clock,
    random,
    log,
    metrics,
    engine: createPostgresEngine({ database, log }),
    handlers: roles.has("worker") ? handlers : [],
    schedules: [
      {
        name: "subscription-check",
        spec: ensureSubscriptionsJob,
        payload: { reason: "check" },
        rule: "every 10m",
      },
      {
        name: "subscription-renewal",
        spec: ensureSubscriptionsJob,
        payload: { reason: "renewal" },
        rule: "0 */2 * * *",
      },
      {
        name: "graph_subscription_renewal",
        spec: ensureSubscriptionsJob,
        payload: { reason: "daily" },
        rule: "0 9 * * *",
      },
    ],
    settings: { leaseMs: config.leaseSeconds * 1_000 },
  });
  await jobs.start();
  closers.push(jobs.stop);

  const dispatcher = createDispatcher({ database, queue: jobs.queue, log });
  const refusals = watchRefusals(jobs, random, database, log);
  const writer = createNotificationWriter(intakeDatabase, dispatcher.wake);
  closers.push(
    every(
      clock,
      SWEEP_MS,
      async () => void (await dispatcher.run()),
      (error) => log.warn({ err: error }, "notifications wait for their jobs"),
    ),
  );
  if (roles.has("worker"))
    closers.push(
      every(
        clock,
        config.deltaMinutes * 60_000,
        () => readAllMailboxes(jobs, random, database, "on schedule"),
        (error) => log.warn({ err: error }, "the delta walk could not be queued"),
      ),
    );

  const server = Fastify({
    loggerInstance: log as unknown as FastifyBaseLogger,
    disableRequestLogging: true,
    requestTimeout: 10_000,
    genReqId: () => random.uuid(),
    routerOptions: { maxParamLength: 500 },
  });
  server.addHook("onRequest", (request, _reply, done) =>
    withCorrelation(correlationOf(request.headers["x-correlation-id"], request.id), done),
  );
  handleErrors(server);
  const authorize = createAuthorize({
    operatorKey: await loadOperatorKey(config.home, random),
    api:
      config.api === null || config.graph === null
        ? null
        : { ...config.api, authorityOrigin: config.graph.authorityOrigin },
  });
  let isStopping = false;
  registerHealthRoutes(server, { database, metrics, checks: {}, isStopping: () => isStopping });
  if (roles.has("intake")) {
    registerNotificationRoutes(server, {
      directory,
      clock,
      log,
      metrics: createIntakeMetrics(metrics),
      accept: (rows) => refusals.watch(writer.add(rows)),
    });
  }
  if (roles.has("api")) {
    registerEventRoutes(server, { database, authorize, clock });
    registerMailboxRoutes(server, {
      database,
      authorize,
      connections,
      clock,
      subscriptions: subscriptionNeeds,
      readNow: subscriptionNeeds.readNow,
    });
  }
  const url = await server.listen({ port: config.port, host: config.host });
  const serverFile = join(config.home, "server.json");
  await writeFile(serverFile, JSON.stringify({ url, pid: process.pid }));
  closers.push(
    () => rm(serverFile, { force: true }),
    async () => {
      isStopping = true;
      await server.close();
    },
  );

  // Graph calls back while a subscription is made, so the server listens first.
  if (roles.has("worker") && config.graph !== null) {
    void ensureSubscriptions(subscriptionNeeds)
      .then(() => readAllMailboxes(jobs, random, database, "start"))
      .catch((error) =>
        log.warn(
          { err: error },
          "the first check of subscriptions failed; the next one is on schedule",
        ),
      );
  }
  return { url, database, jobs, server, dispatcher, connections, stop };
}

async function startOwnDatabase(
  config: Config,
  closers: (() => Promise<unknown>)[],
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ folder: join(config.home, "postgres") });
  closers.push(postgres.stop);
  return postgres.url;
}

async function readMailboxNow(
  jobs: Jobs,
  random: Random,
  mailbox: Pick<Mailbox, "id">,
  reason: string,
): Promise<void> {
  await jobs.database.transaction((tx) =>
    jobs.queue.add(tx, deltaSync, [
      {
        subjectId: String(mailbox.id),
        idempotencyKey: `delta-${mailbox.id}-${random.uuid()}`,
        payload: { mailbox: mailbox.id, reason },
      },
    ]),
  );
}

async function readAllMailboxes(
  jobs: Jobs,
  random: Random,
  database: Database,
  reason: string,
): Promise<void> {
  for (const mailbox of await findMailboxes(database)) {
    if (mailbox.status !== "paused") await readMailboxNow(jobs, random, mailbox, reason);
  }
}

/** After a time of 503s Graph may have given up on something, so every mailbox is read. */
function watchRefusals(jobs: Jobs, random: Random, database: Database, log: Log) {
  let hasRefused = false;
  return {
    async watch(write: Promise<void>): Promise<void> {
      try {
        await write;
      } catch (error) {
        hasRefused = true;
        throw error;
      }
      if (!hasRefused) return;
      hasRefused = false;
      void readAllMailboxes(
        jobs,
        random,
        database,
        "notifications had to be refused for a while",
      ).catch((error) => {
        hasRefused = true;
        log.warn({ err: error }, "the mailboxes could not be queued for reading");
      });
    },
  };
}

async function loadOperatorKey(home: string, random: Random): Promise<string> {
  const file = join(home, "operator-key");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  const key = random.bytes(32).toString("base64url");
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

function correlationOf(header: unknown, fallback: string): string {
  return typeof header === "string" && /^[\w.-]{1,64}$/.test(header) ? header : fallback;
}

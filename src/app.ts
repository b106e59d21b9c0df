/** Builds everything once, from the settings, and starts and stops it in order. */
import type { FastifyInstance } from "fastify";
import { guardRoutes } from "./api/access/access.ts";
import { createAuthorize } from "./api/access/auth.ts";
import type { SampleSignIn } from "./api/console/console-routes.ts";
import { type ServeConsoleNeeds, serveConsole } from "./api/console/serve-console.ts";
import { registerHealthRoutes } from "./api/health-routes.ts";
import { keepAnswers } from "./api/http/idempotency.ts";
import { registerConnectedPage } from "./api/mailboxes/connected-page.ts";
import { describeApi, typed } from "./api/openapi.ts";
import { startAlerts } from "./app/alerts.ts";
import { type Answers, createAnswers } from "./app/answers.ts";
import { toConnectNeeds } from "./app/consents.ts";
import { type ContractNotes, createContractNotes } from "./app/contract-notes.ts";
import { createDocuments, type Documents } from "./app/documents.ts";
import { createEngine } from "./app/engine.ts";
import {
  type Closers,
  type Foundation,
  type FoundationOptions,
  layFoundation,
} from "./app/foundation.ts";
import { lockHome } from "./app/home-lock.ts";
import { createIntake } from "./app/intake.ts";
import { createKeep } from "./app/keep.ts";
import { createOffice } from "./app/office.ts";
import { registerApi } from "./app/register-api.ts";
import { announceServer, createServer, listen } from "./app/server.ts";
import { createSinks } from "./app/sinks.ts";
import { startTelemetry } from "./app/telemetry.ts";
import { createWatching, type Watching } from "./app/watching.ts";
import { reachOf } from "./config/connections.ts";
import type { Config } from "./config.ts";
import { registerDiskMetrics } from "./files/disk-metrics.ts";
import type { Dispatcher } from "./flows/watching/dispatch-notifications.ts";
import { registerDataverseWebhook } from "./intake/dataverse-webhook.ts";
import { registerNotificationRoutes } from "./intake/graph-notifications.ts";
import { createJobs, type Jobs } from "./jobs/service/create-jobs.ts";
import { armKill } from "./lib/kill-points.ts";
import { makeFolder } from "./lib/make-folder.ts";
import { VERSION } from "./lib/version.ts";
import { registerReviewMetrics } from "./review/review-metrics.ts";
import { probeDatabase } from "./store/probe-database.ts";
import { prepareLimitedRole } from "./store/reach.ts";

/** What a process does; not to be confused with the roles of people. */
export type ProcessRole = "intake" | "api" | "worker";
export const ALL_ROLES: readonly ProcessRole[] = ["intake", "api", "worker"];

export interface App extends Foundation {
  readonly url: string;
  readonly jobs: Jobs;
  readonly server: FastifyInstance;
  readonly dispatcher: Dispatcher;
  readonly watching: Watching;
  readonly notes: ContractNotes;
  readonly documents: Documents | null;
  readonly answers: Answers | null;
  stop(): Promise<void>;
}

export interface AppOptions extends FoundationOptions {
  readonly roles?: readonly ProcessRole[];
  /** True if the caller already holds the lock on the home folder. */
  readonly hasHome?: boolean;
  /** The console's files; absent in a process that does not serve it. */
  readonly consoleFiles?: ServeConsoleNeeds["files"];
  /** Only with the local tenant. */
  readonly sampleSignIn?: SampleSignIn;
}

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  if (config.killAt !== null) armKill(config.killAt);
  const closers: Closers = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await build(config, options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  config: Config,
  options: AppOptions,
  closers: Closers,
): Promise<Omit<App, "stop">> {
  const roles = new Set(options.roles ?? ALL_ROLES);
  const isWorker = roles.has("worker");
  const isServer = roles.has("api") || roles.has("intake");
  await makeFolder(config.home);
  // Workers may share a server's home, but not a database that each of them would start.
  if (options.hasHome !== true && (isServer || config.databaseUrl === null))
    closers.push(await lockHome(config.home, { hasDatabase: config.databaseUrl === null }));
  const base = await layFoundation(config, options, closers);
  await startTelemetry(base, closers);
  const notes = await createContractNotes(base, () => jobs.queue, closers);
  const documents = createDocuments(base, notes.files, () => jobs.queue, closers);
  const answers = createAnswers(base, documents, notes.texts, () => jobs.queue, closers);
  const office = await createOffice(base, { documents, answers }, () => jobs.queue, closers);
  const followUps = [notes.followUp, ...(documents === null ? [] : [documents.followUp])];
  const watching = createWatching(base, () => jobs.queue, { ...notes, followUps }, closers);
  const jobs: Jobs = createJobs({
    ...base,
    engine: await createEngine(config, base.database, base.log),
    handlers: isWorker
      ? [watching, notes, documents, answers, office].flatMap((part) => part?.handlers ?? [])
      : [],
    schedules: isWorker
      ? [watching, documents, answers].flatMap((part) => part?.schedules ?? [])
      : [],
    settings: {
      leaseMs: config.leaseSeconds * 1_000,
      concurrencyMax: config.jobConcurrency ?? Number.POSITIVE_INFINITY,
    },
  });
  const sinks = createSinks(base);
  const keep = createKeep(base, { notes, watching, answers }, closers);
  await jobs.start();
  closers.push(jobs.stop);
  // After the engine, which has tables of its own.
  if (reachOf(config) !== null && roles.has("api"))
    await prepareLimitedRole(base.database, config.ingest);
  await watching.directory.refresh();
  const intake = createIntake(base, jobs, watching, closers);

  const server = createServer(base);
  const authorize = createAuthorize({ operatorKey: base.operatorKey, api: toApiIdentity(config) });
  const { metrics } = base;
  const checks = {
    database: () => probeDatabase(base.database),
    ...watching.checks,
    ...(roles.has("intake") ? { intake: intake.describe } : {}),
    spool: () => notes.files.probe().then(() => "writable"),
  };
  const { metricsKey } = config;
  registerReviewMetrics(metrics, base.database);
  registerDiskMetrics(metrics, config.home);
  const hasSeveralTenants = reachOf(config) !== null;
  registerHealthRoutes(server, {
    metrics,
    checks,
    authorize,
    metricsKey,
    hasSeveralTenants,
    clock: base.clock,
  });
  if (roles.has("intake")) {
    registerNotificationRoutes(server, intake.needs);
    if (documents !== null) registerDataverseWebhook(server, toWebhookNeeds(base, jobs, documents));
  }
  if (roles.has("api")) {
    const sample = options.sampleSignIn ?? null;
    // In a separate scope, because the endpoints that Microsoft calls have other rules and must respond fast.
    await server.register(async (api) => {
      keepAnswers(api, base);
      await describeApi(api, VERSION);
      guardRoutes(api, { ...base, authorize, hasSeveralTenants });
      const parts = {
        base,
        jobs,
        watching,
        notes,
        documents,
        answers,
        office,
        sample,
        sinks,
        keep,
      };
      await registerApi(typed(api), parts);
    });
    registerConnectedPage(server, { ...toConnectNeeds(base, watching), log: base.log });
    const authorityOrigin = toApiIdentity(config)?.authorityOrigin ?? null;
    if (options.consoleFiles !== undefined)
      serveConsole(server, { files: options.consoleFiles, authorityOrigin });
  }
  const url = await listen(server, base, closers);
  if (isServer) await announceServer(url, base, closers);
  if (isWorker) {
    notes.begin();
    closers.push(sinks.begin());
    await keep.begin();
    startAlerts(base, closers);
  }
  return {
    ...base,
    url,
    jobs,
    server,
    dispatcher: intake.dispatcher,
    watching,
    notes,
    documents,
    answers,
  };
}

function toWebhookNeeds({ database, clock, log }: Foundation, jobs: Jobs, documents: Documents) {
  const { rules, settings, onWebhook } = documents;
  const { webhook } = settings;
  return { database, clock, log, rules, webhook, jobs: jobs.queue, onAnswer: onWebhook };
}

function toApiIdentity(config: Config) {
  return config.api === null ? null : { ...config.api, authorityOrigin: config.authorityOrigin };
}

/** Wires the watching of mailboxes: subscriptions, notifications, delta, events. */
import { join } from "node:path";
import { Counter } from "prom-client";
import {
  auditMailboxes,
  deltaSync,
  ensureSubscriptionsJob,
  forgetOld,
  readMailboxes,
} from "../flows/specs/watching.ts";
import { deltaSyncHandler } from "../flows/watching/delta-sync.ts";
import { ensureSubscriptionsHandler, lifecycleHandler } from "../flows/watching/lifecycle.ts";
import { mailChangedHandler } from "../flows/watching/mail-changed.ts";
import { auditHandler, forgetOldHandler, readMailboxesHandler } from "../flows/watching/upkeep.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { Schedule } from "../jobs/upkeep/schedule.ts";
import { createHttp } from "../lib/http.ts";
import type { DeltaNeeds } from "../mailbox/delta/read-folder.ts";
import type { FollowUp } from "../mailbox/events/record-observations.ts";
import { findMailboxes, type Mailbox } from "../mailbox/mailbox-table.ts";
import type { Mirror } from "../mailbox/mirror.ts";
import { addMailboxOfSettings } from "../mailbox/operating/add-mailbox.ts";
import type { AuditNeeds } from "../mailbox/operating/audit-mailbox.ts";
import type { DiagnosisNeeds } from "../mailbox/operating/diagnose.ts";
import { registerMailboxMetrics } from "../mailbox/operating/mailbox-metrics.ts";
import { openRedisMirror } from "../mailbox/redis-mirror.ts";
import {
  type EncryptionKeys,
  openEncryptionKeys,
} from "../mailbox/subscriptions/encryption-keys.ts";
import {
  ensureSubscriptions,
  type SubscriptionNeeds,
} from "../mailbox/subscriptions/ensure-subscriptions.ts";
import { createWebhookProbe } from "../mailbox/subscriptions/probe-webhook.ts";
import { expectToken } from "../mailbox/subscriptions/subscribing.ts";
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from "../mailbox/subscriptions/subscription-directory.ts";
import type { ContractNotes } from "./contract-notes.ts";
import type { Closers, Foundation } from "./foundation.ts";

export interface Watching {
  readonly directory: SubscriptionDirectory;
  readonly subscriptions: SubscriptionNeeds;
  readonly handlers: readonly JobHandler[];
  readonly schedules: readonly Schedule[];
  /** What an audit needs. */
  readonly audits: DeltaNeeds & AuditNeeds;
  /** Null if notifications carry no content. */
  readonly encryptionKeys: EncryptionKeys | null;
  readonly diagnosis: DiagnosisNeeds;
  /** For the readiness page, by name. */
  readonly checks: Readonly<Record<string, () => Promise<string>>>;
  /** Reads one mailbox by delta, soon. */
  readNow(mailbox: Pick<Mailbox, "id">, reason: string): Promise<void>;
  readAll(reason: string): Promise<void>;
  /** Ensures that every mailbox has its subscription, then catches up. */
  begin(): Promise<void>;
}

export function createWatching(
  base: Foundation,
  queue: () => JobQueue,
  {
    followUps,
    ingestionAudit: ingestion,
  }: Pick<ContractNotes, "ingestionAudit"> & {
    readonly followUps: readonly FollowUp[];
  },
  closers: Closers,
): Watching {
  const { database, clock, random, log, connections, config } = base;
  const whyUnreachable = createProbe(base, closers);
  const encryptionKeys = config.isRich
    ? openEncryptionKeys({ folder: join(config.home, "encryption-keys"), clock, random })
    : null;
  const mirror = createMirror(base, closers);
  registerMailboxMetrics(base.metrics, database);
  const graphOf = (mailbox: Mailbox) => connections.graph(mailbox.connection);
  const sharedSecret = config.sharedClientState?.reveal() ?? null;
  const directory = createSubscriptionDirectory({
    database,
    clock,
    tenantOf: connections.tenantOf,
  });
  const counters = createCounters(base);
  const followUp: FollowUp = async (...given) => {
    for (const follow of followUps) await follow(...given);
  };

  const readNow: Watching["readNow"] = async (mailbox, reason) => {
    const job = {
      subjectId: String(mailbox.id),
      idempotencyKey: `delta-${mailbox.id}-${random.uuid()}`,
      payload: { mailbox: mailbox.id, reason },
    };
    await database.transaction((tx) => queue().add(tx, deltaSync, [job]));
  };
  const readAll = async (reason: string): Promise<void> => {
    for (const mailbox of await findMailboxes(database)) {
      if (mailbox.status !== "paused") await readNow(mailbox, reason);
    }
  };
  const subscriptions: SubscriptionNeeds = {
    database,
    graphOf,
    clock,
    random,
    log,
    sharedSecret,
    readNow,
    webhookUrl: config.webhookUrl,
    lifetimeMinutes: config.subscriptionMinutes,
    refreshDirectory: () => directory.refresh(),
    ...(config.checksWebhook ? { whyUnreachable } : {}),
    ...(encryptionKeys === null ? {} : { encryption: () => encryptionKeys.current() }),
    ...(mirror === null ? {} : { mirror }),
  };
  const needs = {
    database,
    graphOf,
    clock,
    log,
    followUp,
    ingestion,
    onReset: () => counters.resets.inc(),
    ...(mirror === null ? {} : { mirror }),
  };

  return {
    directory,
    subscriptions,
    handlers: [
      mailChangedHandler({
        ...needs,
        hasSnapshots: config.isRich,
        onEvents: (count) => counters.events.inc({ seen_by: "push" }, count),
      }),
      deltaSyncHandler({
        ...needs,
        onEvents: (count) => counters.events.inc({ seen_by: "delta" }, count),
      }),
      lifecycleHandler(subscriptions),
      ensureSubscriptionsHandler(subscriptions),
      readMailboxesHandler({ ...needs, queue }),
      auditHandler({ ...needs, queue }),
      forgetOldHandler({ ...needs, eventsKeptDays: config.eventRetentionDays }),
    ] as JobHandler[],
    schedules: schedulesFor(config.deltaMinutes, config.scheduleTimeZone),
    audits: needs,
    encryptionKeys,
    diagnosis: {
      database,
      connections,
      clock,
      whyUnreachable,
      webhookUrl: config.webhookUrl,
      sharedSecretLength: sharedSecret?.length ?? null,
    },
    checks: { webhook: () => describeWebhook(config.webhookUrl, whyUnreachable) },
    readNow,
    readAll,
    async begin() {
      if (config.mailboxEmail !== null)
        await addMailboxOfSettings(base, config.mailboxEmail, config.mailboxFolder);
      await warnIfUnreachable(base, whyUnreachable);
      await ensureSubscriptions(subscriptions);
      await readAll("start");
    },
  };
}

/** Calls our public URL as Graph would; always healthy if no URL is set. */
function createProbe(
  { config, database, clock, random }: Foundation,
  closers: Closers,
): () => Promise<string | null> {
  const { webhookUrl: url } = config;
  if (url === null) return async () => null;
  const http = createHttp({ allowedOrigins: [url], unavailable: "graph.unavailable" });
  closers.push(http.close);
  return createWebhookProbe({
    http,
    url,
    clock,
    random,
    ...(config.gatesWebhook ? { expect: (token, task) => expectToken(database, token, task) } : {}),
  }).whyUnreachable;
}

function createMirror({ config, clock, log }: Foundation, closers: Closers): Mirror | null {
  if (config.redisUrl === null) return null;
  const mirror = openRedisMirror({ address: config.redisUrl.reveal(), clock, log });
  closers.push(mirror.close);
  return mirror;
}

/** A warning, not a failure: a server that Graph cannot reach still reads its mailboxes. */
async function describeWebhook(
  url: string | null,
  whyUnreachable: () => Promise<string | null>,
): Promise<string> {
  if (url === null) return "warning: no public address is set; mailboxes are read every minute";
  const reason = await whyUnreachable();
  return reason === null ? "the public address answers" : `warning: ${reason}`;
}

async function warnIfUnreachable(
  { config, log }: Foundation,
  whyUnreachable: () => Promise<string | null>,
): Promise<void> {
  const state = await describeWebhook(config.webhookUrl, whyUnreachable);
  if (state.startsWith("warning"))
    log.warn({ webhookUrl: config.webhookUrl, state }, "push is off");
}

/** Daily work has local times: nine in the morning is when somebody can react to what it found. */
function schedulesFor(deltaMinutes: number, zone: string): readonly Schedule[] {
  const delta =
    deltaMinutes < 1
      ? `every ${Math.round(deltaMinutes * 60)}s`
      : `every ${Math.round(deltaMinutes)}m`;
  return [
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
      rule: `0 9 * * * ${zone}`,
    },
    { name: "delta", spec: readMailboxes, payload: { which: "all" }, rule: delta },
    { name: "poll", spec: readMailboxes, payload: { which: "not-pushed" }, rule: "every 1m" },
    {
      name: "audit",
      spec: auditMailboxes,
      payload: { mailbox: null, repair: true },
      rule: `30 4 * * * ${zone}`,
    },
    { name: "forget-old", spec: forgetOld, payload: {}, rule: `15 3 * * * ${zone}` },
  ] as Schedule[];
}

function createCounters({ metrics }: Foundation) {
  const registers = [metrics];
  return {
    events: new Counter({
      name: "postroom_events_total",
      help: "Events recorded, by the path that saw them first",
      labelNames: ["seen_by"],
      registers,
    }),
    resets: new Counter({
      name: "postroom_delta_resets_total",
      help: "Folders read from the start again because Graph had forgotten our place",
      registers,
    }),
  };
}

/** One incarnation of the application: the real flows and endpoints over a simulated network, engine and clock. */
import Fastify, { type FastifyInstance } from "fastify";
import { deltaSync } from "../../src/flows/specs/watching.ts";
import { deltaSyncHandler } from "../../src/flows/watching/delta-sync.ts";
import { createDispatcher } from "../../src/flows/watching/dispatch-notifications.ts";
import {
  ensureSubscriptionsHandler,
  lifecycleHandler,
} from "../../src/flows/watching/lifecycle.ts";
import { mailChangedHandler } from "../../src/flows/watching/mail-changed.ts";
import { registerNotificationRoutes } from "../../src/intake/graph-notifications.ts";
import type { JobHandler } from "../../src/jobs/handler.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import type { Http } from "../../src/lib/http.ts";
import { createLog } from "../../src/lib/log.ts";
import type { Random } from "../../src/lib/random.ts";
import type { DeltaNeeds } from "../../src/mailbox/delta/read-folder.ts";
import type { Mailbox } from "../../src/mailbox/mailbox-table.ts";
import { insertNotifications } from "../../src/mailbox/notifications/notification-table.ts";
import {
  ensureSubscriptions,
  type SubscriptionNeeds,
} from "../../src/mailbox/subscriptions/ensure-subscriptions.ts";
import { createSubscriptionDirectory } from "../../src/mailbox/subscriptions/subscription-directory.ts";
import { createGraphClient } from "../../src/microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../../src/microsoft/graph/mailbox-limiter.ts";
import type { TokenSource } from "../../src/microsoft/transport/transport.ts";
import type { Tenant } from "../../tenant/index.ts";
import { createTenantRequest } from "../../tenant/index.ts";
import type { SimDatabase } from "./sim-database.ts";
import type { SimEngine } from "./sim-jobs.ts";

const TOKEN_KEPT_MS = 30 * 60_000;
export const WEBHOOK = "http://127.0.0.1:8010";

export interface SimApp {
  readonly server: FastifyInstance;
  readonly needs: DeltaNeeds;
  readonly subscriptions: SubscriptionNeeds;
  start(): Promise<void>;
  /** Everything that is due now. */
  tick(): Promise<void>;
  readAll(): Promise<void>;
  ensure(): Promise<void>;
}

export interface SimAppOptions {
  readonly tenant: Tenant;
  /** The one that is read on schedule. */
  readonly mailbox: Pick<Mailbox, "id">;
  readonly database: SimDatabase;
  readonly engine: SimEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasWebhook: boolean;
}

export function createSimApp(options: SimAppOptions): SimApp {
  const { tenant, database, engine, clock, random } = options;
  const log = createLog({ level: "silent" });
  const graph = createGraphClient({
    http: createWire(tenant),
    origin: tenant.origin,
    token: createTokens(tenant),
    limiter: createMailboxLimiter(clock),
    clock,
    random,
  });
  const graphOf = () => graph;
  const directory = createSubscriptionDirectory({
    database,
    clock,
    tenantOf: () => tenant.tenantId,
  });
  const needs: DeltaNeeds = {
    database,
    graphOf,
    clock,
    log,
    followUp: async () => {},
    pageSize: 20,
  };
  let count = 0;
  const readNow = async (mailbox: Pick<Mailbox, "id">, reason: string) => {
    await database.transaction((tx) =>
      engine.queue.add(tx, deltaSync, [
        {
          subjectId: String(mailbox.id),
          idempotencyKey: `read-${mailbox.id}-${clock.now()}-${count++}-${random.fraction()}`,
          payload: { mailbox: mailbox.id, reason },
        },
      ]),
    );
  };
  const subscriptions: SubscriptionNeeds = {
    ...{ database, graphOf, clock, random, log, readNow },
    webhookUrl: options.hasWebhook ? WEBHOOK : null,
    lifetimeMinutes: 4_230,
    sharedSecret: null,
    refreshDirectory: () => directory.refresh(),
  };
  const onEvents = () => {};
  const handlers = [
    mailChangedHandler({ ...needs, onEvents }),
    deltaSyncHandler({ ...needs, onEvents }),
    lifecycleHandler(subscriptions),
    ensureSubscriptionsHandler(subscriptions),
  ] as JobHandler[];
  const dispatcher = createDispatcher({ database, queue: engine.queue, log });
  // Rows that an earlier incarnation left waiting are dispatched first.
  let hasNews = true;
  const server = Fastify();
  registerNotificationRoutes(server, {
    directory,
    accept: async (rows) => {
      await insertNotifications(database, rows);
      hasNews = true;
    },
    clock,
    log,
    metrics: { answered: () => {}, items: () => {} },
  });

  const readAll = () => readNow(options.mailbox, "on schedule");
  const ensure = async () => {
    await ensureSubscriptions(subscriptions);
  };
  return {
    server,
    needs,
    subscriptions,
    readAll,
    ensure,
    async start() {
      await directory.refresh();
      await ensure();
      await readAll();
    },
    async tick() {
      if (hasNews) await dispatcher.run();
      hasNews = false;
      await engine.work(handlers, database);
    },
  };
}

/** Signing costs more than everything else in a request, so a token is kept as MSAL keeps it. */
function createTokens(tenant: Tenant): TokenSource {
  let token = "";
  let goodUntilMs = 0;
  return async (options = {}) => {
    if (options.forceNew || tenant.clock.now() >= goodUntilMs) {
      token = tenant.tokenFor({});
      goodUntilMs = tenant.clock.now() + TOKEN_KEPT_MS;
    }
    return token;
  };
}

/** Graph without a socket; the tenant's wire faults become errors of a broken connection. */
function createWire(tenant: Tenant): Http {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const answer = await tenant.handle(
      createTenantRequest({
        method: request.method,
        target: pathname + search,
        origin: tenant.origin,
        headers: request.headers ?? {},
        ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
      }),
    );
    const { wire } = answer;
    if (wire?.hang || wire?.reset || wire?.cutAfterBytes !== undefined) {
      throw new Fault("graph.unavailable", "the connection broke");
    }
    return { status: answer.status, headers: answer.headers, body: answer.body };
  };
}

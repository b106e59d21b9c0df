/** One watched mailbox on virtual time: the real flows and endpoints, and the tenant without a socket. */
import { syncMailbox } from "../../src/flows/watching/delta-sync.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { DeltaNeeds } from "../../src/mailbox/delta/read-folder.ts";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import {
  getMailbox,
  type Mailbox,
  type NewMailbox,
  upsertMailbox,
} from "../../src/mailbox/mailbox-table.ts";
import { findSubscriptions } from "../../src/mailbox/subscriptions/subscription-table.ts";
import type { Database } from "../../src/store/database.ts";
import { createTenant, type Tenant, type TenantOptions, type User } from "../../tenant/index.ts";
import { createRandom } from "../../tenant/random.ts";
import { afterEachFile } from "../helpers/after-file.ts";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { createSimApp, type SimApp, WEBHOOK } from "../simulation/sim-app.ts";
import { createSimDatabase, openSimPool } from "../simulation/sim-database.ts";
import { SimEngine } from "../simulation/sim-jobs.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEachFile(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const MINUTE_MS = 60_000;
const START = Date.parse("2026-03-02T08:00:00Z");

export interface SceneOptions {
  readonly switches?: TenantOptions["switches"];
  readonly hasWebhook?: boolean;
  readonly mailbox?: Partial<NewMailbox>;
  /** False leaves the app unstarted. */
  readonly starts?: boolean;
}

export type Scene = Awaited<ReturnType<typeof aScene>>;

export async function aScene(options: SceneOptions = {}) {
  let app: SimApp | null = null;
  let isDown = false;
  let answersInMs = 5;
  const tenant: Tenant = await createTenant({
    host: null,
    clock: "virtual",
    startAt: START,
    company: "none",
    serviceBus: false,
    send: async (request) => {
      if (app === null || isDown) return { status: 0, headers: {}, body: "", tookMs: 0 };
      const answer = await app.server.inject({
        method: "POST",
        url: request.url.slice(WEBHOOK.length),
        headers: request.headers,
        payload: request.body,
      });
      const headers = answer.headers as Record<string, string>;
      return { status: answer.statusCode, headers, body: answer.body, tookMs: answersInMs };
    },
    switches: {
      deliveryDelayMs: 1_000,
      throttling: false,
      journalRequests: true,
      ...options.switches,
    },
  });
  const { pool, close } = openSimPool(await freshDatabaseUrl(), () => tenant.clock.now());
  closers.push(tenant.close, close);
  const clock = toClock(tenant);
  const engine = new SimEngine(() => tenant.clock.now());
  const draw = createRandom("scene");
  const random = {
    bytes: (length: number) => draw.bytes(length),
    uuid: () => draw.uuid(),
    fraction: () => draw.next(),
  };
  const user: User = tenant.users[0]!;
  const { id } = await upsertMailbox(pool, {
    address: user.mail,
    graphUserId: user.id,
    ownerId: user.id,
    ...options.mailbox,
  });
  const boot = (): SimApp =>
    createSimApp({
      ...{ tenant, engine, clock, random },
      mailbox: { id },
      database: createSimDatabase(pool, (tx) => engine.committed(tx)),
      hasWebhook: options.hasWebhook ?? true,
    });
  app = boot();
  let minute = 0;

  const scene = {
    tenant,
    admin: tenant.graph.admin,
    faults: tenant.faults,
    pool: pool as Database,
    engine,
    user,
    get app(): SimApp {
      return app!;
    },
    get needs(): DeltaNeeds {
      return app!.needs;
    },
    mailbox: async (): Promise<Mailbox> => (await getMailbox(pool, id))!,
    subscriptions: () => findSubscriptions(pool),
    /** Lets everything under way arrive and be processed. */
    async settle(): Promise<void> {
      for (let round = 0; round < 4; round++) {
        await tenant.clock.advance(2_000);
        if (!isDown) await app!.tick();
      }
    },
    /** Time passes with the schedules of the product. */
    async pass(minutes: number): Promise<void> {
      for (let passed = 0; passed < minutes; passed++) {
        minute += 1;
        await tenant.clock.advance(MINUTE_MS);
        if (isDown) continue;
        await app!.tick();
        if (minute % 10 === 0) await app!.ensure();
        if (minute % 15 === 0) await app!.readAll();
        await app!.tick();
      }
    },
    /** From now on Graph waits this long for each of our answers. */
    answerIn(ms: number): void {
      answersInMs = ms;
    },
    /** The process is down: it answers nothing and does nothing. */
    async down(minutes: number): Promise<void> {
      isDown = true;
      await tenant.clock.advance(minutes * MINUTE_MS);
      isDown = false;
      app = boot();
      await app.start();
      await scene.settle();
    },
    readAll: async (more: Partial<DeltaNeeds> = {}) =>
      syncMailbox({ ...app!.needs, ...more }, (await getMailbox(pool, id))!),
    /** Oldest first. */
    events: async () => findEvents(pool, { order: "oldest", limit: 200 }),
    /** `type subject` of each event, oldest first. */
    story: async () => (await scene.events()).map((event) => `${event.eventType} ${event.subject}`),
    /** What is missing or wrong in the log, compared with the tenant. */
    async differences(): Promise<string[]> {
      const { rows } = await pool.query<{ line: string }>(
        `SELECT concat_ws('|', message_id, folder_id, is_read, flag, array_to_string(categories, ',')) AS line
           FROM (SELECT DISTINCT ON (message_id) * FROM postroom.event WHERE mailbox = $1 ORDER BY message_id, seq DESC) e
          WHERE event_type <> 'deleted'`,
        [id],
      );
      const logged = new Set(rows.map((row) => row.line));
      const truth = new Set(
        tenant.graph.admin
          .mailboxTruth(user.id)
          .filter((message) => message.folder !== "recoverableitemsdeletions")
          .map(({ immutableId, folderId, isRead, flag, categories }) =>
            [immutableId, folderId, isRead ? "t" : "f", flag, categories.join(",")].join("|"),
          ),
      );
      return [
        ...[...truth].filter((line) => !logged.has(line)).map((line) => `log lacks ${line}`),
        ...[...logged].filter((line) => !truth.has(line)).map((line) => `log has ${line}`),
      ];
    },
  };
  if (options.starts !== false) {
    await app.start();
    await scene.settle();
  }
  return scene;
}

/** Sleeping moves the tenant's time; sleepers take turns. */
function toClock(tenant: Tenant): Clock {
  let turn: Promise<void> = Promise.resolve();
  return {
    now: () => tenant.clock.now(),
    after: (delayMs, task) => tenant.clock.after(delayMs, task),
    sleep(delayMs) {
      const untilMs = tenant.clock.now() + delayMs;
      turn = turn.then(() => tenant.clock.advance(Math.max(0, untilMs - tenant.clock.now())));
      return turn;
    },
  };
}

/** Plays a plan against the real application on virtual time, then compares the log with the mailbox. */

import type { Clock } from "../../src/lib/clock.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { armKillPoint, type KillPoint } from "../../src/lib/kill-points.ts";
import type { Random } from "../../src/lib/random.ts";
import { loadLog } from "../../src/mailbox/events/event-table.ts";
import { type Mailbox, upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import type { Database } from "../../src/store/database.ts";
import {
  createTenant,
  type OutgoingAnswer,
  type OutgoingRequest,
  type Tenant,
} from "../../tenant/index.ts";
import { createRandom } from "../../tenant/random.ts";
import { type Action, BUSY_MINUTES, type Step } from "./plan.ts";
import { createSimApp, type SimApp, WEBHOOK } from "./sim-app.ts";
import { createSimDatabase, Killed, openSimPool, type SimDatabase } from "./sim-database.ts";
import { SimEngine } from "./sim-jobs.ts";

const MINUTE_MS = 60_000;
const DELTA_EVERY_MINUTES = 15;
const ENSURE_EVERY_MINUTES = 10;
/** Two delta periods after the last fault; leases of killed processes run out well before. */
const QUIET_MINUTES = 2 * DELTA_EVERY_MINUTES + 2;
const PLAYS_PER_TRUNCATION = 25;
export const START = Date.parse("2026-03-02T08:00:00Z");

export interface SimResult {
  readonly problems: readonly string[];
  readonly events: number;
  readonly kills: number;
  /** The same for the same seed and plan. */
  readonly fingerprint: string;
}

/** Shared by all seeds of a file: opening connections would cost more than a seed. */
export interface Stage {
  readonly pool: Database;
  now: () => number;
  plays: number;
  close(): Promise<void>;
}

export function openStage(url: string): Stage {
  const stage = { now: () => START, plays: 0 } as Stage;
  const { pool, close } = openSimPool(url, () => stage.now());
  return Object.assign(stage, { pool, close });
}

export interface SimOptions {
  readonly hasWebhook?: boolean;
  readonly busyMinutes?: number;
}

export async function simulate(
  stage: Stage,
  seed: number,
  plan: readonly Step[],
  options: SimOptions = {},
): Promise<SimResult> {
  const world = await createWorld(stage, seed, options);
  try {
    await world.start();
    for (let minute = 0; minute < (options.busyMinutes ?? BUSY_MINUTES); minute++) {
      for (const step of plan.filter((other) => other.atMinute === minute))
        await world.act(step.action);
      await world.pass(minute);
    }
    await world.calmDown();
    for (let minute = 0; minute < QUIET_MINUTES; minute++) await world.pass(minute);
    return await world.judge();
  } finally {
    await world.close();
  }
}

async function createWorld(stage: Stage, seed: number, options: SimOptions) {
  await wipe(stage);
  let app: SimApp | null = null;
  let database: SimDatabase;
  let downUntilMs = 0;
  let kills = 0;
  let isDying = false;
  const disarm: (() => void)[] = [];

  const deliver = async (request: OutgoingRequest): Promise<OutgoingAnswer> => {
    const failed = { status: 0, headers: {}, body: "", tookMs: 0 };
    if (app === null || isDying) return failed;
    const answer = await app.server.inject({
      method: "POST",
      url: request.url.slice(WEBHOOK.length),
      headers: request.headers,
      payload: request.body,
    });
    if (isDying) return failed; // killed before the answer was on the wire
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: answer.body,
      tookMs: 5,
    };
  };
  const tenant: Tenant = await createTenant({
    host: null,
    clock: "virtual",
    startAt: START,
    seed,
    company: "none",
    serviceBus: false,
    send: deliver,
    switches: {
      deliveryDelayMs: 5_000,
      throttling: false,
      messageDeltaPageSize: 20,
      sparseDeltaUpdates: seed % 3 === 0,
      moveNotification: seed % 2 === 0 ? "updated" : "deleted-and-created",
    },
  });
  stage.now = () => tenant.clock.now();
  const clock = createSimClock(tenant);
  const random = createSimRandom(seed);
  const engine = new SimEngine(() => tenant.clock.now());
  const user = tenant.users[0]!;
  tenant.graph.admin.createFolder(user.id, "Projects");
  const mailbox: Mailbox = await upsertMailbox(stage.pool, {
    address: user.mail,
    graphUserId: user.id,
    ownerId: user.id,
  });

  const boot = async (): Promise<void> => {
    isDying = false;
    database = createSimDatabase(stage.pool, (tx) => engine.committed(tx));
    app = createSimApp({
      tenant,
      mailbox,
      database,
      engine,
      clock,
      random,
      hasWebhook: options.hasWebhook ?? true,
    });
    await survive(() => app!.start());
  };
  /** Runs a piece of the app; a kill ends the incarnation and the next one starts two minutes later. */
  const survive = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    if (!isDying) return;
    app = null;
    downUntilMs = Math.max(downUntilMs, tenant.clock.now() + 2 * MINUTE_MS);
  };
  /** Lifts a policy that kept the app out of the mailbox. */
  const letIn = () => tenant.graph.admin.restrictApp(tenant.clientId, null);
  const die = (): never => {
    kills += 1;
    isDying = true;
    database.kill();
    throw new Killed();
  };

  return {
    start: boot,
    async act(action: Action): Promise<void> {
      if (action.kind === "kill") {
        let left = action.nth;
        disarm.push(
          armKillPoint(action.point as KillPoint, () => (--left === 0 ? die() : undefined)),
        );
      } else if (action.kind === "down") {
        if (app !== null) database.kill();
        app = null;
        downUntilMs = tenant.clock.now() + action.minutes * MINUTE_MS;
      } else if (action.kind === "shut-out") {
        tenant.graph.admin.restrictApp(tenant.clientId, []);
        tenant.clock.after(action.minutes * MINUTE_MS, letIn);
      } else {
        await playAction(tenant, user.id, action);
      }
    },
    async pass(minute: number): Promise<void> {
      await tenant.clock.advance(MINUTE_MS);
      if (isDying) await survive(async () => {});
      if (app === null) {
        if (tenant.clock.now() >= downUntilMs) await boot();
        return;
      }
      const running = app;
      await survive(async () => {
        await running.tick();
        // A start has done both already.
        if (minute > 0 && minute % ENSURE_EVERY_MINUTES === 0) await running.ensure();
        if (minute > 0 && minute % DELTA_EVERY_MINUTES === 0) await running.readAll();
        await running.tick();
      });
    },
    async calmDown(): Promise<void> {
      for (const undo of disarm) undo();
      tenant.faults.disarm();
      letIn();
      downUntilMs = 0;
      if (app === null) await boot();
    },
    async judge(): Promise<SimResult> {
      const problems = await compare(stage.pool, tenant, mailbox);
      const { rows } = await stage.pool.query<{ line: string }>(
        `SELECT concat_ws('|', message_id, event_type, change, folder_id, is_read, flag, categories, at, seen_by) AS line
           FROM postroom.event WHERE mailbox = $1 ORDER BY seq`,
        [mailbox.id],
      );
      const fingerprint = sha256Hex(
        rows.map((row) => row.line).join("\n") + tenant.journal.toJsonLines(),
      );
      return { problems, events: rows.length, kills, fingerprint };
    },
    async close(): Promise<void> {
      for (const undo of disarm) undo();
      await tenant.close();
    },
  };
}

const TABLES = [
  "postroom.mailbox",
  "postroom.event",
  "postroom.notification",
  "postroom.lease",
  "padealing.graph_subscription_state",
];

/**
 * The same seed draws the same ids, so nothing of an earlier run may be left. Deleting is faster than
 * truncating, but there is no vacuum here, so the dead rows have to be removed now and then.
 */
async function wipe(stage: Stage): Promise<void> {
  const statements =
    stage.plays++ % PLAYS_PER_TRUNCATION === 0
      ? [`TRUNCATE ${TABLES.join(", ")} CASCADE`]
      : TABLES.map((table) => `DELETE FROM ${table}`);
  await stage.pool.pool.query(statements.join(";"));
}

/** People only touch messages that exist; a plan names them by number. */
async function playAction(tenant: Tenant, userId: string, action: Action): Promise<void> {
  const { admin } = tenant.graph;
  const truth = admin.mailboxTruth(userId);
  const isLive = (message: (typeof truth)[number]) =>
    message.folder !== "recoverableitemsdeletions";
  const pickFrom = (messages: typeof truth, nth: number) =>
    messages.length === 0 ? null : messages[nth % messages.length]!.id;
  const target = "nth" in action ? pickFrom(truth.filter(isLive), action.nth) : null;
  switch (action.kind) {
    case "send":
      for (let copy = 0; copy < action.copies; copy++)
        await admin.sendMail({
          to: userId,
          folder: action.folder,
          subject: `Mail ${truth.length + copy}`,
        });
      return;
    case "bulk-move":
      for (const message of truth.filter(isLive)) admin.move(userId, message.id, action.folder);
      return;
    case "draft-and-send":
      admin.sendDraft(
        userId,
        admin.createDraft(userId, { subject: "A draft", to: ["someone@example.com"] }).id,
      );
      return;
    case "new-folder":
      admin.createFolder(userId, action.name);
      return;
    case "fault":
      tenant.faults.arm({
        kind: action.fault,
        probability: action.probability,
        remaining: action.times,
        options: action.options,
      });
      return;
    case "clear-faults":
      tenant.faults.disarm();
      return;
    case "remove-subscription":
      for (const subscription of admin.subscriptions())
        admin.removeSubscription(subscription.id, { notify: action.notify });
      return;
    case "lifecycle":
      for (const subscription of admin.subscriptions())
        admin.sendLifecycle(subscription.id, action.event);
      return;
    case "recover": {
      const gone = pickFrom(
        truth.filter((message) => !isLive(message)),
        action.nth,
      );
      if (gone !== null) admin.restoreMessage(userId, gone);
      return;
    }
    case "kill":
    case "down":
    case "shut-out":
      return;
  }
  if (target === null) return;
  switch (action.kind) {
    case "move":
      return void admin.move(userId, target, action.folder);
    case "drag":
      return void admin.dragToFolder(userId, target, action.folder);
    case "read":
    case "unread":
      return void admin.markRead(userId, target, action.kind === "read");
    case "flag":
      return void admin.flag(userId, target, "flagged");
    case "unflag":
      return void admin.flag(userId, target, "notFlagged");
    case "categorize":
      return void admin.categorize(userId, target, [...action.names]);
    case "soft-delete":
      return void admin.softDelete(userId, target);
    case "hard-delete":
      return void admin.hardDelete(userId, target);
    case "copy":
      return void admin.copy(userId, target, "archive");
  }
}

/** `fold(log) = mailbox`, each message begins once, and no event says what the one before it said. */
async function compare(pool: Database, tenant: Tenant, mailbox: Mailbox): Promise<string[]> {
  const truth = tenant.graph.admin
    .mailboxTruth(mailbox.graphUserId!)
    .filter((message) => message.folder !== "recoverableitemsdeletions");
  const log = await loadLog(pool, mailbox.id, null);
  const problems: string[] = [];
  for (const message of truth) {
    const logged = log.get(message.immutableId);
    if (logged === undefined) problems.push(`missing: ${message.subject} in ${message.folder}`);
    else if (logged.isDeleted) problems.push(`log says deleted: ${message.subject}`);
    else {
      if (logged.folderId !== message.folderId) problems.push(`folder differs: ${message.subject}`);
      if (logged.isRead !== message.isRead) problems.push(`read state differs: ${message.subject}`);
      if (logged.flag !== message.flag) problems.push(`flag differs: ${message.subject}`);
      if ([...logged.categories].sort().join() !== [...message.categories].sort().join())
        problems.push(`categories differ: ${message.subject}`);
    }
  }
  const present = new Set(truth.map((message) => message.immutableId));
  for (const [id, logged] of log)
    if (!logged.isDeleted && !present.has(id)) problems.push(`extra: ${logged.subject} (${id})`);
  const { rows } = await pool.query<{ subject: string; n: number }>(
    `SELECT min(subject) AS subject, count(*) AS n FROM postroom.event
      WHERE mailbox = $1 AND change = '' AND event_type IN ('arrived', 'sent', 're-keyed') GROUP BY message_id HAVING count(*) > 1`,
    [mailbox.id],
  );
  for (const row of rows) problems.push(`${row.n} beginnings: ${row.subject}`);
  const repeats = await pool.query<{ subject: string; type: string }>(
    `SELECT subject, event_type AS type FROM (
       SELECT *, lag(row(folder_id, is_read, flag, categories, event_type = 'deleted')) OVER w AS before,
              lag(seen_at) OVER w AS seen_before, lag(change) OVER w AS change_before
         FROM postroom.event WHERE mailbox = $1 WINDOW w AS (PARTITION BY message_id ORDER BY seq)) e
      WHERE before = row(folder_id, is_read, flag, categories, event_type = 'deleted')
        AND NOT (seen_before = seen_at) AND event_type NOT IN ('sent')`,
    [mailbox.id],
  );
  for (const row of repeats.rows) problems.push(`repeated ${row.type}: ${row.subject}`);
  return problems;
}

/** Sleeping moves the tenant's time; sleepers take turns. */
function createSimClock(tenant: Tenant): Clock {
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

function createSimRandom(seed: number): Random {
  const random = createRandom(`app/${seed}`);
  return {
    bytes: (length) => random.bytes(length),
    uuid: () => random.uuid(),
    fraction: () => random.next(),
  };
}

/** Many changes of few messages, and new mail behind them: what is read is counted, in order. */
import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  createDispatcher,
  type Dispatcher,
} from "../../src/flows/watching/dispatch-notifications.ts";
import { mailChangedHandler } from "../../src/flows/watching/mail-changed.ts";
import { createPostgresEngine } from "../../src/jobs/engines/postgres.ts";
import type { JobHandler } from "../../src/jobs/handler.ts";
import { createJobs, type Jobs } from "../../src/jobs/service/create-jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import { createHttp } from "../../src/lib/http.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import { CHANGES, type Change } from "../../src/mailbox/notifications/notification.ts";
import { insertNotifications } from "../../src/mailbox/notifications/notification-table.ts";
import { insertSnapshots } from "../../src/mailbox/notifications/snapshot-table.ts";
import { insertPending } from "../../src/mailbox/subscriptions/subscription-table.ts";
import { createGraphClient, type GraphClient } from "../../src/microsoft/graph/graph-client.ts";
import { createMailboxLimiter } from "../../src/microsoft/graph/mailbox-limiter.ts";
import type { Database } from "../../src/store/database.ts";
import { createTenant, type Tenant } from "../../tenant/index.ts";
import { freshDatabase } from "../helpers/database.ts";

const UPDATES = process.env["POSTROOM_LONG"] === "1" ? 60_000 : 6_000;

let database: Database;
let tenant: Tenant;
/** A server without workers, and the worker, which the first test starts. */
let sender: Jobs;
let jobs: Jobs;
let dispatcher: Dispatcher;
let subscription: number;
let address: string;
let reads: string[] = [];
/** After this many reads Graph throttles the mailbox. */
let quota = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  database = await freshDatabase();
  tenant = await createTenant({ company: "none", serviceBus: false });
  address = tenant.users[0]!.mail;
  const { id: mailbox } = await upsertMailbox(database, {
    ...{ address, graphUserId: address, ownerId: "owner" },
  });
  subscription = await insertPending(database, {
    ...{ mailbox, resource: "messages", changeType: "created,updated,deleted" },
    ...{ secretHash: Buffer.alloc(32), certificateId: null },
  });
  const log = createLog({ level: "silent" });
  const base = { database, clock: systemClock, random: systemRandom, log };
  const graph = counted(graphOf(tenant));
  const needs = { ...base, graphOf: () => graph, followUp: async () => {}, onEvents: () => {} };
  jobs = createJobs({
    ...{ ...base, metrics: new Registry(), engine: createPostgresEngine(base) },
    handlers: [mailChangedHandler({ ...needs, hasSnapshots: true })] as JobHandler[],
  });
  sender = createJobs({ ...base, metrics: new Registry(), engine: createPostgresEngine(base) });
  await sender.start();
  dispatcher = createDispatcher({ database, queue: sender.queue, log });
});
beforeEach(() => {
  reads = [];
  quota = Number.POSITIVE_INFINITY;
});
afterAll(async () => {
  await jobs.stop();
  await sender.stop();
  await tenant.close();
});

function graphOf({ origin, tokenFor }: Tenant): GraphClient {
  return createGraphClient({
    http: createHttp({ allowedOrigins: [origin], unavailable: "graph.unavailable" }),
    ...{ origin, token: async () => tokenFor({}), limiter: createMailboxLimiter(systemClock) },
    ...{ clock: systemClock, random: systemRandom },
  });
}

/** Counts the messages that are read by id. */
function counted(graph: GraphClient): GraphClient {
  return {
    ...graph,
    batch(mailbox, items) {
      const ids = items.map(({ path }) => /messages\/([^?]+)/.exec(path)?.[1]);
      reads.push(...ids.filter((id) => id !== undefined).map(decodeURIComponent));
      if (reads.length > quota) throw new Fault("graph.throttled", "too many requests");
      return graph.batch(mailbox, items);
    },
  };
}

async function arrive(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const [sent] = await tenant.graph.admin.sendMail({ to: address, subject: `Mail ${n}` });
    ids.push(sent!.immutableId);
  }
  return ids;
}

const notify = (change: Change, messageIds: readonly string[]) => {
  const rows = messageIds.map((messageId) => ({
    ...{ key: randomUUID(), subscription, change: CHANGES[change], messageId },
  }));
  return insertNotifications(database, rows).then(() => rows);
};

const eventsOf = async (ids: readonly string[], type: string) =>
  (
    await database.query(
      "SELECT FROM postroom.event WHERE message_id = ANY($1) AND event_type = $2",
      [ids, type],
    )
  ).rowCount;

it("new mail is read first, and a storm of updates costs one read per message", async () => {
  const known = await arrive(100);
  for (let sent = 0; sent < UPDATES; sent += 2_000) {
    const some = Array.from({ length: 2_000 }, (_, n) => known[n % known.length]!);
    await notify("updated", some);
  }
  const fresh = await arrive(30);
  await notify("created", fresh);
  await dispatcher.run();
  await notify("updated", [...known, ...fresh]);
  await dispatcher.run();
  await jobs.start();
  await jobs.workUntilIdle();
  expect(new Set(reads.slice(0, 30))).toEqual(new Set(fresh));
  expect(reads).toHaveLength(130);
  expect(await eventsOf(fresh, "arrived")).toBe(30);
  expect(await eventsOf(known, "arrived")).toBe(100);
});

it("new mail is recorded even if the changes of known mail use up the mailbox's quota", async () => {
  const known = await arrive(40);
  const fresh = await arrive(5);
  await notify("updated", known);
  await notify("created", fresh);
  quota = 5;
  await dispatcher.run();
  await expect.poll(() => eventsOf(fresh, "arrived"), { timeout: 60_000 }).toBe(5);
  expect(await eventsOf(known, "arrived")).toBe(0);
  // A later change joins the look that waits for the quota; one that is under way would get a look of its own.
  const WAIT = `UPDATE postroom.job SET due_at = postroom.now() + interval '1 hour'
                 WHERE is_open AND lease_owner IS NULL`;
  const waiting = () => database.query(WAIT).then(({ rowCount }) => rowCount);
  await expect.poll(waiting, { timeout: 60_000 }).toBe(40);
  await notify("updated", known);
  await dispatcher.run();
  const { rowCount } = await database.query("SELECT FROM postroom.job WHERE is_open");
  expect(rowCount).toBe(40);
  quota = Number.POSITIVE_INFINITY;
  await database.query("UPDATE postroom.job SET due_at = postroom.now() WHERE is_open");
  await expect.poll(() => eventsOf(known, "arrived"), { timeout: 60_000 }).toBe(40);
});

it("a change that is notified after a look began gets another look", async () => {
  const [id] = await arrive(1);
  await notify("updated", [id!]);
  await dispatcher.run();
  await expect.poll(() => eventsOf([id!], "arrived"), { timeout: 60_000 }).toBe(1);
  tenant.graph.admin.markRead(address, id!);
  await notify("updated", [id!]);
  await dispatcher.run();
  await expect.poll(() => eventsOf([id!], "read"), { timeout: 60_000 }).toBe(1);
});

it("a look does not join a notification that carried an older state of its message", async () => {
  await jobs.workUntilIdle();
  const [id] = await arrive(1);
  const old = { id: id!, subject: "Mail 0", isRead: false, parentFolderId: "inbox" };
  const [brought] = await notify("updated", [id!]);
  await database.transaction((tx) => insertSnapshots(tx, new Map([[brought!.key, old as never]])));
  await notify("updated", [id!, id!]);
  await dispatcher.run();
  const { rowCount } = await database.query(
    "SELECT FROM postroom.job WHERE type = 'mail-changed' AND subject_id = $1",
    [id],
  );
  expect(rowCount).toBe(2);
});

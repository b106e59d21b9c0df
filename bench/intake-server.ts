/**
 * The server under test. Ours is the app as it runs in production with the intake's role. The others are
 * the same server, the same route and the same checks with another way to store what was accepted.
 */
import { mkdir } from "node:fs/promises";
import { Queue } from "bullmq";
import pg from "pg";
import { layFoundation } from "../src/app/foundation.ts";
import { createServer, listen } from "../src/app/server.ts";
import { startApp } from "../src/app.ts";
import { loadConfig } from "../src/config.ts";
import { registerNotificationRoutes } from "../src/intake/graph-notifications.ts";
import { createIntakeMetrics } from "../src/intake/intake-metrics.ts";
import type { NotificationRow } from "../src/mailbox/notifications/notification.ts";
import { createSubscriptionDirectory } from "../src/mailbox/subscriptions/subscription-directory.ts";
import { answerParent } from "./child.ts";
import { addMailbox, TENANT } from "./intake-scene.ts";
import { type Closers, closeAll } from "./throwaway.ts";

export type Keeping = "ours" | "no write" | "INSERT per item" | "BullMQ add per item";

export interface ServerStart {
  readonly keeping: Keeping;
  readonly home: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
}

/** More connections were not faster. */
const CONNECTIONS = 20;
const closers: Closers = [];

async function start(given: ServerStart): Promise<{ port: number }> {
  const config = loadConfig({
    PORT: "0",
    POSTROOM_HOME: given.home,
    DATABASE_URL: given.databaseUrl,
    LOG_LEVEL: "error",
    GRAPH_TENANT_ID: TENANT,
    GRAPH_CLIENT_ID: "bench",
    GRAPH_CLIENT_SECRET: "a-bench-secret",
  });
  if (given.keeping === "ours") {
    const app = await startApp(config, { roles: ["intake"] });
    closers.push(app.stop);
    await addMailbox(app.database);
    await app.watching.directory.refresh();
    return { port: Number(new URL(app.url).port) };
  }
  await mkdir(given.home, { recursive: true });
  const base = await layFoundation(config, {}, closers);
  await addMailbox(base.database);
  const directory = createSubscriptionDirectory({
    ...base,
    tenantOf: base.connections.tenantOf,
  });
  await directory.refresh();
  const server = createServer(base);
  registerNotificationRoutes(server, {
    ...base,
    directory,
    accept: acceptBy(given),
    metrics: createIntakeMetrics(base.metrics, base.clock),
  });
  return { port: Number(new URL(await listen(server, base, closers)).port) };
}

type Accept = (rows: readonly NotificationRow[]) => Promise<void>;

function acceptBy(given: ServerStart): Accept {
  switch (given.keeping) {
    case "INSERT per item":
      return insertEach(given.databaseUrl);
    case "BullMQ add per item":
      return addEach(given.redisUrl!);
    default:
      return async () => {};
  }
}

function insertEach(url: string): Accept {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  closers.push(() => pool.end());
  const insert = (row: NotificationRow) =>
    pool.query({
      name: "insert-notification",
      text: `INSERT INTO postroom.notification (key, subscription, change, message_id, received_at)
             VALUES ($1, $2, $3, $4, now()) ON CONFLICT (key) DO NOTHING`,
      values: [row.key, row.subscription, row.change, row.messageId],
    });
  return async (rows) => void (await Promise.all(rows.map(insert)));
}

function addEach(url: string): Accept {
  const { hostname, port } = new URL(url);
  const queue = new Queue("notifications", { connection: { host: hostname, port: Number(port) } });
  closers.push(() => queue.close());
  const add = ({ key, ...row }: NotificationRow) => queue.add("notification", row, { jobId: key });
  return async (rows) => void (await Promise.all(rows.map(add)));
}

answerParent({ start }, () => closeAll(closers));

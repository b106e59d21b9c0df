/**
 * Processes are killed again and again while notes arrive and are moved, read and deleted. In the end every note is a
 * trade or a question, once, and nothing waits.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { beforeAll, expect, it } from "vitest";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import type { Database } from "../../src/store/database.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant, settingsFor, until } from "../helpers/app.ts";
import { freshDatabase } from "../helpers/database.ts";
import { startRedis } from "../helpers/redis.ts";
import { bundleMachine, type Machine, runMachines, startBalancer } from "./machines.ts";

const isLong = process.env["POSTROOM_LONG"] === "1";
const KILLS = isLong ? 60 : 3;
const LIMIT_MS = 900_000;

interface Storm {
  readonly roles: readonly Machine["roles"][];
  readonly more?: Record<string, string>;
  /** Between two kills. */
  readonly meanwhile?: (ids: readonly string[], tenant: Tenant) => Promise<unknown> | unknown;
}

const ALL = ["intake", "api", "worker"] as const;
const SERVER = ["intake", "api"] as const;
const WORKER = ["worker"] as const;

let program: string;
beforeAll(async () => {
  program = await bundleMachine();
});

async function rage({ roles, more = {}, meanwhile }: Storm): Promise<void> {
  const tenant = await aTenant();
  const user = tenant.users[0]!;
  const database = await freshDatabase();
  const archive = await mkdtemp(join(tmpdir(), "postroom-archive-"));
  const mailbox = { address: user.mail, graphUserId: user.id, ownerId: user.id };
  await upsertMailbox(database, { ...mailbox, ingestFolder: "Inbox" });
  const ports: string[] = [];
  const balancer = await startBalancer(() => ports);
  const machines: Machine[] = [];
  for (const role of roles) {
    const settings = await settingsFor(tenant, {
      ...{ DATABASE_URL: database.url, GRAPH_WEBHOOK_URL: balancer.url, LOG_LEVEL: "silent" },
      ...{ LEASE_SECONDS: "5", DELTA_MINUTES: "1", ARCHIVE_STORE: `disk:${archive}`, ...more },
    });
    if ((role as readonly string[]).includes("intake")) ports.push(settings["PORT"]!);
    machines.push({ roles: role, settings });
  }
  const running = runMachines(program, machines);
  try {
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const note = await makeNote({ seed: `storm-${kill}`, kind: "buy", language: "en" });
      const attachments = [{ name: note.fileName, bytes: note.pdf }];
      const [sent] = await tenant.graph.admin.sendMail({ to: user.mail, attachments });
      ids.push(sent!.immutableId);
      await until("an event of an earlier note", () => isSeen(database, ids, kill), LIMIT_MS);
      await meanwhile?.(ids, tenant);
      await running.killAndRestart(kill % machines.length);
    }
    await until("the end of all work", () => isAllDone(database, ids), LIMIT_MS);
    expect(await findWrong(database, ids)).toEqual([]);
  } finally {
    await running.stop();
    await balancer.stop();
    await rm(archive, { recursive: true, force: true });
  }
}

/** Kills come at any stage: the next one may come before the latest note has been seen. */
const isSeen = async (database: Database, ids: readonly string[], kill: number) =>
  (await database.query("SELECT FROM postroom.event WHERE message_id = ANY($1)", [ids])).rowCount >=
  kill - 1;

const OPEN = `SELECT FROM postroom.job WHERE is_open AND type IN ('ingest-mail', 'mail-changed')`;
const isAllDone = async (database: Database, ids: readonly string[]) =>
  (await database.query(OPEN)).rowCount === 0 &&
  (
    await database.query(
      `SELECT FROM bo_airflow.email_ingestion_state WHERE message_id = ANY($1) AND status <> 'processing'`,
      [ids],
    )
  ).rowCount === ids.length;

/** Notes that are lost or doubled, and jobs that died. */
async function findWrong(database: Database, ids: readonly string[]): Promise<object[]> {
  const { rows } = await database.query(
    `SELECT m.id, arrivals, documents, results FROM unnest($1::text[]) AS m (id),
       LATERAL (SELECT count(*) AS arrivals FROM postroom.event e
                 WHERE e.message_id = m.id AND event_type = 'arrived') a,
       LATERAL (SELECT count(DISTINCT d.id) AS documents, count(l.id) + count(r.id) AS results
                  FROM postroom.trade_document d
                  LEFT JOIN postroom.trade_line l ON l.document_id = d.id
                  LEFT JOIN postroom.review r ON r.document_id = d.id AND l.id IS NULL
                 WHERE d.message_id = m.id) b
      WHERE (arrivals, documents, results) <> (1, 1, 1)`,
    [ids],
  );
  const dead = await database.query("SELECT type, error_message FROM postroom.job WHERE is_dead");
  return [...rows, ...dead.rows];
}

it(`one server: ${KILLS} kills lose no note and book none twice`, async () => {
  await rage({ roles: [ALL] });
}, 3_600_000);

it(`two servers and three workers with their own disks: ${KILLS} kills lose no note and book none twice`, async () => {
  await rage({ roles: [SERVER, SERVER, WORKER, WORKER, WORKER] });
}, 3_600_000);

it(`Redis loses everything at each of ${KILLS} kills: no note is lost and none is booked twice`, async () => {
  const redis = await startRedis();
  const client = new Redis(redis.port);
  try {
    await rage({
      roles: [ALL, WORKER],
      more: { Redis__ConnectionString: redis.url },
      meanwhile: () => client.flushall(),
    });
  } finally {
    client.disconnect();
    await redis.stop();
  }
}, 3_600_000);

it(`rich notifications, while notes are moved, read and deleted: ${KILLS} kills lose none and book none twice`, async () => {
  await rage({
    roles: [ALL, WORKER],
    more: { GRAPH_RICH_NOTIFICATIONS: "true" },
    meanwhile(ids, { graph: { admin }, users: [user] }) {
      const id = ids.at(-1)!;
      admin.markRead(user!.mail, id);
      if (ids.length % 3 === 1) admin.move(user!.mail, id, "archive");
      if (ids.length % 3 === 2) admin.softDelete(user!.mail, id);
    },
  });
}, 3_600_000);

/**
 * From an older version, with an older schema, to this one while mail arrives: first both run, then only the new one.
 * Nothing that was notified is lost, and nobody waits long for a lock.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { findPending } from "../../src/store/migrate.ts";
import { aTenant, settingsFor, until } from "../helpers/app.ts";
import { emptyDatabaseUrl } from "../helpers/database.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { startBalancer } from "../kill/machines.ts";

/** The last version without sinks, consents, erasure and limits by tenant. */
const OLD = "f295aa58cfb4";
/** After the old version is gone. */
const LAST_MAILS = 100;
const PAUSE_MS = 20;
const LIMIT_MS = 900_000;
const NEW_ROOT = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "postroom-upgrade-"));
const oldRoot = join(folder, "old");
const children: ChildProcess[] = [];

beforeAll(() => {
  mkdirSync(oldRoot);
  const archive = execFileSync("git", ["archive", OLD], { cwd: NEW_ROOT, maxBuffer: 1 << 28 });
  execFileSync("tar", ["-x", "-C", oldRoot], { input: archive });
  symlinkSync(join(NEW_ROOT, "node_modules"), join(oldRoot, "node_modules"));
});

afterAll(async () => {
  await Promise.all(children.map((child) => stop(child, "SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

function start(root: string, role: string, settings: Record<string, string>): ChildProcess {
  const { PATH = "", HOME = "" } = process.env;
  const args = [join(root, "bin/postroom.js"), "serve", "--role", role];
  const options = { cwd: folder, env: { PATH, HOME, ...settings } };
  const child = endWithUs(spawn(process.execPath, args, { ...options, stdio: "ignore" }));
  children.push(child);
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

const isReady = async (port: string): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status === 200;

/** The longest that anybody has waited for a lock, looked at until it is stopped. */
function watchLocks(database: Database) {
  let longestMs = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await database.query<{ ms: number }>(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart) * 1000), 0)::float8 AS ms
           FROM pg_locks WHERE NOT granted AND locktype = 'relation'`,
      );
      longestMs = Math.max(longestMs, rows[0]!.ms);
      await new Promise((later) => setTimeout(later, 20));
    }
  })();
  return async (): Promise<number> => {
    isOver = true;
    await watching;
    return longestMs;
  };
}

it(
  "a roll from an older version while mail arrives loses no notification, doubles none, and nobody waits two seconds for a lock",
  async () => {
    const tenant = await aTenant();
    const user = tenant.users[0]!;
    const url = await emptyDatabaseUrl();
    const ports: string[] = [];
    const balancer = await startBalancer(() => ports);
    const settings = async () =>
      settingsFor(tenant, {
        ...{ DATABASE_URL: url, GRAPH_WEBHOOK_URL: balancer.url, LOG_LEVEL: "error" },
        ...{ GRAPH_MAILBOX_EMAIL: user.mail, LEASE_SECONDS: "5" },
      });
    const roll = async (root: string) => {
      const [forServer, forWorker] = [await settings(), await settings()];
      const port = forServer["PORT"]!;
      let server = start(root, "intake,api", forServer);
      await until(
        "the server is ready",
        async () => {
          // A migration that does not get its lock in two seconds gives way; a supervisor starts it again.
          if (server.exitCode !== null) server = start(root, "intake,api", forServer);
          return isReady(port);
        },
        LIMIT_MS,
      );
      ports.push(port);
      const worker = start(root, "worker", forWorker);
      return { stop: () => Promise.all([stop(server), stop(worker)]), port };
    };

    const old = await roll(oldRoot);
    const database = openDatabase({ url, connections: 2 });
    const pending = await findPending(database);
    expect(pending.length).toBeGreaterThan(3);
    const isSubscribed = async () =>
      (await database.query("SELECT FROM postroom.subscription WHERE status = 'active'")).rowCount >
      0;
    await until("the old version is subscribed", isSubscribed, LIMIT_MS);

    const ids: string[] = [];
    let isSending = true;
    const keepSending = async (): Promise<void> => {
      while (isSending) {
        const subject = `number ${ids.length}`;
        const [sent] = await tenant.graph.admin.sendMail({ to: user.mail, subject });
        ids.push(sent!.immutableId);
        await new Promise((later) => setTimeout(later, PAUSE_MS));
      }
    };
    const arrived = async (): Promise<number> => {
      const sql = `SELECT DISTINCT message_id FROM postroom.event WHERE message_id = ANY($1) AND event_type = 'arrived'`;
      return (await database.query(sql, [ids])).rowCount;
    };
    const load = keepSending();
    await until("the old version works", async () => (await arrived()) > 0, LIMIT_MS);
    const endWatch = watchLocks(database);
    const before = ids.length;
    const current = await roll(NEW_ROOT);
    expect(await findPending(database)).toEqual([]);
    expect(ids.length, "mail arrived during the roll").toBeGreaterThan(before);
    ports.splice(ports.indexOf(old.port), 1);
    await old.stop();
    const enough = ids.length + LAST_MAILS;
    await until("mail for the new version alone", async () => ids.length >= enough, LIMIT_MS);
    isSending = false;
    await load;
    await until("every message", async () => (await arrived()) === ids.length, LIMIT_MS);
    const longestMs = await endWatch();
    const { rows } = await database.query<{ waiting: number; doubled: number; dead: number }>(
      `SELECT (SELECT count(*) FROM postroom.notification WHERE job_at IS NULL) AS waiting,
              (SELECT count(*) - count(DISTINCT message_id) FROM postroom.event WHERE event_type = 'arrived') AS doubled,
              (SELECT count(*) FROM postroom.job WHERE is_dead) AS dead`,
    );
    expect(rows).toEqual([{ waiting: 0, doubled: 0, dead: 0 }]);
    console.info(
      `${ids.length} mails; longest wait for a lock on a table: ${Math.round(longestMs)} ms`,
    );
    expect(longestMs).toBeLessThan(2_000);
    await current.stop();
    await database.close();
    await balancer.stop();
  },
  LIMIT_MS * 4,
);

/** Real servers for one run, on free ports, as durable as in production, removed afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../src/store/database.ts";
import { freePort, startEmbeddedPostgres } from "../src/store/embedded-postgres.ts";
import { migrate } from "../src/store/migrate.ts";

/** Everything that a benchmark has to close, latest first, even if it fails half-way. */
export type Closers = (() => Promise<unknown>)[];

export async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}

export async function makeFolder(closers: Closers): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postroom-bench-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // PostgreSQL may run as another user and has to reach its own folder
  return folder;
}

export interface ThrowawayPostgres {
  readonly pid: number;
  /** Creates a database with all our tables; returns its address. */
  create(name: string): Promise<string>;
}

export async function startPostgres(folder: string, closers: Closers): Promise<ThrowawayPostgres> {
  const server = await startEmbeddedPostgres({ folder: join(folder, "postgres"), isDurable: true });
  closers.push(server.stop);
  return {
    pid: server.pid,
    async create(name) {
      const admin = openDatabase({ url: server.url, connections: 1 });
      await admin.query(`CREATE DATABASE ${name}`);
      await admin.close();
      const url = server.url.replace(/\/postgres$/, `/${name}`);
      const database = openDatabase({ url, connections: 1 });
      await migrate(database);
      await database.close();
      return url;
    },
  };
}

/** Gives every repeat the same fresh start: no rows, and nothing left to write to disk. */
export async function emptyTables(database: Database, tables: readonly string[]): Promise<void> {
  await database.query(`TRUNCATE ${tables.join(", ")} CASCADE`);
  await database.query("CHECKPOINT");
}

const REDIS_PLACES = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"];

/** A redis-server that waits for the disk before it responds; null if it is not installed. */
export async function startRedis(
  folder: string,
  closers: Closers,
): Promise<{ url: string; pid: number } | null> {
  const program = REDIS_PLACES.find((path) => existsSync(path));
  if (program === undefined) return null;
  const port = await freePort();
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const server = spawn(program, [...place, ...durable], { stdio: ["ignore", "pipe", "inherit"] });
  closers.push(() => endProcess(server));
  await new Promise<void>((resolve, reject) => {
    server.stdout!.on("data", (text: Buffer) => {
      if (text.includes("Ready to accept connections")) resolve();
    });
    server.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  return { url: `redis://127.0.0.1:${port}`, pid: server.pid! };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/**
 * Creates one folder for everything temporary in this run, removed at its end, and in it a throw-away
 * PostgreSQL with a migrated template that each test copies.
 */
import { rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded-postgres.ts";
import { migrate } from "../../src/store/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Set once the server runs: every project of the run, and a run that a test starts, uses the same one. */
const SERVER = "POSTROOM_TEST_POSTGRES";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env[SERVER];
  if (running !== undefined) {
    project.provide("postgresUrl", running);
    return async () => undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "postroom-run-"));
  // Also if the run is interrupted. Servers that lose their folders exit within a minute.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  await chmod(folder, 0o711); // servers may run as another user, and must reach their own folders
  process.env["TMPDIR"] = folder; // what the tests' processes start with
  delete process.env["FORCE_COLOR"]; // the machine's taste in colours must not decide a test
  // A socket in the file system costs a third less per statement than loopback.
  const sockets = join(folder, "socket");
  await mkdir(sockets);
  await chmod(sockets, 0o777);
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, "pg"),
    isDurable: false,
    settings: {
      max_connections: "400",
      autovacuum: "off",
      // Nobody reads the log of a throw-away server, so it must not fill the disk.
      wal_level: "minimal",
      max_wal_senders: "0",
      max_wal_size: "256MB",
      unix_socket_directories: sockets,
    },
  });
  const admin = openDatabase({ url: postgres.url, connections: 1 });
  await admin.query("CREATE DATABASE postroom_template");
  await admin.close();
  const template = openDatabase({
    url: withDatabase(postgres.url, "postroom_template"),
    connections: 1,
  });
  await migrate(template);
  await template.close();
  process.env[SERVER] = `${postgres.url}?host=${encodeURIComponent(sockets)}`;
  project.provide("postgresUrl", process.env[SERVER]);
  return () => postgres.remove();
}

export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}

/** For commands that work on the database itself, without a server. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { lockHome } from "../../app/home-lock.ts";
import { type Config, loadConfig, processEnvironment } from "../../config.ts";
import { createLog } from "../../lib/log.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { urlOfRunning } from "../../store/embedded-postgres.ts";
import { keepEmbeddedPostgres } from "../../store/keep-embedded-postgres.ts";

/** The database of the settings, or our own: the one that a server of this home runs, or started for the task. */
export async function withDatabase<T>(
  task: (on: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(processEnvironment());
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const folder = join(config.home, "postgres");
    let url = config.databaseUrl ?? (await urlOfRunning(folder));
    if (url === null) {
      await mkdir(config.home, { recursive: true });
      closers.push(await lockHome(config.home, { hasDatabase: true }));
      const own = await keepEmbeddedPostgres({ folder }, createLog({ level: "silent" }));
      closers.push(own.stop);
      url = own.url;
    }
    const database = openDatabase({ url, connections: 2, statementTimeoutMs: 24 * 3_600_000 });
    closers.push(database.close);
    return await task(database, config);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

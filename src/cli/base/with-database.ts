/** For commands that work on the database itself, without a server. */
import { join } from "node:path";
import { lockHome } from "../../app/home-lock.ts";
import { type Config, loadConfig, processEnvironment } from "../../config.ts";
import { createLog } from "../../lib/log.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { keepEmbeddedPostgres } from "../../store/keep-embedded-postgres.ts";

/** The database of the settings, or our own, which no server may be using then. */
export async function withDatabase<T>(
  task: (on: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(processEnvironment());
  const closers: (() => Promise<unknown>)[] = [];
  try {
    let url = config.databaseUrl;
    if (url === null) {
      closers.push(await lockHome(config.home));
      const folder = join(config.home, "postgres");
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

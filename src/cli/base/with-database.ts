/** For commands that work on the database itself, without a server. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { lockHome } from "../../app/home-lock.ts";
import { type Config, loadConfig, processEnvironment } from "../../config.ts";
import { createLog } from "../../lib/log.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { assertReachable } from "../../store/assert-reachable.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { recordFile } from "../../store/embedded-place.ts";
import { urlOfRunning } from "../../store/embedded-postgres.ts";
import { keepEmbeddedPostgres } from "../../store/keep-embedded-postgres.ts";
import { hasOurTables } from "../../store/migrate.ts";
import { CommandError, EXIT } from "./exit.ts";

/** The database of the settings, or our own: the one that a server of this home runs, or started for the task. */
export async function withDatabase<T>(
  task: (on: Database, config: Config) => Promise<T>,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<T> {
  const config = loadConfig(processEnvironment());
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const folder = join(config.home, "postgres");
    let url = config.databaseUrl ?? (await urlOfRunning(folder));
    if (url === null) {
      if (!mayBeNew && !existsSync(folder) && !existsSync(recordFile(folder)))
        throw new CommandError(
          `there is no database in ${config.home}; set DATABASE_URL, or POSTROOM_HOME to the home of an installation`,
          EXIT.usage,
        );
      await makeFolder(config.home);
      closers.push(await lockHome(config.home, { hasDatabase: true }));
      const own = await keepEmbeddedPostgres({ folder }, createLog({ level: "silent" }));
      closers.push(own.stop);
      url = own.url;
    }
    const database = openDatabase({ url, connections: 2, statementTimeoutMs: 24 * 3_600_000 });
    closers.push(database.close);
    await assertReachable(database);
    if (!mayBeNew && !(await hasOurTables(database)))
      throw new CommandError(
        "this database is not Postroom's: it has none of its tables; check DATABASE_URL, or start Postroom once",
        EXIT.usage,
      );
    return await task(database, config);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { lockHome } from "../../app/home-lock.ts";
import { type Config, loadConfig, processEnvironment } from "../../config.ts";
import { backUp } from "../../keep/backup.ts";
import { restore } from "../../keep/restore.ts";
import { systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { createLog } from "../../lib/log.ts";
import { VERSION } from "../../lib/version.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { keepEmbeddedPostgres } from "../../store/keep-embedded-postgres.ts";
import { migrate } from "../../store/migrate.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output } from "../base/output.ts";

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function backupCommand(output: Output = createOutput()): Command {
  return new Command("backup")
    .description("write the whole database into a new folder; DATABASE_URL may be in use meanwhile")
    .argument("<folder>", "folder to make")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom backup /backups/2026-03-02")
    .action(async (folder: string, options: Options) => {
      if (existsSync(folder))
        throw new CommandError(
          `${folder} already exists; a backup makes its own folder`,
          EXIT.usage,
        );
      const done = await withDatabase(async (database, config) =>
        backUp(database, folder, {
          schemas: ["postroom", config.ingest.schema, "padealing"],
          version: VERSION,
          now: new Date(systemClock.now()),
        }),
      );
      if (options.json) output.json({ folder, ...done });
      else output.line(`${folder}: ${done.tables} tables, ${done.rows} rows`);
    });
}

export function restoreCommand(output: Output = createOutput()): Command {
  return new Command("restore")
    .description("put a backup into a database that nobody has used yet")
    .argument("<folder>", "folder that postroom backup made")
    .option("--dry-run", "check the files against their hashes without restoring")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom restore /backups/2026-03-02")
    .action(async (folder: string, { dryRun = false, json }: Options) => {
      if (!existsSync(join(folder, "manifest.json")))
        throw new CommandError(`${folder} is not a backup: it has no manifest.json`, EXIT.failed);
      const done = await withDatabase(async (database) => {
        await migrate(database);
        return restore(database, folder, dryRun).catch((error: unknown) => {
          // Neither the settings nor the command are wrong, but the backup or the database.
          throw error instanceof Fault ? new CommandError(error.message, EXIT.failed) : error;
        });
      });
      if (json) output.json({ folder, dryRun, ...done });
      else output.line(`${folder}: ${done.rows} rows ${dryRun ? "can be" : "were"} restored`);
    });
}

/** The database of the settings, or our own, which no server may be using then. */
async function withDatabase<T>(task: (on: Database, config: Config) => Promise<T>): Promise<T> {
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

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { backUp } from "../../keep/backup.ts";
import { restore } from "../../keep/restore.ts";
import { systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { VERSION } from "../../lib/version.ts";
import { migrate } from "../../store/migrate.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output } from "../base/output.ts";
import { withDatabase } from "../base/with-database.ts";

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function backupCommand(output: Output = createOutput()): Command {
  return new Command("backup")
    .description("write the whole database into a new folder; Postroom may keep running")
    .argument("<folder>", "folder to create")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom backup /backups/2026-03-02")
    .action(async (folder: string, options: Options) => {
      if (existsSync(folder))
        throw new CommandError(`${folder} already exists; a backup needs a new folder`, EXIT.usage);
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
    .description("restore a backup into an unused database")
    .argument("<folder>", "folder written by postroom backup")
    .option("--dry-run", "check the files against their hashes without restoring")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom restore /backups/2026-03-02")
    .action(async (folder: string, { dryRun = false, json }: Options) => {
      if (!existsSync(join(folder, "manifest.json")))
        throw new CommandError(`${folder} is not a backup: it has no manifest.json`, EXIT.failed);
      const done = await withDatabase(
        async (database) => {
          await migrate(database);
          return restore(database, folder, { isDryRun: dryRun }).catch((error: unknown) => {
            // The backup or the database is wrong, not the settings or the command.
            throw error instanceof Fault ? new CommandError(error.message, EXIT.failed) : error;
          });
        },
        { mayBeNew: true },
      );
      if (json) output.json({ folder, dryRun, ...done });
      else output.line(`${folder}: ${done.rows} rows ${dryRun ? "can be" : "were"} restored`);
    });
}

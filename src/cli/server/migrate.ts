import { Command } from "commander";
import { loadConfigAndVault, processEnvironment } from "../../config.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { count, createOutput, type Output } from "../base/output.ts";

/** For a deployment that brings the database up to date before the new version starts. */
export function migrateCommand(output: Output = createOutput()): Command {
  return new Command("migrate")
    .description("bring the database of DATABASE_URL up to date, as every start does")
    .option("--dry-run", "list what is missing without changing anything")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  DATABASE_URL=… postroom migrate --dry-run")
    .action((options: { dryRun?: boolean; json?: boolean }) => migrateDatabase(options, output));
}

async function migrateDatabase(
  options: { dryRun?: boolean; json?: boolean },
  output: Output,
): Promise<void> {
  const { databaseUrl } = await loadConfigAndVault(processEnvironment());
  if (databaseUrl === null)
    throw new CommandError(
      "set DATABASE_URL; Postroom's own database is brought up to date when it starts",
      EXIT.usage,
    );
  const { assertReachable } = await import("../../store/assert-reachable.ts");
  const { openDatabase } = await import("../../store/database.ts");
  const { findPending, migrate } = await import("../../store/migrate.ts");
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  try {
    await assertReachable(database);
    const isDryRun = options.dryRun === true;
    const names = isDryRun ? await findPending(database) : await migrate(database);
    if (options.json) return output.json({ dryRun: isDryRun, migrations: names });
    for (const name of names) output.line(name);
    const verb = isDryRun ? "missing; nothing was changed" : "applied";
    output.note(`${count(names.length, "migration")} ${verb}`);
  } finally {
    await database.close();
  }
}

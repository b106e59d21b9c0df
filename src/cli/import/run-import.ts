/** What every import has in common: batches, a dry run that undoes each of them, and a report in figures. */
import { access } from "node:fs/promises";
import type { Command } from "commander";
import type * as z from "zod";
import type { Config } from "../../config.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { CommandError } from "../base/exit.ts";
import { count, type Output } from "../base/output.ts";
import { withDatabase } from "../base/with-database.ts";
import { readRows } from "./read-rows.ts";

export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

type Counts = Record<string, number>;

export interface Import<Row> {
  readonly file: string;
  readonly shape: z.ZodType<Row>;
  /** Called once, before the first batch; refuses what cannot work. */
  prepare?(database: Database, config: Config): Promise<void>;
  /** Takes one batch and says how many rows had which outcome. */
  take(tx: Transaction, rows: readonly Row[], config: Config): Promise<Counts>;
}

export function withImportOptions(command: Command): Command {
  return command
    .option("--dry-run", "show what would happen without changing anything")
    .option("--json", "print JSON");
}

export async function runImport<Row>(
  { file, shape, prepare, take }: Import<Row>,
  options: ImportOptions,
  output: Output,
): Promise<void> {
  await access(file); // before anything is asked of the database
  const total: Counts = {};
  let [lines, malformed] = [0, 0];
  let faults: readonly string[] = [];
  await withDatabase(async (database, config) => {
    await prepare?.(database, config);
    for await (const batch of readRows(file, shape)) {
      ({ lines, malformed, faults } = batch);
      const counts = await inBatch(database, options.dryRun === true, (tx) =>
        take(tx, batch.rows, config),
      );
      for (const [name, number] of Object.entries(counts))
        total[name] = (total[name] ?? 0) + number;
      if (output.terminal.isWatched) output.note(`${lines} lines`);
    }
  });
  report({ file, dryRun: options.dryRun === true, lines, ...total, malformed }, options, output);
  for (const fault of faults) output.note(`${file}: ${fault}`);
  if (malformed > 0)
    throw new CommandError(`${count(malformed, "line")} of ${file} could not be read`);
}

function report(
  { file, dryRun, ...counts }: { file: string; dryRun: boolean } & Record<string, unknown>,
  options: ImportOptions,
  output: Output,
): void {
  if (options.json) {
    output.json({ file, dryRun, ...counts });
    return;
  }
  output.table(
    ["rows", "{number}"],
    Object.entries(counts).map(([name, number]) => [toWords(name), String(number)]),
  );
  if (dryRun) output.note("nothing was changed");
}

const toWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Ends the transaction of a dry run. */
class Undone extends Error {
  readonly counts: Counts;
  constructor(counts: Counts) {
    super("undone");
    this.counts = counts;
  }
}

async function inBatch(
  database: Database,
  isDryRun: boolean,
  take: (tx: Transaction) => Promise<Counts>,
): Promise<Counts> {
  try {
    return await database.transaction(async (tx) => {
      const counts = await take(tx);
      if (isDryRun) throw new Undone(counts);
      return counts;
    });
  } catch (error) {
    if (error instanceof Undone) return error.counts;
    throw error;
  }
}

import { Command } from "commander";
import { IngestionRow, importRows } from "../../ingestion/import-rows.ts";
import { ensureIngestionTable, ingestionTable } from "../../ingestion/ingestion-table.ts";
import { createOutput, type Output } from "../base/output.ts";
import { addMsedb } from "./msedb.ts";
import { type ImportOptions, runImport, withImportOptions } from "./run-import.ts";
import { addSpaarke } from "./spaarke.ts";

export function importCommand(output: Output = createOutput()): Command {
  const parent = new Command("import").description(
    "take over the history, tables and queues of a program that Postroom replaces",
  );
  addMsedb(parent, output);
  withImportOptions(parent.command("ingestion-table <file>"))
    .description("add rows of an ingestion table in another database (JSON lines)")
    .addHelpText("after", "\nExample:\n  postroom import ingestion-table rows.jsonl --dry-run")
    .action((file: string, options: ImportOptions) =>
      runImport(
        {
          file,
          shape: IngestionRow,
          prepare: (database, config) =>
            ensureIngestionTable(database, ingestionTable({ naming: config.ingest })),
          take: async (tx, rows, config) => ({
            ...(await importRows(tx, ingestionTable({ naming: config.ingest }), rows)),
          }),
        },
        options,
        output,
      ),
    );
  addSpaarke(parent, output);
  return parent;
}

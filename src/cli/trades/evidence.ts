import { existsSync } from "node:fs";
import { Command } from "commander";
import {
  type EvidenceBundle,
  type EvidenceSelector,
  evidenceFiles,
  exportEvidence,
} from "../../archive/evidence.ts";
import { type EvidenceReport, verifyEvidence } from "../../archive/verify-evidence.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { count, type Output, plain } from "../base/output.ts";

export interface EvidenceCliNeeds {
  /** Null if the message or trade does not exist. `verify` works offline and never calls this. */
  readonly loadEvidence: (selector: EvidenceSelector) => Promise<EvidenceBundle | null>;
  readonly clock: Clock;
  readonly random: Random;
  readonly output: Output;
}

interface ExportOptions {
  readonly message?: string;
  readonly trade?: string;
  readonly to: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface VerifyOptions {
  readonly expect?: string;
  readonly json?: boolean;
}

export function evidenceCommand(needs: EvidenceCliNeeds): Command {
  const command = new Command("evidence").description(
    "export proof of how a message became trades, and verify such an export",
  );
  command
    .command("export")
    .description(
      "write the mail, documents, extraction, decisions and trades to a folder, with a hash chain",
    )
    .option("--message <id>", "message to export, with everything derived from it")
    .option("--trade <key>", "ID or key of a trade to export, with everything it was derived from")
    .requiredOption("--to <folder>", "target folder; must be empty or not exist yet")
    .option("--dry-run", "list what would be written without writing it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom evidence export --message AAMkAG... --to ./case-17",
    )
    .action((options: ExportOptions) => runExport(needs, options));
  command
    .command("verify <folder>")
    .description("verify an exported folder offline and name what was changed, and where")
    .option("--expect <head>", "the head hash that the export printed")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom evidence verify ./case-17 --json")
    .action((folder: string, options: VerifyOptions) => runVerify(needs, folder, options));
  return command;
}

async function runExport(needs: EvidenceCliNeeds, options: ExportOptions): Promise<void> {
  const selector = selectorOf(options);
  if (selector === null) throw new CommandError("use either --message or --trade", EXIT.usage);
  const bundle = await needs.loadEvidence(selector);
  if (bundle === null)
    throw new CommandError(
      `no contract note is known for the ${selector.kind} ${selector.id}; postroom trades list and postroom ingest mails show IDs`,
      EXIT.failed,
    );
  if (options.dryRun) {
    const files = evidenceFiles(bundle).map(({ path, bytes }) => ({ path, size: bytes.length }));
    printFiles(needs, options, { folder: options.to, head: null, files });
    return;
  }
  printFiles(needs, options, await exportEvidence(needs, bundle, options.to));
}

function selectorOf(options: ExportOptions): EvidenceSelector | null {
  const { message, trade } = options;
  if (message !== undefined && trade === undefined) return { kind: "message", id: message };
  if (trade !== undefined && message === undefined) return { kind: "trade", id: trade };
  return null;
}

function printFiles(
  needs: EvidenceCliNeeds,
  options: ExportOptions,
  written: {
    readonly folder: string;
    readonly head: string | null;
    readonly files: readonly { readonly path: string; readonly size: number }[];
  },
): void {
  const { output } = needs;
  if (options.json) {
    output.json(written);
    return;
  }
  for (const { path, size } of written.files) output.line(`${String(size).padStart(10)}  ${path}`);
  const files = `${count(written.files.length, "file")} to ${written.folder}`;
  output.line(`${written.head === null ? "would write" : "wrote"} ${files}`);
  if (written.head !== null) output.line(`head ${written.head}`);
}

async function runVerify(
  needs: EvidenceCliNeeds,
  folder: string,
  options: VerifyOptions,
): Promise<void> {
  if (!existsSync(folder)) throw new CommandError(`${folder}: there is no such file or folder`);
  const report = await verifyEvidence(folder, { expectedHead: options.expect });
  if (options.json) needs.output.json(report);
  else print(report, needs.output);
  if (!report.isIntact)
    throw new CommandError(`not intact: ${count(report.problems.length, "problem")}`);
}

function print(report: EvidenceReport, output: Output): void {
  for (const { kind, path, message } of report.problems)
    output.line(`${kind}: ${plain(path)} ${plain(message)}`);
  if (report.isIntact)
    output.line(`intact: ${count(report.fileCount, "file")}, head ${report.head}`);
}

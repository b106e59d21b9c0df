/** The command line. Each command is a file beside this one. */
import { Command, CommanderError } from "commander";
import { tenantCommand } from "../../tenant/cli.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { VERSION } from "../lib/version.ts";
import { CommandError, describeFailure, EXIT, type Failure } from "./base/exit.ts";
import { keepAlive } from "./base/keep-alive.ts";
import {
  createOutput,
  formatError,
  type Output,
  type Terminal,
  thisTerminal,
} from "./base/output.ts";
import { completionCommand } from "./completion.ts";
import { connectCommand } from "./connect/connect.ts";
import { deployCommand } from "./deploy/deploy.ts";
import { documentsCommand } from "./documents/documents.ts";
import { askCommand, searchCommand } from "./documents/search.ts";
import { usageCommand } from "./documents/usage.ts";
import { addExamples } from "./examples.ts";
import { importCommand } from "./import/import.ts";
import { backupCommand, restoreCommand } from "./keep/backup.ts";
import { eraseCommand } from "./keep/erase.ts";
import { holdCommand } from "./keep/hold.ts";
import { auditCommand } from "./mail/audit.ts";
import { createGraphSubscriptionCommand } from "./mail/create-graph-subscription.ts";
import { eventsCommand } from "./mail/events.ts";
import { mailboxCommand } from "./mail/mailbox.ts";
import { subscriptionsCommand } from "./mail/subscriptions.ts";
import { dlqCommand } from "./server/dlq.ts";
import { doctorCommand } from "./server/doctor.ts";
import { initCommand } from "./server/init.ts";
import { jobsCommand } from "./server/jobs.ts";
import { migrateCommand } from "./server/migrate.ts";
import { notifyCommand } from "./server/notify.ts";
import { openCommand } from "./server/open.ts";
import { serveCommand } from "./server/serve.ts";
import { sinksCommand } from "./server/sinks.ts";
import { upCommand } from "./server/up.ts";
import { evidenceCommand } from "./trades/evidence.ts";
import { extractCommand } from "./trades/extract.ts";
import { ingestCommand } from "./trades/ingest.ts";
import { loadEvidence } from "./trades/load-evidence.ts";
import { ordersCommand } from "./trades/orders.ts";
import { peopleCommand } from "./trades/people.ts";
import { reviewCommand } from "./trades/review.ts";
import { sendersCommand } from "./trades/senders.ts";
import { traceCommand } from "./trades/trace.ts";
import { tradesCommand } from "./trades/trades.ts";

export function buildCli(output: Output = createOutput()): Command {
  const program = new Command("postroom")
    .description(
      "watch Microsoft 365 mailboxes and turn mail into events, trades and filed documents, each exactly once",
    )
    .version(VERSION, "--version", "print the version");
  program.addCommand(upCommand());
  program.addCommand(serveCommand());
  program.addCommand(initCommand(output));
  program.addCommand(connectCommand(output));
  program.addCommand(migrateCommand(output));
  program.addCommand(deployCommand(output));
  program.addCommand(openCommand());
  program.addCommand(eventsCommand(output));
  program.addCommand(mailboxCommand(output));
  program.addCommand(subscriptionsCommand(output));
  program.addCommand(createGraphSubscriptionCommand(output));
  program.addCommand(auditCommand(output));
  program.addCommand(doctorCommand(output));
  program.addCommand(notifyCommand(output));
  program.addCommand(traceCommand(output));
  program.addCommand(documentsCommand(output));
  program.addCommand(searchCommand(output));
  program.addCommand(askCommand(output));
  program.addCommand(usageCommand(output));
  program.addCommand(tradesCommand(output));
  program.addCommand(reviewCommand(output));
  program.addCommand(ordersCommand(output));
  program.addCommand(sendersCommand(output));
  program.addCommand(peopleCommand(output));
  program.addCommand(ingestCommand(output));
  program.addCommand(extractCommand(output));
  program.addCommand(
    evidenceCommand({ loadEvidence, clock: systemClock, random: systemRandom, output }),
  );
  program.addCommand(jobsCommand(output));
  program.addCommand(dlqCommand(output));
  program.addCommand(sinksCommand(output));
  program.addCommand(holdCommand(output));
  program.addCommand(eraseCommand(output));
  program.addCommand(backupCommand(output));
  program.addCommand(restoreCommand(output));
  program.addCommand(importCommand(output));
  program.addCommand(tenantCommand());
  program.addCommand(completionCommand(() => program));
  program.hook("preAction", (_, command) => refuseBlanks(command));
  speakThrough(program, output.terminal, "postroom");
  addExamples(program);
  return program;
}

/** A shell turns a variable that is not set into an empty argument, which would name nothing or everything. */
function refuseBlanks(command: Command): void {
  if (command.name() === "send") return; // mail may have no subject and no text
  const named = command.registeredArguments.map((argument, at): [string, unknown] => [
    `<${argument.name()}>`,
    command.processedArgs[at],
  ]);
  const options = command.options.map((option): [string, unknown] => [
    option.long ?? option.flags,
    command.getOptionValue(option.attributeName()),
  ]);
  for (const [name, given] of [...named, ...options])
    for (const value of [given].flat())
      if (typeof value === "string" && value.trim() === "")
        throw new CommandError(`${name} must not be empty`, EXIT.usage);
}

/** Runs one command and returns its exit code; every failure prints one sentence. */
export async function runCli(
  argv: readonly string[],
  terminal: Terminal = thisTerminal({ isJson: argv.includes("--json") }),
): Promise<number> {
  const mayEnd = keepAlive();
  try {
    await buildCli(createOutput(terminal)).parseAsync(argv as string[]);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return endAsCommanderSays(error, terminal);
    const failure = describeFailure(error);
    writeFailure(failure, terminal);
    return failure.exitCode;
  } finally {
    mayEnd();
  }
}

function writeFailure(failure: Failure, { isJson, writeNote }: Terminal): void {
  writeNote(isJson ? `${JSON.stringify({ error: failure })}\n` : formatError(failure.message));
}

/** Commander has already printed what is wrong. */
function endAsCommanderSays(error: CommanderError, terminal: Terminal): number {
  if (error.exitCode === 0) return EXIT.ok;
  const isHelp = error.code === "commander.help";
  const message = isHelp ? "a subcommand is missing" : withoutPrefix(error.message);
  if (terminal.isJson) writeFailure({ message, exitCode: EXIT.usage, code: "usage" }, terminal);
  return EXIT.usage;
}

const withoutPrefix = (message: string): string => message.replace(/^error: /, "");

/** `postroom events list | head` closes the pipe once it has read enough. */
export function endQuietlyWhenNobodyReads(argv: readonly string[]): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!isRunning(argv)) process.exit(EXIT.ok);
  });
}

/** These commands own processes and data: they stop on a signal, not because a pipe was closed. */
function isRunning([, , verb, next = "--"]: readonly string[]): boolean {
  return verb === "up" || verb === "serve" || (verb === "tenant" && next.startsWith("--"));
}

/**
 * Makes each command write to `terminal` and throw; by default, Commander writes to the process and exits it.
 */
function speakThrough(command: Command, terminal: Terminal, path: string): void {
  const { write, writeNote, isJson } = terminal;
  command
    .exitOverride()
    .showHelpAfterError(`(${path} --help lists what it takes)`)
    .configureOutput({
      writeOut: write,
      writeErr: isJson ? () => {} : writeNote,
      outputError: (text, writeError) => writeError(formatError(withoutPrefix(text).trimEnd())),
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
    });
  for (const child of command.commands) speakThrough(child, terminal, `${path} ${child.name()}`);
}

/** The command line. Each command is a file beside this one. */
import { Command, CommanderError } from "commander";
import pc from "picocolors";
import { tenantCommand } from "../../tenant/cli.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { auditCommand } from "./audit.ts";
import { describeFailure, EXIT } from "./base/exit.ts";
import { createOutput } from "./base/output.ts";
import { createGraphSubscriptionCommand } from "./create-graph-subscription.ts";
import { dlqCommand } from "./dlq.ts";
import { doctorCommand } from "./doctor.ts";
import { documentsCommand } from "./documents.ts";
import { eventsCommand } from "./events.ts";
import { evidenceCommand } from "./evidence.ts";
import { extractCommand } from "./extract.ts";
import { ingestCommand } from "./ingest.ts";
import { jobsCommand } from "./jobs.ts";
import { loadEvidence } from "./load-evidence.ts";
import { mailboxCommand } from "./mailbox.ts";
import { ordersCommand } from "./orders.ts";
import { peopleCommand } from "./people.ts";
import { reviewCommand } from "./review.ts";
import { sendersCommand } from "./senders.ts";
import { serveCommand } from "./serve.ts";
import { subscriptionsCommand } from "./subscriptions.ts";
import { traceCommand } from "./trace.ts";
import { tradesCommand } from "./trades.ts";
import { upCommand } from "./up.ts";

export function buildCli(): Command {
  const program = new Command("postroom")
    .description(
      "watch Microsoft 365 mailboxes and turn mail into events, trades and filed documents, each exactly once",
    )
    .showHelpAfterError("(run postroom --help for the list of commands)")
    .exitOverride();
  program.addCommand(upCommand());
  program.addCommand(serveCommand());
  program.addCommand(eventsCommand());
  program.addCommand(mailboxCommand());
  program.addCommand(subscriptionsCommand());
  program.addCommand(createGraphSubscriptionCommand());
  program.addCommand(auditCommand());
  program.addCommand(doctorCommand());
  program.addCommand(traceCommand());
  program.addCommand(documentsCommand());
  program.addCommand(tradesCommand());
  program.addCommand(reviewCommand());
  program.addCommand(ordersCommand());
  program.addCommand(sendersCommand());
  program.addCommand(peopleCommand());
  program.addCommand(ingestCommand());
  program.addCommand(extractCommand());
  program.addCommand(
    evidenceCommand({
      loadEvidence,
      clock: systemClock,
      random: systemRandom,
      print: createOutput().line,
      setExitCode: (code) => {
        process.exitCode = code;
      },
    }),
  );
  program.addCommand(jobsCommand());
  program.addCommand(dlqCommand());
  program.addCommand(tenantCommand());
  return program;
}

/** Runs one command; every failure prints one sentence and sets a stable exit code. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const program = buildCli();
  overrideExits(program);
  endQuietlyWhenNobodyReads(argv[2] ?? "");
  try {
    await program.parseAsync(argv as string[]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    const { message, exitCode } = describeFailure(error);
    process.stderr.write(`${pc.red("postroom:")} ${message}\n`);
    process.exitCode = exitCode;
  }
}

/** These commands own processes and data: they stop on a signal, not because a pipe was closed. */
const RUNNING: ReadonlySet<string> = new Set(["up", "serve", "tenant"]);

/** `postroom events list | head` closes the pipe once it has read enough. */
function endQuietlyWhenNobodyReads(verb: string): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!RUNNING.has(verb)) process.exit(EXIT.ok);
  });
}

/** Commander exits the process itself unless every command overrides that. */
function overrideExits(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) overrideExits(child);
}

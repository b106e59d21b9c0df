/** Asks for what a first connection to a tenant needs, tries it, and only then writes the settings. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { type Config, loadConfig } from "../../config.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import { type Connections, createConnections } from "../../mailbox/connections.ts";
import { verifyMailbox } from "../../mailbox/verify-mailbox.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output } from "../base/output.ts";

interface InitOptions {
  readonly tenantId?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly mailbox?: string;
  readonly webhookUrl?: string;
  readonly graphUrl?: string;
  readonly authority?: string;
  readonly folder: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Question {
  readonly option: "tenantId" | "clientId" | "clientSecretFile" | "mailbox" | "webhookUrl";
  readonly setting: string;
  readonly text: string;
  readonly isRequired: boolean;
}

const QUESTIONS: readonly Question[] = [
  ask("tenantId", "GRAPH_TENANT_ID", "tenant ID", true),
  ask("clientId", "GRAPH_CLIENT_ID", "client ID of the app registration", true),
  ask("clientSecretFile", "GRAPH_CLIENT_SECRET_FILE", "file with the app's client secret", true),
  ask("mailbox", "GRAPH_MAILBOX_EMAIL", "mailbox to begin with", true),
  ask("webhookUrl", "GRAPH_WEBHOOK_URL", "public https address, or nothing", false),
];

function ask(
  option: Question["option"],
  setting: string,
  text: string,
  isRequired: boolean,
): Question {
  return { option, setting, text, isRequired };
}

export function initCommand(output: Output = createOutput()): Command {
  return new Command("init")
    .description("connect a tenant: ask for the settings, try them, and write them to .env")
    .option("--tenant-id <id>", "tenant ID")
    .option("--client-id <id>", "client ID of the app registration")
    .option(
      "--client-secret-file <file>",
      "file with the app's client secret; .env gets the path, not the secret",
    )
    .option("--mailbox <address>", "mailbox to begin with")
    .option("--webhook-url <url>", "public https address of the server")
    .option("--graph-url <url>", "address of Graph, for a national cloud or the local tenant")
    .option("--authority <url>", "address of Entra, for a national cloud or the local tenant")
    .option("--folder <folder>", "where to write .env", ".")
    .option("--dry-run", "try the settings and print them without writing")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom init --dry-run")
    .action((options: InitOptions) => init(options, output));
}

async function init(options: InitOptions, output: Output): Promise<void> {
  const settings = await gather(options);
  const config = loadConfig(settings);
  await prove(config, output);
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const file = join(options.folder, ".env");
  if (options.dryRun !== true) await writeNew(file, `${lines.join("\n")}\n`);
  if (options.json) return output.json({ dryRun: options.dryRun === true, file, settings });
  for (const line of lines) output.line(line);
  output.note(
    options.dryRun
      ? "nothing was written"
      : `written to ${file}; start with postroom serve, then run postroom doctor --fix-hints`,
  );
}

/** Options first; a person at a terminal is asked for the others. */
async function gather(options: InitOptions): Promise<Record<string, string>> {
  const given = new Map(QUESTIONS.map(({ option }) => [option, options[option]]));
  const open = QUESTIONS.filter(({ option }) => given.get(option) === undefined);
  if (process.stdin.isTTY === true) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    for (const { option, text } of open)
      given.set(option, (await terminal.question(`${text}: `)).trim() || undefined);
    terminal.close();
  }
  const missing = QUESTIONS.filter(
    ({ option, isRequired }) => isRequired && given.get(option) === undefined,
  );
  if (missing.length > 0)
    throw new CommandError(
      `missing, and there is no terminal to ask for them: ${missing.map(({ text }) => text).join(", ")}`,
      EXIT.usage,
    );
  const file = given.get("clientSecretFile");
  if (file !== undefined) given.set("clientSecretFile", resolve(file));
  const named = QUESTIONS.map(({ option, setting }) => [setting, given.get(option)] as const);
  const addresses = [
    ["GRAPH_BASE_URL", options.graphUrl],
    ["GRAPH_AUTHORITY", options.authority],
  ] as const;
  return Object.fromEntries(
    [...named, ...addresses].filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** Gets a token and reads the mailbox, as the server will. */
async function prove(config: Config, output: Output): Promise<void> {
  const connections = connect(config);
  try {
    await connections.getAccessTokenForMailbox({ connection: "default" });
    if (output.terminal.isWatched) output.note("Entra gives the app a token");
    const address = config.mailboxEmail!;
    const found = await verifyMailbox(connections, "default", address);
    if (!found.isReadable) throw new CommandError(`${address} cannot be read: ${found.reason}`);
  } finally {
    await connections.close();
  }
}

/** An app reads with its own rights, so nothing is kept in a database. */
function connect(config: Config): Connections {
  const database = {
    query: () => Promise.reject(new Error("there is no database before the first start")),
  };
  return createConnections(config.connections, {
    ...{ clock: systemClock, random: systemRandom, database },
  });
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CommandError(
      `${file} already exists and was not changed; --dry-run prints the settings`,
    );
  }
}

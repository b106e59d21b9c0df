/** Asks for what a first connection to a tenant needs, tries it, and only then writes the settings. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { Command } from "commander";
import { whyUnsafeUrl } from "../../config/safe-values.ts";
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
  /** What is wrong with an answer; null if nothing is. */
  readonly problemOf: (answer: string) => string | null;
}

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const mustMatch = (pattern: RegExp, words: string) => (answer: string) =>
  pattern.test(answer) ? null : words;
const mustBeId = mustMatch(ID, "an ID looks like 3f2a61b0-8c1d-4e55-9a10-5f2c3d4e5f60");

export const QUESTIONS: readonly Question[] = [
  {
    option: "tenantId",
    setting: "GRAPH_TENANT_ID",
    text: "tenant ID",
    isRequired: true,
    problemOf: mustBeId,
  },
  {
    ...{
      option: "clientId",
      setting: "GRAPH_CLIENT_ID",
      text: "client ID of the app registration",
    },
    isRequired: true,
    problemOf: mustBeId,
  },
  {
    option: "clientSecretFile",
    setting: "GRAPH_CLIENT_SECRET_FILE",
    text: "file with the app's client secret",
    isRequired: true,
    problemOf: problemOfFile,
  },
  {
    option: "mailbox",
    setting: "GRAPH_MAILBOX_EMAIL",
    text: "mailbox to begin with",
    isRequired: true,
    problemOf: mustMatch(/^[^\s@]+@[^\s@]+$/, "an address looks like ada@example.com"),
  },
  {
    option: "webhookUrl",
    setting: "GRAPH_WEBHOOK_URL",
    text: "public https address, or nothing",
    isRequired: false,
    problemOf: whyUnsafeUrl,
  },
];

function problemOfFile(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() === "" ? `${file} is empty` : null;
  } catch {
    return `${file} cannot be read`;
  }
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
  const file = join(options.folder, ".env");
  // Before anybody has answered anything.
  if (options.dryRun !== true && existsSync(file)) throw alreadyThere(file);
  const settings = await gather(options);
  const config = loadConfig(settings);
  await prove(config, output);
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  if (options.dryRun !== true) await writeNew(file, `${lines.join("\n")}\n`);
  if (options.json) return output.json({ dryRun: options.dryRun === true, file, settings });
  for (const line of lines) output.line(line);
  output.note(
    options.dryRun
      ? "nothing was written"
      : `written to ${file}; start with postroom serve, then run postroom doctor --fix-hints`,
  );
}

const flagOf = (option: string): string =>
  `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Options first; a person at a terminal is asked for the others. */
async function gather(options: InitOptions): Promise<Record<string, string>> {
  const given = new Map<Question["option"], string>();
  for (const { option, problemOf } of QUESTIONS) {
    const value = options[option];
    if (value === undefined) continue;
    const problem = problemOf(value);
    if (problem !== null) throw new CommandError(`${flagOf(option)}: ${problem}`, EXIT.usage);
    given.set(option, value);
  }
  const open = QUESTIONS.filter(({ option }) => !given.has(option));
  if (process.stdin.isTTY === true) {
    const answers = await askPerson(open, process.stdin, process.stderr);
    for (const [option, answer] of answers) given.set(option, answer);
  }
  const missing = QUESTIONS.filter(({ option, isRequired }) => isRequired && !given.has(option));
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

/** A wrong answer is asked for again at once, so that no right one is lost. */
export async function askPerson(
  open: readonly Question[],
  input: Readable,
  output: Writable,
): Promise<Map<Question["option"], string>> {
  const terminal = createInterface({ input, output });
  const answers = new Map<Question["option"], string>();
  try {
    for (const question of open) {
      const answer = await askUntilRight(terminal, question, output);
      if (answer !== "") answers.set(question.option, answer);
    }
  } finally {
    terminal.close();
  }
  return answers;
}

async function askUntilRight(
  terminal: Interface,
  { text, isRequired, problemOf }: Question,
  output: Writable,
): Promise<string> {
  for (;;) {
    const answer = (await terminal.question(`${text}: `)).trim();
    if (answer === "" && !isRequired) return answer;
    const problem = answer === "" ? "this is needed" : problemOf(answer);
    if (problem === null) return answer;
    output.write(`  ${problem}\n`);
  }
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
    clock: systemClock,
    random: systemRandom,
    database,
  });
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw alreadyThere(file);
  }
}

const alreadyThere = (file: string): CommandError =>
  new CommandError(`${file} already exists and was not changed; --dry-run prints the settings`);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { AdminCallError, type AdminClient, createAdminClient } from "../admin/admin-client.ts";

export interface CommonOptions {
  readonly admin?: string;
  readonly json?: boolean;
}

/** Where `postroom up` and `postroom tenant` write the addresses of the running tenant. */
export function homePath(file: string): string {
  return join(process.env["POSTROOM_HOME"] || ".postroom", file);
}

/** Ends a command with one sentence and an exit code: 2 for incorrect usage, 75 for "try again later". */
export class VerbError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

const USAGE = 2;
const TRY_LATER = 75;
/** Status 0 means that there was no response at all. */
const EXIT_OF_STATUS: Readonly<Record<number, number>> = { 0: TRY_LATER, 400: USAGE };

/** A file that the caller named. An error names it too, which Node's own does not do for a folder. */
export function readGivenFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

export const wrongUsage = (message: string): VerbError => new VerbError(message, USAGE);

/** Every command that talks to a running tenant takes the same two options. */
export function withCommonOptions(command: Command): Command {
  return command
    .option(
      "--admin <url>",
      "admin address of the tenant (default: the tenant running in this folder)",
    )
    .option("--json", "print JSON, one object per line");
}

export function connect({ admin }: CommonOptions): AdminClient {
  if (admin !== undefined && !URL.canParse(admin))
    throw wrongUsage(`--admin takes a URL such as http://127.0.0.1:4010/admin, not ${admin}`);
  return createAdminClient(admin ?? readAddress());
}

function readAddress(): string {
  const path = homePath("tenant.json");
  try {
    const { admin } = JSON.parse(readFileSync(path, "utf8")) as { admin?: unknown };
    if (typeof admin === "string") return admin;
  } catch {
    // No file, or an incomplete one: the message below says what to do in both cases.
  }
  throw new VerbError(
    `no tenant is running here (${path} names none); start one with postroom up or postroom tenant, or give --admin URL`,
    TRY_LATER,
  );
}

/** Prints one line of JSON, or text for a person. */
export function print(options: CommonOptions, value: unknown, words: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value) : words}\n`);
}

/**
 * Runs a command. Commander passes the arguments, the options and the command; `--json` is also an option of
 * `tenant` itself, which takes it first, so the options of the parents are read too.
 */
export function verb<A extends unknown[]>(
  run: (...given: A) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    try {
      await run(...([...given.slice(0, -2), command.optsWithGlobals()] as A));
    } catch (error) {
      if (!(error instanceof AdminCallError)) throw withoutPackage(error) ?? error;
      throw new VerbError(error.message, EXIT_OF_STATUS[error.status] ?? 1);
    }
  };
}

/** An installation may lack packages that only a tenant needs. */
function withoutPackage(error: unknown): VerbError | null {
  const { code, message } = error as NodeJS.ErrnoException;
  const missing = code === "ERR_MODULE_NOT_FOUND" && /^Cannot find package '([^']+)'/.exec(message);
  if (!missing) return null;
  const words = `the local tenant needs ${missing[1]}, which is not installed`;
  return new VerbError(`${words}; run "npm install" without --omit=optional`, 1);
}

/**
 * A shell in which `postroom` is the command line of this process: starting a program for each of a hundred lines
 * would take minutes. What must be a program of its own, a server or an endless command, is one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { until } from "../helpers/app.ts";
import { commandsFor } from "../helpers/cli.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { ROOT } from "./sh-blocks.ts";

export const PROGRAM = join(ROOT, "bin/postroom.js");

export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

export interface Shell {
  /** Runs lines as one session and names the first that fails. */
  run(lines: readonly string[], settings: Record<string, string>): Promise<Ended>;
  close(): Promise<void>;
}

/** `\0` ends each word; an empty one separates the words of the command from the shell's environment. */
const PRELUDE = `
set -eo pipefail
trap 'echo "this line failed: $LINE" >&2' ERR
postroom() {
  local code
  code=$({ printf '%s\\0' "$@" ''; env -0; } | curl -sS --unix-socket "$DOOR" --data-binary @- http://shell/)
  cat "$FOLDER/out"; cat "$FOLDER/err" >&2
  return "$code"
}
npx() { if [ "$1" = postroom ]; then shift; postroom "$@"; else (cd "$ROOT"; command npx "$@"); fi; }
npm() { if [ "$1" = start ]; then curl -sf "http://127.0.0.1:$PORT/healthz"; else (cd "$ROOT"; command npm "$@"); fi; }
`;

export async function openShell(
  folder: string,
  server: { readonly home: string; readonly port: number },
  onEndless: () => Promise<void>,
): Promise<Shell> {
  const started: ChildProcess[] = [];
  const door = createServer(async (request, response) => {
    const ended = await carryOut(await text(request)).catch((error: Error) => ({
      ...{ code: 1, out: "", err: `${error.stack}\n` },
    }));
    writeFileSync(join(folder, "out"), ended.out);
    writeFileSync(join(folder, "err"), ended.err);
    response.end(String(ended.code));
  });
  const carryOut = async (body: string) => {
    const words = body.split("\0");
    const end = words.indexOf("");
    const argv = words.slice(0, end);
    const settings = toSettings(words.slice(end + 1));
    if (argv[0] === "serve") return serve(argv, settings, started);
    if (argv[1] === "tail") return followOnce(argv, settings, onEndless);
    // A tenant of its own also goes on until Ctrl-C.
    if (argv[0] === "tenant" && argv[1]!.startsWith("--"))
      return followOnce(argv, settings, async () => {});
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const place = { home: settings["POSTROOM_HOME"]!, port: Number(settings["PORT"]) };
    return commandsFor(place)(argv);
  };
  const socket = join(folder, "door");
  await new Promise<void>((done) => door.listen(socket, done));
  return {
    run: (lines, settings) => {
      const environment = {
        ...{ PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], HOME: folder },
        ...{ POSTROOM_HOME: server.home, PORT: String(server.port) },
        ...{ POSTROOM_TEST_POSTGRES: process.env["POSTROOM_TEST_POSTGRES"] },
        ...{ DOOR: socket, FOLDER: folder, ROOT, ...settings },
      };
      return runBash(lines, folder, environment);
    },
    close: async () => {
      await Promise.all(started.map(stop));
      await new Promise((done) => door.close(done));
    },
  };
}

/** Only what a block may have set: the rest of the shell's environment is ours already. */
function toSettings(words: readonly string[]): Record<string, string> {
  const pairs = words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return Object.fromEntries(pairs.filter(([name]) => /^[A-Z]\w*_|__|^PORT$/.test(name)));
}

async function runBash(
  lines: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const quote = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`;
  const script = lines.map((line) => `LINE=${quote(line)}\n${line}`).join("\n");
  const child = endWithUs(
    spawn("bash", ["-c", `${PRELUDE}\n${script}`], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }),
  );
  const ended = new Promise<number | null>((done) => child.once("close", done));
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, said: said.join("") };
}

type Ran = Awaited<ReturnType<ReturnType<typeof commandsFor>>>;

/** In a terminal the server would keep its line; here it goes on beside the next ones. */
async function serve(
  argv: readonly string[],
  settings: Record<string, string>,
  started: ChildProcess[],
): Promise<Ran> {
  const child = start(argv, settings);
  started.push(child);
  const url = `http://127.0.0.1:${settings["PORT"]}/healthz`;
  await until("the server", () =>
    fetch(url).then(
      ({ ok }) => ok || child.exitCode !== null,
      () => child.exitCode !== null,
    ),
  );
  return { code: child.exitCode ?? 0, out: "", err: "" };
}

/** A command that a person ends with Ctrl-C: it has worked once it prints something. */
async function followOnce(
  argv: readonly string[],
  settings: Record<string, string>,
  onEndless: () => Promise<void>,
): Promise<Ran> {
  const child = start(argv, settings);
  const ended = new Promise<number | null>((done) => child.once("close", done));
  let out = "";
  child.stdout!.on("data", (part: Buffer) => {
    out += part;
  });
  await until("a line", async () => {
    if (out === "") await onEndless();
    return out !== "" || child.exitCode !== null;
  });
  child.kill("SIGINT");
  const code = await ended;
  return { code: code === null || code === 130 ? 0 : code, out, err: "" };
}

const start = (argv: readonly string[], settings: Record<string, string>): ChildProcess =>
  endWithUs(
    spawn(process.execPath, [PROGRAM, ...argv], {
      env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGINT");
  await ended;
}

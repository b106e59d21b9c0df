/**
 * A real PostgreSQL from binaries that npm ships, kept in the home folder. PostgreSQL refuses to run as root,
 * so root starts it as `nobody`; files that `nobody` cannot reach are stored elsewhere.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, join, resolve } from "node:path";
import { systemClock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { commandOf, identityOf } from "../lib/process-identity.ts";
import { systemRandom } from "../lib/random.ts";
import { findRunner, initialise, reachableBinaries } from "./embedded-binaries.ts";
import { findPlace, getPlace, recordFile, recordIdentity } from "./embedded-place.ts";

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has exited, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes everything that it wrote, even behind a link. */
  remove(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The folder that holds the cluster; created if missing. */
  readonly folder: string;
  /** False only if losing data in a power cut does not matter, as in tests. */
  readonly isDurable?: boolean;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const asked = resolve(options.folder);
  const runner = await findRunner();
  const native = await reachableBinaries(runner);
  const place = await findPlace(asked, runner);
  const { folder, password } = place;
  const dataFolder = join(folder, "data");
  if (!existsSync(dataFolder)) {
    await removeDrafts(folder);
    await initialise(native, place, runner);
  }
  await recordIdentity(asked, place);
  await stopLeftOver(dataFolder);

  const port = options.port || (await freePort());
  const server = spawn(
    join(native, "bin", "postgres"),
    ["-D", dataFolder, "-p", String(port), ...settingFlags(options)],
    {
      ...runner,
      stdio: ["ignore", "ignore", "pipe"],
      env: { LC_ALL: "C.UTF-8" },
      cwd: folder,
      detached: true,
    },
  );
  const endWithUs = (): void => void server.kill("SIGINT");
  process.once("exit", endWithUs);
  const ended = new Promise<void>((done) => server.once("exit", () => done()));
  void ended.then(() => process.off("exit", endWithUs));
  await untilReady(server);
  return {
    url: toUrl(password, port),
    port,
    pid: server.pid!,
    ended,
    stop: () => stopServer(server),
    async remove() {
      await stopServer(server);
      await rm(folder, { recursive: true, force: true });
      await rm(asked, { recursive: true, force: true });
      await rm(recordFile(asked), { force: true });
    },
  };
}

const toUrl = (password: string, port: number): string =>
  `postgres://postroom:${password}@127.0.0.1:${port}/postgres`;

/** The URL of the database in this folder if another process runs it; null if nobody does. */
export async function urlOfRunning(folder: string): Promise<string | null> {
  const place = await getPlace(folder);
  if (place === null) return null;
  const dataFolder = join(place.folder, "data");
  const lines = await readFile(join(dataFolder, "postmaster.pid"), "utf8").catch(() => ""); // none while it is stopped
  const [pid, , , port] = lines.split("\n");
  const isOurs = commandOf(Number(pid))?.includes(` -D ${dataFolder} `) === true;
  return isOurs ? toUrl(place.password, Number(port)) : null;
}

function settingFlags(options: EmbeddedOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "128MB",
    max_connections: "200",
    // Only group commits wait for the disk.
    ...(options.isDurable === false
      ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
      : {}),
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Removes what an interrupted first start left behind. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/^data-[0-9a-f-]{36}(?:\.password)?$/.test(name))
      await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * After we are killed with SIGKILL, PostgreSQL may still be running on the folder; it is only ours, so it is
 * stopped. If the process id in the pid file belongs to another program by now, that program is left alone
 * and the file is removed, because PostgreSQL would take that program for itself.
 */
async function stopLeftOver(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
  const isOurs = () => commandOf(pid)?.includes(` -D ${dataFolder} `) === true;
  const identity = identityOf(pid);
  if (identity === null) return;
  if (!isOurs()) return rm(pidFile, { force: true });
  process.kill(pid, "SIGINT");
  while (identityOf(pid) === identity) await systemClock.sleep(50);
}

/**
 * Finds a free port below the range that the system assigns by itself: a port in that range could be taken by
 * another program before the server is up, or while it restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + (systemRandom.bytes(2).readUInt16BE() % 22_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? done(false) : fail(error),
    );
    server.listen(port, "127.0.0.1", () => done(true));
  });
  if (isListening) await new Promise((done) => server.close(done));
  return isListening;
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let output = "";
    server.stderr!.setEncoding("utf8");
    server.stderr!.on("data", (text: string) => {
      output = (output + text).slice(-4_000);
      if (output.includes("database system is ready to accept connections")) done();
    });
    server.once("error", fail);
    server.once("exit", (code) =>
      fail(new Fault("store.unavailable", `PostgreSQL ended with ${code}: ${lastLine(output)}`)),
    );
  });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? basename(text);
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGINT"); // fast shutdown: open transactions roll back, everything committed is kept
  await ended;
}

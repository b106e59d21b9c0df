/**
 * Packages that only tests run and that are too large for the root package: `npm test`, or else the first
 * use, installs them from their own lockfile into `packages/node_modules`.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("./packages/", import.meta.url));
const INSTALL_MS_MAX = 240_000;

/** The folder of the packages. One process installs them; others that start meanwhile wait for it. */
export async function installPackages(): Promise<string> {
  const lock = join(tmpdir(), `postroom-packages-${FOLDER.replaceAll(/\W/g, "-")}`);
  if (!existsSync(lock) && (await isInstalled())) return FOLDER;
  if (!(await takeLock(lock))) return installPackages();
  try {
    if (!(await isInstalled())) await install();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
  return FOLDER;
}

/** Whether the packages have the versions that are wanted; an older checkout may have installed fewer. */
async function isInstalled(): Promise<boolean> {
  // npm writes this file last.
  if (!existsSync(join(FOLDER, "node_modules/.package-lock.json"))) return false;
  const { dependencies } = await readPackage(FOLDER);
  const fits = await Promise.all(
    Object.entries(dependencies!).map(async ([name, version]) => {
      const installed = await readPackage(join(FOLDER, "node_modules", name)).catch(() => null);
      return installed?.version === version;
    }),
  );
  return fits.every(Boolean);
}

async function readPackage(
  folder: string,
): Promise<{ version?: string; dependencies?: Record<string, string> }> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    await utimes(lock, Date.now() / 1000, Date.now() / 1000);
    return true;
  } catch {
    const age = await stat(lock).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > INSTALL_MS_MAX) await rm(lock, { recursive: true, force: true });
    else await new Promise((later) => setTimeout(later, 250));
    return false;
  }
}

async function install(): Promise<void> {
  // A link leads to the packages of another checkout, which npm would remove.
  const modules = join(FOLDER, "node_modules");
  const found = await lstat(modules).catch(() => null);
  if (found?.isSymbolicLink()) await rm(modules);
  const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const child = spawn("npm", args, { cwd: FOLDER, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-2_000);
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), INSTALL_MS_MAX);
  const code = await new Promise<number | null>((ended) => child.once("exit", ended));
  clearTimeout(limit);
  if (code === 0) return;
  const said = output.split("\n").filter((text) => text !== "" && !text.includes("complete log"));
  const reason = said.slice(0, 3).join("; ") || `no answer within ${INSTALL_MS_MAX / 1000} s`;
  const line = `packages of the tests could not be installed (npm ci in test/servers/packages): ${reason}`;
  process.stderr.write(`${line}\n`);
  throw new Error(line);
}

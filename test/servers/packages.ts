/**
 * Packages that only tests run and that are too large for the root package: `npm test`, or else the first
 * use, installs them from their own lockfile into the `node_modules` beside it.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

type Packages = "packages" | "office-packages" | "model-packages";
const INSTALL_MS_MAX = 240_000;

/** The folder of the packages. One process installs them; others that start meanwhile wait for it. */
export async function installPackages(packages: Packages = "packages"): Promise<string> {
  const folder = fileURLToPath(new URL(`./${packages}/`, import.meta.url));
  const lock = join(tmpdir(), `postroom-packages-${folder.replaceAll(/\W/g, "-")}`);
  if (!existsSync(lock) && (await isInstalled(folder))) return folder;
  if (!(await takeLock(lock))) return installPackages(packages);
  try {
    if (!(await isInstalled(folder))) await install(folder);
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
  return folder;
}

/** Whether the packages have the versions that are wanted; an older checkout may have installed fewer. */
async function isInstalled(folder: string): Promise<boolean> {
  // npm writes this file last.
  if (!existsSync(join(folder, "node_modules/.package-lock.json"))) return false;
  const { dependencies } = await readPackage(folder);
  const fits = await Promise.all(
    Object.entries(dependencies!).map(async ([name, version]) => {
      const installed = await readPackage(join(folder, "node_modules", name)).catch(() => null);
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

async function install(folder: string): Promise<void> {
  // A link leads to the packages of another checkout, which npm would remove.
  const modules = join(folder, "node_modules");
  const found = await lstat(modules).catch(() => null);
  if (found?.isSymbolicLink()) await rm(modules);
  const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
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
  const line = `packages of the tests could not be installed (npm ci in ${folder}): ${reason}`;
  process.stderr.write(`${line}\n`);
  throw new Error(line);
}

/**
 * Finds the console, or builds it: a package ships it built, a checkout builds it at the first start and again when
 * its sources changed. The build runs in a separate process, beside everything else that starts.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ConsoleFiles, loadConsoleFiles } from "../../api/console/console-files.ts";
import { processEnvironment } from "../../config.ts";
import { systemClock } from "../../lib/clock.ts";
import { key16, sha256Hex } from "../../lib/hash.ts";
import { systemRandom } from "../../lib/random.ts";

export type FoundConsole = ConsoleFiles | { readonly missing: string };

/** Never rejects: without its console the server still does its work, and says what is missing. */
export async function openConsoleFiles(say: (line: string) => void): Promise<FoundConsole> {
  try {
    const packed = join(import.meta.dirname, "../../../console");
    const checkout = join(import.meta.dirname, "../../..");
    if (!existsSync(join(checkout, "console/src"))) return await loadConsoleFiles(packed);
    return await loadConsoleFiles(await ensureBuilt(checkout, say));
  } catch (error) {
    const missing = `The build failed: ${(error as Error).message}`;
    say(`the console is missing. ${missing}`);
    return { missing };
  }
}

async function ensureBuilt(checkout: string, say: (line: string) => void): Promise<string> {
  const cache = join(checkout, "node_modules/.cache/postroom-console");
  const name = await sourceKey(checkout);
  const built = join(cache, name);
  if (existsSync(built)) return built;
  if (!existsSync(join(checkout, "node_modules/vite")))
    throw new Error("vite is not installed; run `npm ci` with development dependencies");
  say("building the console (only now and after its sources change)…");
  const startedMs = systemClock.now();
  await mkdir(cache, { recursive: true });
  const draft = join(cache, `draft-${systemRandom.uuid()}`);
  try {
    await runBuild(checkout, draft);
    await removeOthers(cache, draft);
    // Two servers may build at once; both results are the same, and the second rename fails.
    await rename(draft, built).catch((error: unknown) => {
      if (!existsSync(built)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  say(`built the console in ${((systemClock.now() - startedMs) / 1_000).toFixed(1)} s`);
  return built;
}

/** Changes with every source of the console and with every dependency. */
async function sourceKey(checkout: string): Promise<string> {
  const root = join(checkout, "console");
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = [...paths, join(checkout, "package-lock.json")];
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(path)] as const));
  return key16(...texts.map(([path, bytes]) => `${path} ${sha256Hex(bytes)}`));
}

function runBuild(checkout: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [join(checkout, "scripts/build-console.js"), folder], {
    cwd: checkout,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...processEnvironment(), NODE_ENV: "production" } as NodeJS.ProcessEnv,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2_000);
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) =>
      code === 0 ? done() : fail(new Error(complaint.trim() || `exit code ${code}`)),
    );
  });
}

/** Builds of older sources; a server that runs has its files in memory. */
async function removeOthers(cache: string, draft: string): Promise<void> {
  const names = (await readdir(cache)).filter(
    (name) => !name.startsWith("draft-") && join(cache, name) !== draft,
  );
  for (const name of names) await rm(join(cache, name), { recursive: true, force: true });
}

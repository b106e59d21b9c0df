import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { sha256Hex } from "../lib/hash.ts";
import { systemRandom } from "../lib/random.ts";

/**
 * The main program of a child as one file with its libraries, so that a child needs no other file of
 * ours. A build contains it; a checkout builds it from its sources when they have changed.
 */
export function childProgram(): string {
  const built = join(import.meta.dirname, "sandbox-child.mjs");
  if (existsSync(built)) return built;
  const folder = join(import.meta.dirname, "../../node_modules/.cache/postroom");
  const file = join(folder, `sandbox-child-${hashOfSources()}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Written under another name first, because another process may write it at the same time.
  const draft = `${file}.${systemRandom.uuid()}`;
  bundleChild(draft);
  renameSync(draft, file);
  return file;
}

export function bundleChild(outfile: string): void {
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  buildSync({
    entryPoints: [join(import.meta.dirname, `sandbox-child.${extension}`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    // Libraries in CommonJS call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
}

/** The child contains files of these folders and libraries of the lock file. */
function hashOfSources(): string {
  const sourceFolder = dirname(import.meta.dirname);
  const sources = [import.meta.dirname, join(sourceFolder, "lib")].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const lock = join(dirname(sourceFolder), "package-lock.json");
  const texts = [lock, ...sources.sort()].map((path) => readFileSync(path, "utf8"));
  return sha256Hex(texts.join("\0")).slice(0, 16);
}

import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { childProgram } from "../src/reading/child-program.ts";

const CACHE = fileURLToPath(new URL("../node_modules/.cache/bench/", import.meta.url));

const MIGRATIONS = fileURLToPath(new URL("../src/store/migrations/", import.meta.url));

/**
 * Compiles a program of this folder to plain JavaScript, as it runs in production, so that its memory and time do
 * not include a compiler.
 */
export async function bundleProgram(program: URL): Promise<URL> {
  const file = fileURLToPath(program);
  // These are read beside the program.
  await cp(MIGRATIONS, join(CACHE, "migrations"), { recursive: true });
  await cp(childProgram(), join(CACHE, "sandbox-child.mjs"));
  const outfile = join(CACHE, basename(file).replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  return pathToFileURL(outfile);
}

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const CACHE = fileURLToPath(new URL("../node_modules/.cache/bench/", import.meta.url));

/** A program of this folder as plain JavaScript, so that its memory is not that of a compiler. */
export async function bundleProgram(file: string): Promise<string> {
  const outfile = join(CACHE, file.replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
}

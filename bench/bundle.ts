import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const CACHE = fileURLToPath(new URL("../node_modules/.cache/bench/", import.meta.url));

/** A program of this folder as plain JavaScript, so that its memory is not that of a compiler. */
export async function bundleProgram(program: URL): Promise<URL> {
  const file = fileURLToPath(program);
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

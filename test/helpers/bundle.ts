import { mkdir } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/test-programs/", import.meta.url));

/**
 * One JavaScript file of a TypeScript program, so that a killed one is back in a tenth of a second.
 * `standsFor` is the source file whose neighbours on disk the program looks for.
 */
export async function bundleProgram(entry: URL, standsFor?: URL): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const name = basename(fileURLToPath(entry)).replace(/\.ts$/, "");
  const outfile = `${CACHE}${name}-${process.pid}.mjs`;
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
    ...(standsFor ? { define: { "import.meta.url": JSON.stringify(standsFor.href) } } : {}),
  });
  return outfile;
}

import { cp, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { childProgram } from "../../src/reading/child-program.ts";
import { afterEachFile } from "./after-file.ts";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/test-programs/", import.meta.url));

const made = new Set<string>();
afterEachFile(async () => {
  for (const file of made) await rm(file, { force: true });
  made.clear();
});

/**
 * Bundles a TypeScript program and all its packages into one JavaScript file, so that a killed process is back in
 * half a second: finding and opening thousands of package files would take as long again.
 * `standsFor` is the source file whose neighbours on disk the program looks for.
 */
export async function bundleProgram(entry: URL, standsFor?: URL): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  await putChildBeside();
  const name = basename(fileURLToPath(entry)).replace(/\.ts$/, "");
  const outfile = `${CACHE}${name}-${process.pid}.mjs`;
  made.add(outfile);
  const from = standsFor ?? entry;
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // Defines what packages that are not ES modules expect.
    banner: {
      js: `import { createRequire as createRequireHere } from "node:module";
const require = createRequireHere(${JSON.stringify(from.href)});
const __filename = ${JSON.stringify(fileURLToPath(from))};
const __dirname = ${JSON.stringify(dirname(fileURLToPath(from)))};`,
    },
    // Reads files beside its own.
    external: ["@fastify/swagger-ui"],
    logLevel: "error",
    define: { "import.meta.url": JSON.stringify(from.href) },
  });
  return outfile;
}

/** As in a build, the program of the sandbox's child is a file beside the program. */
async function putChildBeside(): Promise<void> {
  const draft = `${CACHE}sandbox-child-${process.pid}.mjs`;
  await cp(childProgram(), draft);
  await rename(draft, `${CACHE}sandbox-child.mjs`);
}

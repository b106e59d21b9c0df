// Compiles to dist/ and copies what is not TypeScript.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

rmSync("dist", { recursive: true, force: true });
execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
const { bundleChild } = await import("../dist/src/reading/child-program.js");
bundleChild("dist/src/reading/sandbox-child.mjs");
for (const root of ["src", "tenant"]) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.ts$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    cpSync(path, join("dist", path));
  }
}
execFileSync(process.execPath, ["scripts/build-console.js", "dist/console"], { stdio: "inherit" });

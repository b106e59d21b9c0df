#!/usr/bin/env node
// A checkout runs its sources; an installed package contains only the build.
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Postroom needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(2);
}
const source = new URL("../src/main.ts", import.meta.url);
const build = new URL("../dist/src/main.js", import.meta.url);
// What runs sources is an optional package.
const loader = existsSync(source) ? await import("tsx/esm/api").catch(() => null) : null;
if (loader !== null) {
  loader.register();
  await import(source.href);
} else if (existsSync(build)) {
  await import(build.href);
} else {
  console.error('Postroom is not built here; run "npm install" without --omit=optional.');
  process.exit(2);
}

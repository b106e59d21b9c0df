#!/usr/bin/env node
// A checkout runs its sources; an installed package contains only the build.
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Postroom needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(2);
}
const source = new URL("../src/main.ts", import.meta.url);
if (existsSync(source)) {
  const { register } = await import("tsx/esm/api");
  register();
  await import(source.href);
} else {
  await import("../dist/src/main.js");
}

// Builds the console into a folder: `node scripts/build-console.js FOLDER`. Every text file is also stored as Brotli
// and gzip, so that the server compresses nothing.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const folder = resolve(process.argv[2] ?? "dist/console");
// Uses React's production build, whatever the caller's environment says.
process.env.NODE_ENV = "production";
await build({
  configFile: resolve(import.meta.dirname, "../console/vite.config.ts"),
  build: { outDir: folder, emptyOutDir: true },
  mode: "production",
  logLevel: "warn",
});

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const text = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
}

/** A copy of the sources that may be broken, with a PostgreSQL of its own for the tests. */
import { spawn } from "node:child_process";
import { chmod, cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { register } from "tsx/esm/api";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RUN_MS_MAX = 300_000;

export async function openBench() {
  const folder = await prepareCopy();
  const postgres = await startPostgres(join(folder, "pg"));
  const close = async () => {
    await postgres.admin.end();
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => void close().finally(() => process.exit(1)));
  return {
    folder,
    postgresUrl: postgres.url,
    /** Whether the tests pass. A run that does not end has noticed the change, too. */
    async testsPass(tests) {
      const passed = await runTests(folder, postgres.url, tests);
      await dropTestDatabases(postgres.admin);
      return passed;
    },
    close,
  };
}

/** Spread evenly over all. */
export function sampleOf(all, count) {
  const step = all.length / Math.min(count, all.length);
  return Array.from({ length: Math.min(count, all.length) }, (_, n) => all[Math.floor(n * step)]);
}

const CONFIG = `export default { test: {
  globalSetup: ["setup.ts"], setupFiles: ["test/helpers/file-setup.ts"],
  maxWorkers: 2, testTimeout: 60000, hookTimeout: 120000, bail: 1, expect: { poll: { timeout: 15000 } },
} };`;
const SETUP = `export default (project) => project.provide("postgresUrl", process.env.MUTATE_URL);`;
async function prepareCopy() {
  const copy = await mkdtemp("/var/tmp/postroom-mutants-");
  // Started by root, PostgreSQL runs as another user, who has to pass through here.
  await chmod(copy, 0o755);
  for (const path of [
    "src",
    "tenant",
    "test",
    "bin",
    "docs",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ]) {
    await cp(join(ROOT, path), join(copy, path), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await writeFile(join(copy, "vitest.config.ts"), CONFIG);
  await writeFile(join(copy, "setup.ts"), SETUP);
  return copy;
}

/** One server for all changes, with the migrated template that the tests copy. */
async function startPostgres(folder) {
  register();
  const { startEmbeddedPostgres } = await import("../../src/store/embedded-postgres.ts");
  const { openDatabase } = await import("../../src/store/database.ts");
  const { migrate } = await import("../../src/store/migrate.ts");
  const settings = { max_connections: "400", autovacuum: "off" };
  const postgres = await startEmbeddedPostgres({ folder, isDurable: false, settings });
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query("CREATE DATABASE postroom_template");
  const template = openDatabase({ url: postgres.url.replace(/\/postgres$/, "/postroom_template") });
  await migrate(template);
  await template.close();
  return { ...postgres, admin };
}

async function dropTestDatabases(admin) {
  const { rows } = await admin.query(
    "SELECT datname FROM pg_database WHERE datname ~ '^(test|empty)_'",
  );
  for (const { datname } of rows) await admin.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
}

function runTests(folder, url, tests) {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--reporter=dot", ...tests], {
    cwd: folder,
    env: { ...process.env, MUTATE_URL: url, NO_COLOR: "1" },
    stdio: process.env.MUTATE_SHOW ? "inherit" : "ignore",
    detached: true,
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), RUN_MS_MAX);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

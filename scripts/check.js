// All checks that do not run the code, fast ones first.
import { spawnSync } from "node:child_process";

const CHECKS = [
  ["format and lint", "node_modules/.bin/biome", ["check", "."]],
  ["types", "node_modules/.bin/tsc", ["-p", "."]],
  ["types of the console", "node_modules/.bin/tsc", ["-p", "console"]],
  [
    "promises",
    "node_modules/.bin/oxlint",
    ["--type-aware", "-A", "all", "-D", "typescript/no-floating-promises", "src", "tenant"],
  ],
  ["tidy", "node_modules/.bin/vitest", ["run", "--config", "vitest.tidy.config.ts"]],
  ["unused exports", "node_modules/.bin/knip", ["--no-progress"]],
];

const failed = CHECKS.filter(([name, command, args]) => {
  const started = performance.now();
  const result = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "1" },
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${result.status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (result.status !== 0) console.log(result.stdout + result.stderr);
  return result.status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);

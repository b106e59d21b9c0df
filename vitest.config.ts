import { configDefaults, defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/helpers/slowest-first.ts";

/** Suites that only the long run has: they run other suites again under instruments, or measure time. */
const LONG = ["test/ingest/coverage.test.ts", "test/watching/secret-timing.test.ts"];

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tenant/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(process.env["POSTROOM_LONG"] ? [] : LONG)],
    globalSetup: ["test/helpers/global-setup.ts"],
    // Two cores: each file may start servers of its own, so more workers only make them wait.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // Most of what tests make is short-lived: with room for it the collector takes half as long.
    execArgv: ["--max-semi-space-size=64"],
    // A condition that is waited for is a matter of truth, not of speed: limits are for tests that are wrong.
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
  },
});

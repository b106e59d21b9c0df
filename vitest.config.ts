import { configDefaults, defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/helpers/slowest-first.ts";

/** Suites for the long run only: they measure time, or need an older version from the history. */
const LONG = ["test/watching/secret-timing.test.ts", "test/upgrade/upgrade.test.ts"];

const exclude = [...configDefaults.exclude, ...(process.env["POSTROOM_LONG"] ? [] : LONG)];

export default defineConfig({
  test: {
    include: ["src", "tenant", "test", "bench"].map((folder) => `${folder}/**/*.test.ts`),
    exclude,
    // Nothing is kept in modules, so that a worker need not load the sources again for each file.
    isolate: false,
    setupFiles: ["test/helpers/file-setup.ts"],
    globalSetup: ["test/helpers/global-setup.ts"],
    // Each file may start its own servers, so on two cores more workers only make them wait.
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // Most objects in tests are short-lived: with room for them garbage collection takes half as long.
    execArgv: ["--max-semi-space-size=64"],
    // Waits are about conditions, not speed: the limits only catch tests that are wrong.
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
  },
});

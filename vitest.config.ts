import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tenant/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: ["test/helpers/global-setup.ts"],
    // Two cores: each file may start servers of its own, so more workers only make them wait.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] ? ["default"] : ["default"],
  },
});

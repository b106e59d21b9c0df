import { defineConfig } from "vitest/config";

/** Tests that only read files and need no database. */
export default defineConfig({
  test: { include: ["test/tidy/*.test.ts", "test/docs/walks.test.ts"] },
});

import { defineConfig } from "vitest/config";

/** The tidy test alone: it reads files and needs no database. */
export default defineConfig({ test: { include: ["test/tidy/*.test.ts"] } });

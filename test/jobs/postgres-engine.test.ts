import { createPostgresEngine } from "../../src/jobs/engines/postgres.ts";
import { createLog } from "../../src/lib/log.ts";
import { testEngine } from "./engine-contract.suite.ts";

testEngine({
  name: "the Postgres engine",
  open: async (database) =>
    createPostgresEngine({ database, log: createLog({ level: "warn" }), pollMs: 50 }),
});

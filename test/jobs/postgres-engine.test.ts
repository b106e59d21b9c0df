import { openEngine } from "../../src/jobs/open-engine.ts";
import { createLog } from "../../src/lib/log.ts";
import type { EngineUnderTest } from "./contract/workshop.ts";
import { testEngine } from "./engine-contract.suite.ts";

const postgres: EngineUnderTest = {
  name: "the Postgres engine",
  async place(database) {
    const choice = { kind: "postgres", pollMs: 100 } as const;
    const hasBoss = await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'");
    if (hasBoss.rowCount > 0) await database.query("TRUNCATE pgboss.job");
    return {
      choice,
      open: async () => openEngine(choice, { database, log: createLog({ level: "silent" }) }),
      async sendRaw(queue, body) {
        await database.query(`INSERT INTO pgboss.job (name, data) VALUES ($1, $2)`, [
          queue,
          toJson(body),
        ]);
      },
      async lose() {
        await database.query("TRUNCATE pgboss.job");
      },
    };
  },
};

/** The column takes JSON only, so text that is none goes in as a string. */
function toJson(body: string): string {
  try {
    JSON.parse(body);
    return body;
  } catch {
    return JSON.stringify(body);
  }
}

testEngine(postgres);

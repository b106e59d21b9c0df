/** A worker that indexes and profiles documents and ends when nothing is left to do. */
import { startApp } from "../../../src/app.ts";
import { loadConfig, processEnvironment } from "../../../src/config.ts";
import { systemClock } from "../../../src/lib/clock.ts";

const app = await startApp(loadConfig(processEnvironment()), { roles: ["worker"] });

async function isAllDone(): Promise<boolean> {
  const { rows } = await app.database.query<{ open: number }>(
    "SELECT count(*) AS open FROM postroom.job WHERE is_open AND type IN ('document-processing', 'ai-analyze')",
  );
  return rows[0]!.open === 0;
}

while (!(await isAllDone())) await systemClock.sleep(100);
await app.stop();
process.exit(0);

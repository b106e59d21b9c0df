import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createJobs } from "../../src/jobs/service/create-jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded-postgres.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openEngine } from "../helpers/open-engine.ts";
import { signalPostgres } from "../helpers/signal-postgres.ts";
import { countingHandler, countJob, numbered, QUICK, range } from "./contract/workshop.ts";

it("no job is lost, run twice or charged an attempt while the database hangs or is killed and restarted [R36]", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postroom-outage-"));
  let server = await startEmbeddedPostgres({ folder });
  const database = openDatabase({ url: server.url, statementTimeoutMs: 1_500 });
  await migrate(database);
  await database.query("CREATE TABLE effect (n int NOT NULL)");
  const log = createLog({ level: "silent" });
  const jobs = createJobs({
    database,
    engine: openEngine({ kind: "postgres", pollMs: 100 }, { database, log }),
    clock: systemClock,
    random: systemRandom,
    log,
    metrics: new Registry(),
    handlers: [countingHandler({ batchSize: 5 })],
    settings: { ...QUICK, leaseMs: 2_000, sweepMs: 300, graceMs: 1_000 },
  });
  await jobs.start();
  const add = async (from: number) => {
    for (;;) {
      const added = await database
        .transaction((tx) => jobs.queue.add(tx, countJob, numbered(100, from)))
        .catch((error: { code?: string }) => {
          // Right after an outage a statement may also be slow.
          if (error.code !== "store.unavailable" && error.code !== "store.slow") throw error;
          return null;
        });
      if (added !== null) return;
    }
  };

  await add(0);
  signalPostgres(server, "SIGSTOP");
  // Each of these takes as long as a lease.
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "store.unavailable" });
  }
  signalPostgres(server, "SIGCONT");
  await add(100);

  const { port } = server;
  process.kill(server.pid, "SIGQUIT"); // crash: nothing is written out, recovery follows
  await server.stop();
  server = await startEmbeddedPostgres({ folder, port });
  await add(200);

  const effects = async () => {
    const { rows } = await database.query<{ n: number }>("SELECT n FROM effect ORDER BY n");
    return rows.map((row) => row.n);
  };
  await expect.poll(() => effects().catch(() => []), { interval: 100 }).toEqual(range(300));
  await jobs.workUntilIdle();
  expect(await effects()).toEqual(range(300));
  const { rows } = await database.query("SELECT DISTINCT attempt, state FROM postroom.job");
  expect(rows).toEqual([{ attempt: 1, state: "Completed" }]);
  await jobs.stop();
  await database.close();
  await server.remove();
});

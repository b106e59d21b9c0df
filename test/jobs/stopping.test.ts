import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { handle } from "../../src/jobs/handler.ts";
import { success } from "../../src/jobs/outcome.ts";
import { createJobs } from "../../src/jobs/service/create-jobs.ts";
import { WORKER_LEASE } from "../../src/jobs/worker-table.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbeddedPostgres } from "../../src/store/embedded-postgres.ts";
import { startLeaseThread } from "../../src/store/lease-thread.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openEngine } from "../helpers/open-engine.ts";
import { startRedis } from "../helpers/redis.ts";
import { usePostgresEngine } from "./contract/places.ts";
import { countingHandler, countJob, numbered, QUICK, useWorkshop } from "./contract/workshop.ts";

const shop = useWorkshop(usePostgresEngine());
const log = createLog({ level: "silent" });

it("stopping ends even when the database is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postroom-stop-"));
  const server = await startEmbeddedPostgres({ folder, isDurable: false });
  const database = openDatabase({ url: server.url, statementTimeoutMs: 1_000 });
  await migrate(database);
  const jobs = createJobs({
    database,
    engine: openEngine({ kind: "postgres" }, { database, log }),
    clock: systemClock,
    random: systemRandom,
    log,
    metrics: new Registry(),
    handlers: [countingHandler()],
    settings: QUICK,
  });
  await jobs.start();
  await server.remove();
  await jobs.stop();
  await database.close();
});

it("an engine that refuses to start leaves no connection open", async () => {
  const redis = await startRedis(["--maxmemory", "8mb", "--maxmemory-policy", "allkeys-lru"]);
  const jobs = createJobs({
    database: shop.database,
    engine: openEngine(
      { kind: "redis", connectionString: redis.url },
      { database: shop.database, log },
    ),
    clock: systemClock,
    random: systemRandom,
    log,
    metrics: new Registry(),
  });
  await expect(jobs.start()).rejects.toThrow("noeviction");
  await expect(jobs.engine.depth("documents")).rejects.toThrow(/closed/i);
  await redis.stop();
});

it("a worker whose lease was removed gets another one and continues [H-04]", async () => {
  const jobs = await shop.open([countingHandler()], { settings: { leaseMs: 400 } });
  await shop.database.query("DELETE FROM postroom.job_worker");
  await shop.add(jobs, countJob, numbered(3));
  await expect.poll(() => shop.effects()).toEqual([0, 1, 2]);
});

it("many batches at once give no warning of Node about their listeners", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  let [begun, letGo] = [0, () => {}];
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const waiting = handle(
    countJob,
    async (job, run) => {
      begun += 1;
      await gate;
      return run.commit([job], async () => success());
    },
    { concurrency: 20 },
  );
  const jobs = await shop.open([waiting]);
  await shop.add(jobs, countJob, numbered(20));
  await expect.poll(() => begun).toBe(20);
  letGo();
  await expect
    .poll(async () => (await shop.rows()).every(({ state }) => state === "Completed"))
    .toBe(true);
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

it("a heartbeat reports a lease that is gone and a database that it cannot reach [H-04]", async () => {
  const beats: string[] = [];
  const thread = startLeaseThread({
    url: shop.database.url,
    table: WORKER_LEASE,
    holder: { id: -1 },
    leaseMs: 200,
    onBeat: (beat) => beats.push(beat),
  });
  await expect.poll(() => beats[0]).toBe("gone");
  await thread.stop();
  const lost = startLeaseThread({
    url: "postgres://x:y@127.0.0.1:1/z",
    table: WORKER_LEASE,
    holder: { id: 1 },
    leaseMs: 200,
    onBeat: (beat) => beats.push(beat),
  });
  await expect.poll(() => beats.includes("failed")).toBe(true);
  await lost.stop();
});

/**
 * A worker process that a test kills. It takes its orders as JSON, prints "working" when it has begun,
 * and writes one row per effect without any uniqueness, so a doubled effect would show.
 */
import { Registry } from "prom-client";
import * as z from "zod";
import type { JobHandler } from "../../src/jobs/handler.ts";
import { defineJob } from "../../src/jobs/job.ts";
import { createJobs } from "../../src/jobs/service/create-jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { armKill } from "../../src/lib/kill-points.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { openDatabase } from "../../src/store/database.ts";
import { type EngineChoice, openEngine } from "../helpers/open-engine.ts";

export interface KillOrders {
  readonly databaseUrl: string;
  readonly choice: EngineChoice;
  /** A kill point, as `jobs.handler-done` or `jobs.handler-done:2`; null lives until it is killed from outside. */
  readonly killAt: string | null;
  readonly leaseMs: number;
  /** How long a handler blocks the whole event loop. */
  readonly blockMs: number;
}

const orders = JSON.parse(process.argv[2]!) as KillOrders;
if (orders.killAt !== null) armKill(orders.killAt);

const database = openDatabase({ url: orders.databaseUrl, connections: 5 });
const log = createLog({ level: "silent" });
const spec = defineJob({
  type: "count",
  queue: "documents",
  payload: z.object({ n: z.number() }),
  maxAttempts: 5,
});

const handler: JobHandler<{ n: number }> = {
  spec,
  batchSize: 4,
  concurrency: 2,
  async process(jobs, run) {
    process.stdout.write("begun\n");
    if (orders.blockMs > 0) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, orders.blockMs);
    }
    return run.commit(jobs, async (tx) => {
      const numbers = jobs.map((job) => job.payload.n);
      await tx.query("INSERT INTO effect SELECT unnest($1::int[])", [numbers]);
      return jobs.map(() => ({ isSuccess: true as const }));
    });
  },
};

const jobs = createJobs({
  database,
  engine: openEngine(orders.choice, { database, log }),
  clock: systemClock,
  random: systemRandom,
  log,
  metrics: new Registry(),
  handlers: [handler],
  settings: { leaseMs: orders.leaseMs, sweepMs: 300, graceMs: 1_000 },
});
await jobs.start();
process.stdout.write("working\n");
// Timers of the service keep no process alive; this one ends by being killed.
setInterval(() => {}, 60_000);

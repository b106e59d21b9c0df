/** What every engine must do. An engine that passes is an engine. */
import { Registry } from "prom-client";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createJobs, type Jobs, type JobsOptions } from "../../src/jobs/create-jobs.ts";
import type { JobEngine } from "../../src/jobs/engine.ts";
import { handle, type JobHandler } from "../../src/jobs/handler.ts";
import { defineJob } from "../../src/jobs/job.ts";
import { failure, success } from "../../src/jobs/outcome.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { Database } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";

export interface EngineUnderTest {
  readonly name: string;
  open(database: Database): Promise<JobEngine>;
}

const log = createLog({ level: "silent" });
const quick = { retry: { firstMs: 20, capMs: 50 }, wait: { firstMs: 20, capMs: 50 } };
const Numbered = z.object({ n: z.number() });

export function testEngine(under: EngineUnderTest): void {
  describe(under.name, () => {
    let database: Database;
    const running: Jobs[] = [];
    beforeAll(async () => {
      database = await freshDatabase();
      await database.query("CREATE TABLE effect (n int, worker int)");
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
      await database.query("TRUNCATE postroom.job, postroom.job_outbox, effect");
    });

    const open = async (handlers: JobHandler[], more: Partial<JobsOptions> = {}): Promise<Jobs> => {
      const jobs = createJobs({
        database,
        engine: await under.open(database),
        clock: systemClock,
        random: systemRandom,
        log,
        metrics: new Registry(),
        handlers,
        ...more,
        settings: { rules: quick, stopWithinMs: 2_000, ...more.settings },
      });
      running.push(jobs);
      await jobs.start();
      return jobs;
    };
    const spec = defineJob({ type: "count", queue: "documents", payload: Numbered });
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        subjectId: `s${from + i}`,
        idempotencyKey: `count-${from + i}`,
        payload: { n: from + i },
      }));
    const effects = async () =>
      (await database.query<{ n: number }>("SELECT n FROM effect ORDER BY n")).rows.map((r) => r.n);

    it("runs every added job once, in batches, with effects and done marks together [JOB-07]", async () => {
      const counting: JobHandler<{ n: number }> = {
        spec,
        batchSize: 50,
        concurrency: 2,
        process: (jobs, run) =>
          run.commit(jobs, async (tx) => {
            await tx.query("INSERT INTO effect SELECT unnest($1::int[])", [
              jobs.map((job) => job.payload.n),
            ]);
            return jobs.map(() => success());
          }),
      };
      const jobs = await open([counting]);
      await database.transaction((tx) => jobs.queue.add(tx, spec, numbered(0, 500)));
      await jobs.workUntilIdle();
      expect(await effects()).toEqual(Array.from({ length: 500 }, (_, i) => i));
    });

    it("a retryable failure comes again with a counted attempt, and the last one is a dead letter [JOB-08] [JOB-09]", async () => {
      const attempts: number[] = [];
      const jobs = await open([
        handle(spec, async (job) => {
          attempts.push(job.attempt);
          return failure("broken", "it broke");
        }),
      ]);
      await database.transaction((tx) => jobs.queue.add(tx, spec, numbered(0, 1)));
      await expect
        .poll(async () => {
          await jobs.workUntilIdle();
          return attempts;
        })
        .toEqual([1, 2, 3]);
      const { rows } = await database.query("SELECT state, error_code, is_dead FROM postroom.job");
      expect(rows).toEqual([{ state: "Failed", error_code: "broken", is_dead: true }]);
    });
  });
}

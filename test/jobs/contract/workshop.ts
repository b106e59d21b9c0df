/** What the parts of the engine contract share: a place for messages, a database, running jobs. */
import { Writable } from "node:stream";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import * as z from "zod";
import type { JobEngine } from "../../../src/jobs/engine.ts";
import type { JobHandler } from "../../../src/jobs/handler.ts";
import { defineJob, type JobSpec, type NewJob } from "../../../src/jobs/job.ts";
import { createJobs, type Jobs, type JobsOptions } from "../../../src/jobs/service/create-jobs.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createLog } from "../../../src/lib/log.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import type { Database } from "../../../src/store/database.ts";
import { freshDatabase } from "../../helpers/database.ts";
import type { EngineChoice } from "../../helpers/open-engine.ts";

/** An engine as the contract sees it. */
export interface EngineUnderTest {
  readonly name: string;
  /** A clean place for messages; engines opened from it share them. */
  place(database: Database): Promise<Place>;
}

export interface Place {
  open(): Promise<JobEngine>;
  /** Puts any text in a queue, past all our code. */
  sendRaw(queue: string, body: string): Promise<void>;
  /** Makes the engine forget everything in the queue. */
  lose(queue: string): Promise<void>;
  /** How another process opens the same place. */
  readonly choice: EngineChoice;
}

export const Numbered = z.object({ n: z.number() });
export type Numbered = z.infer<typeof Numbered>;

export const countJob = defineJob({ type: "count", queue: "documents", payload: Numbered });

export const numbered = (count: number, from = 0): NewJob<Numbered>[] =>
  Array.from({ length: count }, (_, index) => ({
    subjectId: `subject-${from + index}`,
    idempotencyKey: `count-${from + index}`,
    payload: { n: from + index },
  }));

/** Waits that tests can sit through. */
export const QUICK = {
  rules: { retry: { firstMs: 20, capMs: 50 }, wait: { firstMs: 20, capMs: 50 } },
  stopWithinMs: 2_000,
};

export interface Workshop {
  readonly database: Database;
  readonly place: Place;
  open(handlers?: readonly JobHandler[], more?: Partial<JobsOptions>): Promise<Jobs>;
  add<Payload>(jobs: Jobs, spec: JobSpec<Payload>, some: NewJob<Payload>[]): Promise<string[]>;
  /** Works until the condition holds; retries and their delays included. */
  workUntil(jobs: Jobs, isDone: () => boolean | Promise<boolean>): Promise<void>;
  /** The numbers that handlers wrote, in order. */
  effects(): Promise<number[]>;
  rows(): Promise<JobFacts[]>;
}

export interface JobFacts {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly state: string;
  readonly attempt: number;
  readonly takeovers: number;
  readonly error_code: string | null;
  readonly note: string | null;
  readonly is_dead: boolean;
}

const ALLOWED = /^(Queued|Running|(Queued|Running)>(Running|Completed|Failed|Poisoned|Cancelled))$/;

export function useWorkshop(under: EngineUnderTest): Workshop {
  let database: Database;
  let place: Place;
  const running: Jobs[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    await database.query("CREATE TABLE effect (n int NOT NULL)");
    await database.query(`
      CREATE TABLE step (what text PRIMARY KEY);
      CREATE FUNCTION note_step() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF OLD.state <> NEW.state THEN
          INSERT INTO step VALUES (OLD.state || '>' || NEW.state) ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL; END $$;
      CREATE TRIGGER note_step AFTER UPDATE ON postroom.job FOR EACH ROW EXECUTE FUNCTION note_step()`);
  });
  beforeEach(async () => {
    place = await under.place(database);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
    await database.query(
      "TRUNCATE postroom.job, postroom.job_outbox, postroom.job_worker, postroom.job_event, effect",
    );
  });
  // Whatever the tests of this engine did, no job ever went back.
  afterAll(async () => {
    const { rows } = await database.query<{ what: string }>("SELECT what FROM step");
    expect(rows.map((row) => row.what).filter((what) => !ALLOWED.test(what))).toEqual([]);
  });

  return {
    get database() {
      return database;
    },
    get place() {
      return place;
    },
    async open(handlers = [], more = {}) {
      const jobs = createJobs({
        database,
        engine: await place.open(),
        clock: systemClock,
        random: systemRandom,
        log: createLog({ level: "silent" }),
        metrics: new Registry(),
        handlers,
        ...more,
        settings: { ...QUICK, ...more.settings },
      });
      running.push(jobs);
      await jobs.start();
      return jobs;
    },
    add: (jobs, spec, some) => database.transaction((tx) => jobs.queue.add(tx, spec, some)),
    async workUntil(jobs, isDone) {
      await expect
        .poll(
          async () => {
            await jobs.workUntilIdle(5_000).catch(() => {});
            return isDone();
          },
          { interval: 20 },
        )
        .toBe(true);
    },
    async effects() {
      const { rows } = await database.query<{ n: number }>("SELECT n FROM effect ORDER BY n");
      return rows.map((row) => row.n);
    },
    async rows() {
      const { rows } = await database.query<JobFacts>(
        `SELECT id, key, type, state, attempt, takeovers, error_code, note, is_dead
           FROM postroom.job ORDER BY key`,
      );
      return rows;
    },
  };
}

export const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Writes each number once in the transaction that marks the jobs done. */
export function countingHandler(more: Partial<JobHandler<Numbered>> = {}): JobHandler<Numbered> {
  return {
    spec: countJob,
    batchSize: 50,
    concurrency: 2,
    process: (jobs, run) =>
      run.commit(jobs, async (tx) => {
        const numbers = jobs.map((job) => job.payload.n);
        await tx.query("INSERT INTO effect SELECT unnest($1::int[])", [numbers]);
        return jobs.map(() => ({ isSuccess: true as const }));
      }),
    ...more,
  };
}

export function captureLog(): { lines: string[]; to: Writable } {
  const lines: string[] = [];
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, to };
}

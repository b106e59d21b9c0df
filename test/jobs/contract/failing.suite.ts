import { describe, expect, it } from "vitest";
import { handle } from "../../../src/jobs/handler.ts";
import { failure, success } from "../../../src/jobs/outcome.ts";
import { Fault } from "../../../src/lib/fault.ts";
import { createLog } from "../../../src/lib/log.ts";
import { createFullDisk } from "../../helpers/full-disk.ts";
import {
  captureLog,
  countingHandler,
  countJob,
  type EngineUnderTest,
  numbered,
  range,
  useWorkshop,
} from "./workshop.ts";

export function testFailing(under: EngineUnderTest): void {
  describe(`${under.name} with failing jobs`, () => {
    const shop = useWorkshop(under);
    const deadly = (code: string, message: string, isFinal = false) =>
      handle(countJob, async () => failure(code, message, { retryable: !isFinal }));

    it("a retryable failure is retried, each attempt counts, and after the last the job is a dead letter with its code [JOB-08] [JOB-09] [JOB-20] [OFF-09]", async () => {
      const attempts: number[] = [];
      const jobs = await shop.open([
        handle(countJob, async (job) => {
          attempts.push(job.attempt);
          return failure("broken", "it broke");
        }),
      ]);
      await shop.add(jobs, countJob, numbered(1));
      await shop.workUntil(jobs, () => attempts.length === 3);
      await shop.workUntil(jobs, async () => (await shop.rows())[0]!.is_dead);
      expect(attempts).toEqual([1, 2, 3]);
      expect(await shop.rows()).toMatchObject([
        { state: "Failed", error_code: "broken", attempt: 3 },
      ]);
    });

    it("a final failure makes the job a dead letter immediately, with code and message [OFF-10] [OFF-02] [JOB-03]", async () => {
      const jobs = await shop.open([deadly("OFFICE_INVALID_DATA", "no file", true)]);
      await shop.add(jobs, countJob, numbered(1));
      await jobs.workUntilIdle();
      const expected = {
        state: "Poisoned",
        error_code: "OFFICE_INVALID_DATA",
        attempt: 1,
        is_dead: true,
      };
      expect(await shop.rows()).toMatchObject([expected]);
    });

    it("a thrown error is logged with the job's id and the job is retried [JOB-12] [OFF-11]", async () => {
      let calls = 0;
      const { lines, to } = captureLog();
      const jobs = await shop.open(
        [
          handle(countJob, async () => {
            calls += 1;
            if (calls === 1) throw new Error("surprise");
            return success();
          }),
        ],
        { log: createLog({ level: "info", to }) },
      );
      const [id] = await shop.add(jobs, countJob, numbered(1));
      await shop.workUntil(jobs, () => calls === 2);
      await jobs.workUntilIdle();
      expect(await shop.rows()).toMatchObject([
        { state: "Completed", attempt: 2, error_code: null },
      ]);
      const line = lines.find((text) => text.includes("processing_error"));
      expect(JSON.parse(line!)).toMatchObject({ JobId: id, ErrorCode: "unexpected", Attempt: 1 });
    });

    it("throttling costs no attempt, and the job waits as long as requested [H-05]", async () => {
      const times: number[] = [];
      const jobs = await shop.open([
        handle(countJob, async (job) => {
          times.push(Date.now());
          expect(job.attempt).toBe(1);
          if (times.length < 5)
            throw new Fault("graph.throttled", "slow down", { retryAfterMs: 120 });
          return success();
        }),
      ]);
      await shop.add(jobs, countJob, numbered(1));
      await shop.workUntil(jobs, () => times.length === 5);
      await jobs.workUntilIdle();
      expect(await shop.rows()).toMatchObject([{ state: "Completed", attempt: 1 }]);
      const waits = times.slice(1).map((time, index) => time - times[index]!);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(119);
    });

    it("a deadlock in the database costs no attempt [H-05]", async () => {
      let calls = 0;
      const jobs = await shop.open([
        handle(countJob, async () => {
          calls += 1;
          if (calls === 1) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
          return success();
        }),
      ]);
      await shop.add(jobs, countJob, numbered(1));
      await shop.workUntil(jobs, () => calls === 2);
      await jobs.workUntilIdle();
      expect(await shop.rows()).toMatchObject([{ state: "Completed", attempt: 1 }]);
    });

    it("a full database loses no job and costs no attempt, and work continues once there is room [H-05] [R36]", async () => {
      let begun = 0;
      let letGo = () => {};
      const gate = new Promise<void>((resolve) => (letGo = resolve));
      const base = countingHandler();
      const jobs = await shop.open([
        countingHandler({
          batchSize: 5,
          process: async (some, run) => {
            begun += 1;
            await gate;
            return base.process(some, run);
          },
        }),
      ]);
      const disk = await createFullDisk(shop.database);
      await shop.add(jobs, countJob, numbered(20));
      await expect.poll(() => begun).toBeGreaterThan(0);
      await disk.fill();
      letGo();
      await expect.poll(disk.refusals).toBeGreaterThan(3);
      await expect(shop.add(jobs, countJob, numbered(1, 20))).rejects.toMatchObject({
        code: "store.full",
      });
      expect(await shop.effects()).toEqual([]);
      await disk.empty();
      await shop.workUntil(jobs, async () => (await shop.effects()).length === 20);
      await jobs.workUntilIdle();
      const ends = (await shop.rows()).map(({ state, attempt }) => `${state} ${attempt}`);
      expect(ends).toEqual(Array(20).fill("Completed 1"));
      expect(await shop.effects()).toEqual(range(20));
    });

    it("one bad job in a batch does not fail the others [R34]", async () => {
      const base = countingHandler();
      const jobs = await shop.open([
        countingHandler({
          process: async (some, run) => {
            if (some.some((job) => job.payload.n === 13)) throw new Error("thirteen");
            return base.process(some, run);
          },
        }),
      ]);
      await shop.add(jobs, countJob, numbered(40));
      await shop.workUntil(jobs, async () => (await shop.rows()).some((row) => row.is_dead));
      await shop.workUntil(jobs, async () => (await shop.effects()).length === 39);
      const dead = (await shop.rows()).filter((row) => row.is_dead);
      expect(dead.map((row) => row.key)).toEqual(["count-13"]);
    });

    it("a job that another worker is running is not run a second time [JOB-19]", async () => {
      let running = 0;
      let most = 0;
      let finish = (): void => {};
      const jobs = await shop.open([
        handle(
          countJob,
          async () => {
            most = Math.max(most, ++running);
            await new Promise<void>((resolve) => (finish = resolve));
            running -= 1;
            return success();
          },
          { concurrency: 3 },
        ),
      ]);
      const [id] = await shop.add(jobs, countJob, numbered(1));
      await expect.poll(() => running).toBe(1);
      const message = { jobId: id!, queue: "documents", type: "count", idempotencyKey: "count-0" };
      const { rows } = await shop.database.query<{ envelope: never }>(
        `SELECT json_build_object('jobId', id, 'jobType', type, 'subjectId', subject_id,
           'correlationId', correlation_id, 'idempotencyKey', key, 'attempt', 1, 'maxAttempts', 3,
           'payload', payload, 'createdAt', created_at) AS envelope FROM postroom.job`,
      );
      const outside = { messageId: "again", envelope: rows[0]!.envelope };
      await jobs.engine.send([{ ...message, attempt: 1, delayMs: 0, outside }]);
      await expect.poll(() => jobs.engine.depth("documents")).toBeLessThanOrEqual(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      finish();
      await jobs.workUntilIdle();
      expect(most).toBe(1);
      expect(await shop.rows()).toMatchObject([{ state: "Completed", attempt: 1 }]);
    });
  });
}

import { describe, expect, it } from "vitest";
import { handle } from "../../../src/jobs/handler.ts";
import { defineJob } from "../../../src/jobs/job.ts";
import { excluded, success } from "../../../src/jobs/outcome.ts";
import { purgeFinished } from "../../../src/jobs/upkeep/sweep.ts";
import { createLog, withCorrelation } from "../../../src/lib/log.ts";
import {
  captureLog,
  countingHandler,
  countJob,
  type EngineUnderTest,
  Numbered,
  numbered,
  range,
  useWorkshop,
} from "./workshop.ts";

const DAY_MS = 86_400_000;

export function testRunning(under: EngineUnderTest): void {
  describe(`${under.name} runs jobs`, () => {
    const shop = useWorkshop(under);

    it("runs every job once, in batches, and commits effects and done marks together [JOB-07] [JOB-02]", async () => {
      const jobs = await shop.open([countingHandler()]);
      await shop.add(jobs, countJob, numbered(300));
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual(range(300));
      expect(new Set((await shop.rows()).map((row) => row.state))).toEqual(new Set(["Completed"]));
    });

    it("a job added in a transaction that is rolled back does not exist [H-06]", async () => {
      const jobs = await shop.open([countingHandler()]);
      const failed = shop.database.transaction(async (tx) => {
        await jobs.queue.add(tx, countJob, numbered(1));
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      await shop.add(jobs, countJob, numbered(1, 7));
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual([7]);
      expect(await shop.rows()).toHaveLength(1);
    });

    it("a follow-up is added by the transaction that marks its cause done [H-06]", async () => {
      const first = defineJob({ type: "first", queue: "analysis", payload: Numbered });
      const jobs = await shop.open([
        countingHandler(),
        handle(first, (job, run) =>
          run.commit([job], async (tx) => {
            await jobs.queue.add(tx, countJob, numbered(2));
            return success();
          }),
        ),
      ]);
      await shop.add(jobs, first, numbered(1));
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual([0, 1]);
    });

    it("a repeated key returns the first job; with another payload it is refused [JOB-10] [H-02]", async () => {
      const jobs = await shop.open([countingHandler()]);
      const [first] = await shop.add(jobs, countJob, numbered(1));
      expect(await shop.add(jobs, countJob, [...numbered(1), ...numbered(1)])).toEqual([
        first,
        first,
      ]);
      await jobs.workUntilIdle();
      expect(await shop.add(jobs, countJob, numbered(1))).toEqual([first]);
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual([0]);
      const other = shop.add(jobs, countJob, [{ ...numbered(1)[0]!, payload: { n: 99 } }]);
      await expect(other).rejects.toMatchObject({ code: "job.key-reused" });
    });

    it("each stage of a piece of work has its own key and is done once [OFF-06] [OFF-07] [OFF-08]", async () => {
      const ran: string[] = [];
      const stages = ["upload", "profile", "indexing"].map((stage) =>
        defineJob({ type: `stage-${stage}`, queue: "documents", payload: Numbered, stage }),
      );
      const jobs = await shop.open(
        stages.map((spec) =>
          handle(spec, async (job) => {
            ran.push(job.idempotencyKey);
            return success();
          }),
        ),
      );
      for (const spec of [...stages, ...stages]) {
        const idempotencyKey = `work-1-${spec.stage}`;
        await shop.add(jobs, spec, [{ subjectId: "w", idempotencyKey, payload: { n: 1 } }]);
        await jobs.workUntilIdle();
      }
      expect(ran).toEqual(["work-1-upload", "work-1-profile", "work-1-indexing"]);
    });

    it("the key of a finished job is kept for at least seven days [JOB-11]", async () => {
      const jobs = await shop.open([countingHandler()]);
      const [id] = await shop.add(jobs, countJob, numbered(1));
      await jobs.workUntilIdle();
      const keepMs = 8 * DAY_MS;
      const agedBy = async (days: number) => {
        await shop.database.query(
          "UPDATE postroom.job SET finished_at = now() - $1 * interval '1 day'",
          [days],
        );
        await purgeFinished(shop.database, keepMs, Date.now() + days * DAY_MS);
        return shop.add(jobs, countJob, numbered(1));
      };
      expect(await agedBy(7)).toEqual([id]);
      expect(await agedBy(9)).not.toEqual([id]);
      const tooShort = shop.open([], { settings: { keepKeysMs: 6 * DAY_MS } });
      await expect(tooShort).rejects.toThrow("seven days");
    });

    it("a delayed job waits while others run", async () => {
      const ranAt = new Map<number, number>();
      const jobs = await shop.open([
        handle(countJob, async (job) => {
          ranAt.set(job.payload.n, Date.now());
          return success();
        }),
      ]);
      const inMs = (n: number, delayMs: number) => ({
        ...numbered(1, n)[0]!,
        runAt: new Date(Date.now() + delayMs),
      });
      const [soon, muchLater] = [inMs(0, 1_000), inMs(3, 3_600_000)];
      await shop.add(jobs, countJob, [muchLater, soon, ...numbered(2, 1)]);
      await shop.workUntil(jobs, () => ranAt.size === 3);
      expect([...ranAt.keys()].sort()).toEqual([0, 1, 2]);
      expect(ranAt.get(0)).toBeGreaterThanOrEqual(soon.runAt.getTime());
    });

    it("an excluded job counts as done and says why", async () => {
      const jobs = await shop.open([handle(countJob, async () => excluded("not one of ours"))]);
      await shop.add(jobs, countJob, numbered(1));
      await jobs.workUntilIdle();
      expect(await shop.rows()).toMatchObject([{ state: "Completed", note: "not one of ours" }]);
    });

    it("the correlation id of a request appears in the log lines of its job [JOB-26]", async () => {
      const { lines, to } = captureLog();
      const log = createLog({ level: "info", to });
      const inside = handle(countJob, async () => {
        log.info({}, "inside");
        return success();
      });
      const jobs = await shop.open([inside], { log });
      await withCorrelation("request-17", () => shop.add(jobs, countJob, numbered(1)));
      await jobs.workUntilIdle();
      await expect.poll(() => lines.filter((line) => line.includes("request-17")).length).toBe(2);
      expect(lines.some((line) => line.includes('"inside"') && line.includes("request-17"))).toBe(
        true,
      );
    });

    it.each([
      ["a handler allows", 5, undefined],
      ["the settings allow", 9, 5],
    ])("no more batches run at once than %s [JOB-05] [OFF-03]", async (_, concurrency, limit) => {
      let now = 0;
      let most = 0;
      let letGo = () => {};
      const areFive = new Promise<void>((resolve) => (letGo = resolve));
      const handler = handle(
        countJob,
        async () => {
          most = Math.max(most, ++now);
          if (now === 5) letGo();
          await areFive;
          await new Promise((resolve) => setTimeout(resolve, 5));
          now -= 1;
          return success();
        },
        { concurrency },
      );
      const settings = limit === undefined ? {} : { concurrencyMax: limit };
      const jobs = await shop.open([handler], { settings });
      await shop.add(jobs, countJob, numbered(60));
      await jobs.workUntilIdle();
      expect(most).toBe(5);
    });

    it("a burst on one queue does not delay another [JOB-22]", async () => {
      const quick = defineJob({ type: "quick", queue: "webhook-renewal", payload: Numbered });
      let begun = 0;
      let letGo = () => {};
      const quickRan = new Promise<void>((resolve) => (letGo = resolve));
      const jobs = await shop.open([
        // None of the burst ends before the other queue had its turn.
        handle(countJob, async () => {
          begun += 1;
          await quickRan;
          return success();
        }),
        handle(quick, async () => {
          letGo();
          return success();
        }),
      ]);
      await shop.add(jobs, countJob, numbered(200));
      await expect.poll(() => begun).toBeGreaterThan(0);
      await shop.add(jobs, quick, numbered(1));
      await jobs.workUntilIdle();
      expect(begun).toBe(200);
    });

    it("two processes share the work and do each job once [R01]", async () => {
      const [one, two] = [
        await shop.open([countingHandler()]),
        await shop.open([countingHandler()]),
      ];
      await shop.add(one, countJob, numbered(400));
      await Promise.all([one.workUntilIdle(), two.workUntilIdle()]);
      expect(await shop.effects()).toEqual(range(400));
    });
  });
}

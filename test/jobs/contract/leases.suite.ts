import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { handle, type JobRun } from "../../../src/jobs/handler.ts";
import { success } from "../../../src/jobs/outcome.ts";
import {
  countingHandler,
  countJob,
  type EngineUnderTest,
  numbered,
  range,
  useWorkshop,
} from "./workshop.ts";

export function testLeases(under: EngineUnderTest): void {
  describe(`${under.name} with workers that stop`, () => {
    const shop = useWorkshop(under);

    /** A handler that waits until it is released, then writes. */
    const holding = () => {
      const state = { begun: 0, refusals: [] as unknown[], letGo: () => {} };
      const gate = new Promise<void>((resolve) => (state.letGo = resolve));
      const handler = handle(countJob, async (job, run) => {
        state.begun += 1;
        await gate;
        try {
          return await run.commit([job], async (tx) => {
            await tx.query("INSERT INTO effect VALUES ($1)", [job.payload.n]);
            return success();
          });
        } catch (error) {
          state.refusals.push(error);
          throw error;
        }
      });
      return { handler, state };
    };

    it("a worker that has lost its lease cannot write, and the job is done once [H-04] [R35] [R02]", async () => {
      const { handler, state } = holding();
      const slow = await shop.open([handler]);
      await shop.add(slow, countJob, numbered(1));
      await expect.poll(() => state.begun).toBe(1);
      // As if its heartbeats had failed for longer than the lease. A real one may still come between
      // the two steps, so it is made to fail until the job has changed hands.
      const { rows: holders } = await shop.database.query<{ id: number }>(
        "SELECT id FROM postroom.job_worker",
      );
      const other = await shop.open([countingHandler()]);
      const expireAndSweep = async () => {
        await shop.database.query(
          "UPDATE postroom.job_worker SET until = now() - interval '1 second' WHERE id = $1",
          [holders[0]!.id],
        );
        await other.tick();
        return (await shop.rows())[0]!.takeovers;
      };
      await expect.poll(expireAndSweep).toBe(1);
      await shop.workUntil(other, async () => (await shop.effects()).length === 1);
      state.letGo();
      await expect.poll(() => state.refusals.length).toBe(1);
      expect(state.refusals[0]).toMatchObject({ code: "job.lease-lost" });
      expect(await shop.effects()).toEqual([0]);
      expect(await shop.rows()).toMatchObject([{ state: "Completed", attempt: 1, takeovers: 1 }]);
    });

    it("a job that lost ten workers is a dead letter, and no eleventh one runs it", async () => {
      const jobs = await shop.open([countingHandler()]);
      await shop.database.transaction(async (tx) => {
        await jobs.queue.add(tx, countJob, numbered(2));
        await tx.query(
          "UPDATE postroom.job SET takeovers = CASE key WHEN 'count-0' THEN 10 ELSE 9 END",
        );
      });
      await shop.workUntil(jobs, async () =>
        (await shop.rows()).every(({ state }) => state !== "Queued"),
      );
      expect(await shop.rows()).toMatchObject([
        { is_dead: true, error_code: "job.lease-lost" },
        { state: "Completed" },
      ]);
      expect(await shop.effects()).toEqual([1]);
    });

    it("a job that shows no progress for ten minutes counts as stuck and goes to another worker [JOB-05] [JOB-19] [OFF-03]", async () => {
      const { handler, state } = holding();
      const slow = await shop.open([handler]);
      await shop.add(slow, countJob, numbered(1));
      await expect.poll(() => state.begun).toBe(1);
      const other = await shop.open([countingHandler()]);
      const runFor = async (minutes: number) => {
        await shop.database.query(
          "UPDATE postroom.job SET leased_at = now() - $1 * interval '1 minute' WHERE is_open",
          [minutes],
        );
        await other.tick();
        return (await shop.rows())[0]!.takeovers;
      };
      expect(await runFor(9.5)).toBe(0);
      expect(await runFor(10.1)).toBe(1);
      await shop.workUntil(other, async () => (await shop.effects()).length === 1);
      state.letGo();
      await expect.poll(() => state.refusals.length).toBe(1);
      expect(await shop.effects()).toEqual([0]);
    });

    it("a job that shows progress stays with its worker, however long it runs [JOB-05] [OFF-03]", async () => {
      const runs: JobRun[] = [];
      let letGo = (): void => {};
      const gate = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const busy = handle(countJob, async (_job, run) => {
        runs.push(run);
        await gate;
        return success();
      });
      const settings = { stuckMs: 60_000 };
      const slow = await shop.open([busy], { settings });
      await shop.add(slow, countJob, numbered(1));
      await expect.poll(() => runs.length).toBe(1);
      const other = await shop.open([countingHandler()], { settings });
      const isFresh = async () => {
        runs[0]!.progress();
        const { rows } = await shop.database.query<{ isFresh: boolean }>(
          `SELECT leased_at > now() - interval '20 seconds' AS "isFresh" FROM postroom.job WHERE is_open`,
        );
        return rows[0]!.isFresh;
      };
      await shop.database.query(
        "UPDATE postroom.job SET leased_at = now() - interval '30 seconds' WHERE is_open",
      );
      await expect.poll(isFresh, { interval: 200 }).toBe(true);
      await other.tick();
      expect((await shop.rows())[0]!.takeovers).toBe(0);
      letGo();
      await expect.poll(async () => (await shop.rows())[0]!.state).toBe("Completed");
    });

    it("stopping lets running jobs finish, returns the rest, and counts no attempt [JOB-02] [JOB-24]", async () => {
      let begun = 0;
      let interrupted = 0;
      const stubborn = await shop.open(
        [
          handle(
            countJob,
            async (_job, run) => {
              begun += 1;
              await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
              interrupted += 1;
              throw new Error("interrupted");
            },
            { concurrency: 2 },
          ),
        ],
        { settings: { stopWithinMs: 300 } },
      );
      await shop.add(stubborn, countJob, numbered(6));
      await expect.poll(() => begun).toBe(2);
      await stubborn.stop();
      expect(interrupted).toBe(2);
      expect((await shop.rows()).map((row) => row.attempt)).toEqual([0, 0, 0, 0, 0, 0]);
      const next = await shop.open([countingHandler()]);
      await shop.workUntil(next, async () => (await shop.effects()).length === 6);
      expect(await shop.effects()).toEqual(range(6));
      expect((await shop.rows()).every((row) => row.attempt === 1 && row.takeovers === 0)).toBe(
        true,
      );
    });

    it("a handler that ignores the signal is left behind and cannot write afterwards [JOB-24]", async () => {
      const { handler, state } = holding();
      const deaf = await shop.open([handler], { settings: { stopWithinMs: 100 } });
      await shop.add(deaf, countJob, numbered(1));
      await expect.poll(() => state.begun).toBe(1);
      await deaf.stop();
      state.letGo();
      await expect.poll(() => state.refusals.length).toBe(1);
      expect(await shop.effects()).toEqual([]);
      const next = await shop.open([countingHandler()]);
      await shop.workUntil(next, async () => (await shop.effects()).length === 1);
    });

    it("jobs whose message the engine lost are sent again and counted [R36]", async () => {
      const registries = [new Registry(), new Registry()];
      const adder = await shop.open([], { metrics: registries[0]! });
      await shop.add(adder, countJob, numbered(20));
      await expect
        .poll(async () => (await shop.database.query("SELECT 1 FROM postroom.job_outbox")).rowCount)
        .toBe(0);
      await shop.place.lose("documents");
      const jobs = await shop.open([countingHandler()], {
        settings: { graceMs: 50, sweepMs: 100 },
        metrics: registries[1]!,
      });
      await expect.poll(() => shop.effects()).toEqual(range(20));
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual(range(20));
      const texts = await Promise.all(registries.map((registry) => registry.metrics()));
      expect(texts.join("\n")).toMatch(/^postroom_hints_lost_total\{queue="documents"\} [1-9]/m);
    });
  });
}

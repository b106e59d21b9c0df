/** Real processes, really killed: nothing may be lost and nothing done twice. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/jobs/service/create-jobs.ts";
import { useChildWorkers } from "./child-worker.ts";
import {
  countingHandler,
  countJob,
  type EngineUnderTest,
  numbered,
  range,
  useWorkshop,
} from "./contract/workshop.ts";

const isLong = process.env["POSTROOM_LONG"] === "1";
const KILLS = isLong ? 200 : 24;
const PORTION = 3;
const DEAD_WITHIN_MS = 60_000;

export function testKills(under: EngineUnderTest): void {
  describe(`${under.name} under kill -9`, () => {
    const shop = useWorkshop(under);
    const launch = useChildWorkers(shop);

    it(
      `${KILLS} kills over every kill point of jobs and dispatch lose nothing and double nothing [JOB-21] [R02] [R03]`,
      async () => {
        const adder = await shop.open([], { settings: { leaseMs: 1_500, sweepMs: 60_000 } });
        const isOutside = !adder.engine.isTransactional;
        // The relay has to run in the processes that are killed; adding needs no more than the outbox.
        if (isOutside) await adder.stop();
        const points = [
          "jobs.ticket-received",
          "jobs.leased",
          "jobs.handler-done",
          "jobs.effects-committed",
          "jobs.settled",
          ...(isOutside
            ? [
                "dispatch.outbox-locked",
                "dispatch.sent",
                "dispatch.acknowledged",
                "dispatch.outbox-marked",
              ]
            : []),
        ];
        const reached = new Set<string>();
        let count = 0;
        await inPairs(KILLS, async (index) => {
          const point = points[index % points.length]!;
          const child = launch({
            killAt: `${point}:${1 + (Math.floor(index / points.length) % 2)}`,
          });
          // New jobs keep coming, so that every process passes every point.
          let isDead = false;
          const untilMs = performance.now() + DEAD_WITHIN_MS;
          while (!isDead && performance.now() < untilMs) {
            const from = count;
            count += PORTION;
            await shop.add(adder, countJob, numbered(PORTION, from));
            isDead = await child.endsWithin(400);
          }
          if (isDead) reached.add(point);
          await child.kill();
        });
        const mender = await shop.open([countingHandler()], {
          settings: { leaseMs: 1_500, sweepMs: 300, graceMs: 1_000 },
        });
        await expect.poll(openCount, { timeout: 60_000, interval: 100 }).toBe(0);
        await mender.workUntilIdle();
        expect(await shop.effects()).toEqual(range(count));
        expect([...reached].sort()).toEqual([...points].sort());
      },
      isLong ? 3_600_000 : 900_000,
    );

    const openCount = async (): Promise<number> => {
      const sql = "SELECT 1 FROM postroom.job WHERE is_open";
      return (await shop.database.query(sql)).rowCount;
    };

    it("jobs of a killed worker run again within 1.25 times its lease: 75 s, or 5 s if set so [JOB-21] [H-04]", async () => {
      const settings = { leaseMs: 4_000, sweepMs: 300, graceMs: 60_000 };
      const other = await shop.open([], { settings });
      await shop.add(other, countJob, numbered(1));
      const child = launch({ leaseMs: settings.leaseMs, blockMs: 60_000 });
      await child.says("begun");
      await child.kill();
      const heir = await shop.open([countingHandler()], { settings });
      await expect.poll(() => shop.effects(), { interval: 50 }).toEqual([0]);
      await heir.workUntilIdle();
      expect(await shop.rows()).toMatchObject([{ takeovers: 1, attempt: 1, state: "Completed" }]);
      expect(DEFAULT_SETTINGS.leaseMs * 1.25).toBeLessThanOrEqual(75_000);
      expect(settings.leaseMs * 1.25).toBeLessThanOrEqual(5_000);
    });

    it("a worker whose event loop is blocked for longer than its lease keeps its job [R35] [H-04]", async () => {
      const leaseMs = 4_000; // on a busy machine the thread may wait for its turn as well
      const other = await shop.open([], { settings: { leaseMs, sweepMs: 200 } });
      await shop.add(other, countJob, numbered(1));
      const child = launch({ leaseMs, blockMs: 2 * leaseMs });
      await child.says("begun");
      const rival = await shop.open([countingHandler()], {
        settings: { leaseMs, sweepMs: 200, graceMs: 100 },
      });
      await expect.poll(() => shop.effects()).toEqual([0]);
      await rival.workUntilIdle();
      await child.kill();
      expect(await shop.rows()).toMatchObject([{ takeovers: 0, attempt: 1, state: "Completed" }]);
      expect(await shop.effects()).toEqual([0]);
    });
  });
}

/** Two at a time: one dies while the other works. */
async function inPairs(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all([lane(), lane()]);
}

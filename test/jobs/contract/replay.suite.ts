import { describe, expect, it } from "vitest";
import { findDeadCauses } from "../../../src/jobs/dead-letters/dead-letter-table.ts";
import {
  continueReplays,
  previewReplay,
  startReplay,
} from "../../../src/jobs/dead-letters/replay.ts";
import { getReplay } from "../../../src/jobs/dead-letters/replay-table.ts";
import { handle } from "../../../src/jobs/handler.ts";
import { failure } from "../../../src/jobs/outcome.ts";
import {
  countingHandler,
  countJob,
  type EngineUnderTest,
  numbered,
  range,
  useWorkshop,
} from "./workshop.ts";

export function testReplay(under: EngineUnderTest): void {
  describe(`${under.name} with dead letters`, () => {
    const shop = useWorkshop(under);
    const dying = handle(
      countJob,
      async (job) =>
        failure(`code-${job.payload.n % 7}`, `job ${job.jobId} died`, { retryable: false }),
      { concurrency: 10 },
    );

    it("are grouped by cause, replayed once even if asked twice, and can die and be replayed again [H-20] [R33]", async () => {
      const broken = await shop.open([dying]);
      await shop.add(broken, countJob, numbered(70));
      await broken.workUntilIdle();
      const causes = await findDeadCauses(shop.database);
      expect(causes.map((cause) => cause.count)).toEqual(Array(7).fill(10));

      const order = { filter: { cause: causes[0]!.cause }, who: "ada", why: "is it fixed?" };
      expect(await previewReplay(shop.database, order.filter)).toMatchObject({ total: 10 });
      const first = await startReplay(broken, { ...order, perSecond: 1_000 });
      while ((await getReplay(shop.database, first.replayId))!.finishedAt === null) {
        await continueReplays(broken, 1_000);
      }
      await broken.workUntilIdle();
      // They ran and died again under new ids; the dead letters are as many as before.
      expect((await findDeadCauses(shop.database)).map((cause) => cause.count)).toEqual(
        Array(7).fill(10),
      );
      expect(await shop.rows()).toHaveLength(80);
      await broken.stop();

      const mended = await shop.open([countingHandler()]);
      const all = { filter: {}, who: "ada", why: "now it is", perSecond: 5_000 };
      const [one, two] = [await startReplay(mended, all), await startReplay(mended, all)];
      const isFinished = async (id: string) =>
        (await getReplay(shop.database, id))!.finishedAt !== null;
      while (!((await isFinished(one.replayId)) && (await isFinished(two.replayId)))) {
        await continueReplays(mended, 1_000);
      }
      await mended.workUntilIdle();
      expect(await shop.effects()).toEqual(range(70));
      const views = [
        await getReplay(shop.database, one.replayId),
        await getReplay(shop.database, two.replayId),
      ];
      expect(views.map((view) => view!.replayed).sort()).toEqual([0, 70]);
      expect(await findDeadCauses(shop.database)).toEqual([]);
    });
  });
}

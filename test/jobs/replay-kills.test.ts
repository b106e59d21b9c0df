import { expect, it } from "vitest";
import { findDeadCauses } from "../../src/jobs/dead-letters/dead-letter-table.ts";
import { startReplay } from "../../src/jobs/dead-letters/replay.ts";
import { findReplays, getReplay } from "../../src/jobs/dead-letters/replay-table.ts";
import { failure } from "../../src/jobs/outcome.ts";
import { useChildWorkers } from "./child-worker.ts";
import { usePostgresEngine } from "./contract/places.ts";
import { countingHandler, countJob, numbered, range, useWorkshop } from "./contract/workshop.ts";

const COUNT = process.env["POSTROOM_LONG"] === "1" ? 10_000 : 1_400;

const shop = useWorkshop(usePostgresEngine());
const launch = useChildWorkers(shop);

it(`${COUNT} dead letters of seven causes, replayed twice by processes that are killed: every effect once, the history complete [R33] [H-20]`, async () => {
  const dying = await shop.open([
    countingHandler({
      process: async (jobs) =>
        jobs.map((job) => failure(`code-${job.payload.n % 7}`, "died", { retryable: false })),
    }),
  ]);
  for (let from = 0; from < COUNT; from += 200) {
    await shop.add(dying, countJob, numbered(200, from));
  }
  await dying.workUntilIdle(60_000);
  const causes = await findDeadCauses(shop.database);
  expect(causes).toHaveLength(7);
  await dying.stop();

  // So slow that it cannot be done before three workers have come and gone.
  const order = { who: "ada", why: "mended", perSecond: Math.ceil(COUNT / 200) };
  const everything = { ...order, filter: {} };
  const first = await startReplay(dying, everything);
  const second = await startReplay(dying, everything);
  const isFinished = async () =>
    (
      await Promise.all([first, second].map(({ replayId }) => getReplay(shop.database, replayId)))
    ).every((view) => view!.finishedAt !== null);
  for (let kills = 0; kills < 3; kills += 1) {
    const child = launch();
    await child.says("begun");
    await child.endsWithin(700);
    await child.kill();
  }
  expect(await isFinished()).toBe(false);
  await shop.database.query("UPDATE postroom.job_replay SET per_second = 1000");
  const last = launch();
  await expect.poll(isFinished, { timeout: 60_000, interval: 100 }).toBe(true);
  const open = async () =>
    (await shop.database.query("SELECT 1 FROM postroom.job WHERE is_open")).rowCount;
  await expect.poll(open, { timeout: 60_000, interval: 100 }).toBe(0);
  await last.kill();

  expect(await shop.effects()).toEqual(range(COUNT));
  const views = await findReplays(shop.database, { limit: 100 });
  expect(views.reduce((sum, view) => sum + view.replayed, 0)).toBe(COUNT);
  const { rows } = await shop.database.query<{ jobs: number; renewed: number }>(
    `SELECT count(DISTINCT job_id) AS jobs, count(DISTINCT new_job_id) AS renewed
       FROM postroom.job_replay_item`,
  );
  expect(rows).toEqual([{ jobs: COUNT, renewed: COUNT }]);
  expect(await findDeadCauses(shop.database)).toEqual([]);
}, 600_000);

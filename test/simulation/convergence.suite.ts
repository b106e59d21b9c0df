import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { drawPlan } from "./plan.ts";
import { reproCommand, shrink } from "./shrink.ts";
import { openStage, type SimOptions, type Stage, simulate } from "./simulate.ts";

/** How many schedules each of the two files plays; they run side by side. */
const SEEDS = process.env["POSTROOM_LONG"] ? 10_000 : 240;

/** Whatever happened: after the faults have stopped and two delta periods have passed, log = mailbox. */
export function testConvergence(seedOf: (index: number) => number): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = openStage(await freshDatabaseUrl());
  });
  afterAll(() => stage.close());

  describe("after any faults", () => {
    it(`the log equals the mailbox, with no event twice, over ${SEEDS} schedules [R05] [R06] [R07] [R09] [R10] [R11] [R20] [R21] [R44] [WEB-20] [H-12] [H-13]`, {
      timeout: 4 * 3_600_000,
    }, async () => {
      const totals = { events: 0, kills: 0 };
      for (let index = 1; index <= SEEDS; index++) {
        const seed = seedOf(index);
        // Every eighth installation has no public address and lives by delta alone.
        const result = await play(stage, seed, { hasWebhook: seed % 8 !== 0 });
        totals.events += result.events;
        totals.kills += result.kills;
      }
      console.log(
        `${SEEDS} schedules, ${totals.events} events, ${totals.kills} kills: the log equals the mailbox`,
      );
      expect(totals.kills).toBeGreaterThan(SEEDS / 20);
    });
  });
}

async function play(stage: Stage, seed: number, options: SimOptions) {
  const plan = drawPlan(seed);
  const result = await simulate(stage, seed, plan, options);
  if (result.problems.length > 0) {
    const kept = await shrink(stage, seed, plan, options);
    throw new Error(
      `seed ${seed}: ${result.problems.join("; ")}\nsee it again with: ${reproCommand(seed, kept)}`,
    );
  }
  return result;
}

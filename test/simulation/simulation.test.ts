import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { drawPlan } from "./plan.ts";
import { openStage, type Stage, simulate } from "./simulate.ts";

const SEEDS = process.env["POSTROOM_LONG"] ? 20_000 : 40;
let stage: Stage;

beforeAll(async () => {
  stage = openStage(await freshDatabaseUrl());
});
afterAll(() => stage.close());

describe("after any faults", () => {
  it(`the log equals the mailbox, over ${SEEDS} schedules`, { timeout: 3_600_000 }, async () => {
    const failed: { seed: number; problems: readonly string[] }[] = [];
    let events = 0;
    let kills = 0;
    const started = performance.now();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const result = await simulate(stage, seed, drawPlan(seed));
      events += result.events;
      kills += result.kills;
      if (result.problems.length > 0) failed.push({ seed, problems: result.problems });
    }
    console.log(
      `${SEEDS} seeds, ${events} events, ${kills} kills, ${((performance.now() - started) / SEEDS).toFixed(0)} ms a seed`,
    );
    expect(failed).toEqual([]);
  });
});

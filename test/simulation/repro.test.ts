/** Replays one schedule step by step: `npm run repro -- --seed 13 --only 3,9`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabaseUrl } from "../helpers/database.ts";
import { drawPlan } from "./plan.ts";
import { pick, reproCommand, shrink } from "./shrink.ts";
import { openStage, type Stage, simulate } from "./simulate.ts";

const seed = Number(process.env["POSTROOM_SEED"] ?? 1);
const only = process.env["POSTROOM_ONLY"]?.split(",").map(Number);
const options = { hasWebhook: seed % 8 !== 0 };
let stage: Stage;

beforeAll(async () => {
  stage = openStage(await freshDatabaseUrl());
});
afterAll(() => stage.close());

describe("one schedule", () => {
  it(`seed ${seed} converges, and plays the same twice`, { timeout: 600_000 }, async () => {
    const all = drawPlan(seed);
    const plan = only === undefined ? all : pick(all, only);
    const [first, second] = [
      await simulate(stage, seed, plan, options),
      await simulate(stage, seed, plan, options),
    ];
    expect(second.fingerprint).toBe(first.fingerprint);
    if (first.problems.length > 0) {
      const kept = only ?? (await shrink(stage, seed, all, options));
      console.log(
        `the steps that matter:\n${pick(all, kept)
          .map((step) => `  minute ${step.atMinute}: ${JSON.stringify(step.action)}`)
          .join("\n")}\n${reproCommand(seed, kept)}`,
      );
    }
    expect(first.problems).toEqual([]);
  });
});

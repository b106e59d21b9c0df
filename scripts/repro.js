// Replays one simulated schedule: npm run repro -- --seed 13 [--only 3,9]
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seed: { type: "string" }, only: { type: "string" } } });
if (values.seed === undefined) {
  console.error("usage: npm run repro -- --seed NUMBER [--only STEP,STEP…]");
  process.exit(2);
}
const result = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "test/simulation/repro.test.ts"],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      POSTROOM_SEED: values.seed,
      ...(values.only === undefined ? {} : { POSTROOM_ONLY: values.only }),
    },
  },
);
process.exit(result.status ?? 1);

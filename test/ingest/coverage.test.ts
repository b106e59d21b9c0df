import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = [
  "src/trades/ingestion",
  "src/trades",
  "src/review",
  "src/archive",
  "src/flows/ingest",
];
const TESTS = [
  ...["claim", "finish", "guard", "keep-claims", "statements"].map(
    (n) => `test/claims/${n}.test.ts`,
  ),
  ...["walk", "review-doors", "order-doors", "other-ways", "real-notes", "backstop"].map(
    (n) => `test/ingest/${n}.test.ts`,
  ),
  "test/trades",
  "src/archive",
  ..."judge-trade match-user match-order place-line read-orders content-of-extraction"
    .split(" ")
    .map((n) => `src/trades/${n}.test.ts`),
];

// Runs the other tests once more, so only the long run does it.
describe("coverage", () => {
  it("of ingestion, trades, review and archive is above 80 % of the lines, each file of the claim above 90 % [ING-24]", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postroom-coverage-"));
    const vitest = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        ...["run", ...TESTS, "--coverage", "--coverage.reporter=json-summary"],
        ...[
          `--coverage.reportsDirectory=${folder}`,
          ...FOLDERS.map((f) => `--coverage.include=${f}/*.ts`),
        ],
      ],
      { cwd: root, stdio: "ignore", env: { ...process.env, POSTROOM_LONG: "" } },
    );
    expect(await once(vitest, "exit")).toEqual([0, null]);
    const summary = JSON.parse(
      await readFile(join(folder, "coverage-summary.json"), "utf8"),
    ) as Record<string, { lines: { total: number; covered: number; pct: number } }>;
    await rm(folder, { recursive: true });
    for (const name of FOLDERS) {
      const files = Object.entries(summary).filter(
        ([path]) => path.replace(/[^/]+$/, "") === join(root, name, "/"),
      );
      const total = files.reduce((sum, [, { lines }]) => sum + lines.total, 0);
      const covered = files.reduce((sum, [, { lines }]) => sum + lines.covered, 0);
      expect([name, covered / total > 0.8]).toEqual([name, true]);
    }
    for (const name of ["claim-mail", "finish-mail", "keep-claims", "guard"]) {
      const { lines } = summary[join(root, `src/trades/ingestion/${name}.ts`)]!;
      expect([name, lines.pct > 90]).toEqual([name, true]);
    }
  }, 600_000);
});

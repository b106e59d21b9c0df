import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isLong = Boolean(process.env["POSTROOM_LONG"]);
const CLAIM = "claim-mail finish-mail ingestion-table keep-claims lease-table guard"
  .split(" ")
  .map((name) => `src/ingestion/${name}.ts`);
/** Each group by itself, so that a well-tested one does not hide another. */
const LONG_GROUPS: Record<string, string[]> = {
  ingestion: ["src/ingestion/*.ts"],
  flows: [
    "src/flows/ingestion/stages/*.ts",
    ..."ingest-mail ingest-file apply-review sweep-ingestion gather-evidence clear-archive-backlog forget-ingestion probe-ids poll-files watched-place"
      .split(" ")
      .map((n) => `src/flows/ingestion/${n}.ts`),
  ],
  trades: [
    "src/trades/*.ts",
    ...["answers", "content", "drift", "orders", "routing", "second-reader"].map(
      (folder) => `src/trades/${folder}/*.ts`,
    ),
  ],
  review: ["src/review/*.ts"],
  archive: ["src/archive/*.ts"],
};
const GROUPS = isLong ? LONG_GROUPS : { claim: CLAIM, archive: LONG_GROUPS["archive"]! };
const SHORT_TESTS = [
  ...["claim", "finish", "guard", "keep-claims", "statements"].map(
    (n) => `test/claims/${n}.test.ts`,
  ),
  "src/archive",
];
const LONG_TESTS = [
  ...SHORT_TESTS,
  ..."walk long-after review-doors order-doors other-ways real-notes backstop"
    .split(" ")
    .map((n) => `test/ingest/${n}.test.ts`),
  "test/trades",
  "test/drift.test.ts",
  "test/second-reader.test.ts",
  "src/cli/trades/evidence.test.ts",
  "src/trades/",
];

// Runs other tests once more: those of the claim and the archive in every run, the rest only in the long one.
describe("coverage", () => {
  const what = isLong
    ? "ingestion, trades, review and archive is above 80 % of the lines, each file of the claim above 90 %"
    : "the claim and the archive is above 80 % of the lines";
  it(`of ${what} [ING-24]`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postroom-coverage-"));
    const vitest = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        ...["run", ...(isLong ? LONG_TESTS : SHORT_TESTS), "--exclude=src/extract/**"],
        ...["--coverage", "--coverage.reporter=json-summary"],
        `--coverage.reportsDirectory=${folder}`,
        ...Object.values(GROUPS)
          .flat()
          .map((path) => `--coverage.include=${path}`),
      ],
      { cwd: root, stdio: "ignore", env: { ...process.env, POSTROOM_LONG: "" } },
    );
    expect(await once(vitest, "exit")).toEqual([0, null]);
    const summary = JSON.parse(
      await readFile(join(folder, "coverage-summary.json"), "utf8"),
    ) as Record<string, { lines: Lines }>;
    await rm(folder, { recursive: true });
    const linesOf = (path: string) => summary[join(root, path)]?.lines;
    for (const [name, patterns] of Object.entries(GROUPS)) {
      const lines = Object.entries(summary)
        .filter(([path]) => patterns.some((pattern) => matchesGlob(relative(root, path), pattern)))
        .map(([, file]) => file.lines);
      const covered = sum(lines, "covered") / sum(lines, "total");
      console.log(`${name}: ${(100 * covered).toFixed(1)} % of ${sum(lines, "total")} lines`);
      expect([name, covered > 0.8]).toEqual([name, true]);
    }
    for (const path of isLong ? CLAIM : []) {
      const { pct } = linesOf(path)!;
      expect([path, pct > 90]).toEqual([path, true]);
    }
  }, 900_000);
});

interface Lines {
  readonly total: number;
  readonly covered: number;
  readonly pct: number;
}

const sum = (lines: readonly Lines[], key: "total" | "covered") =>
  lines.reduce((total, each) => total + each[key], 0);

/** `folder/*.ts`, or one path. */
function matchesGlob(path: string, pattern: string): boolean {
  if (!pattern.endsWith("/*.ts")) return path === pattern;
  return dirname(path) === dirname(pattern);
}

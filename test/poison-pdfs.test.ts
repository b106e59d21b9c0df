import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface PoisonRun {
  results: {
    name: string;
    reason: string;
    reasons: string[];
    detail: string;
    tookMs: number;
    goodIsRead: boolean;
  }[];
  rssGrowthMiB: number;
  canaryExists: boolean;
  stats: { peakRssBytes: number };
}

let folder: string;
let run: PoisonRun;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "poison-"));
  const script = fileURLToPath(new URL("./helpers/read-poison.ts", import.meta.url));
  const args = ["--expose-gc", "--import", "tsx", script, folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e7 });
  run = JSON.parse(stdout) as PoisonRun;
}, 180_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("documents made to hurt their reader", () => {
  it("each ends with its own reason [S56]", () => {
    const wrong = run.results.filter((result) => !result.reasons.includes(result.reason));
    expect(run.results.length).toBeGreaterThan(12);
    expect(wrong).toEqual([]);
  });

  it("the document after each of them is read as if nothing had happened [R25]", () => {
    expect(run.results.filter((result) => !result.goodIsRead)).toEqual([]);
  });

  it("the host grows by less than 64 MiB over the whole set [S56]", () => {
    expect(run.rssGrowthMiB).toBeLessThan(64);
  });

  it("a font or an opening action that is a program does not run [S57]", () => {
    expect(run.canaryExists).toBe(false);
  });
});

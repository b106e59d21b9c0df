import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importCycles, mutualFolders, wrongImports, wrongStages } from "./imports.ts";
import { rowIdsInCode, strayUses, unexplainedSkips } from "./rules.ts";
import { crowdedFolders, LONG_FUNCTIONS_MAX, longFunctions } from "./sizes.ts";
import { readSources } from "./sources.ts";
import { hiddenTables, sharedTables, strayAgreedText, straySql, unstorableJson } from "./tables.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const sources = readSources(ROOT, ["src", "tenant", "bench", "test"]);
const product = readSources(ROOT, ["src", "tenant", "console/src"]);

describe("the tree", () => {
  it("imports only downwards", () => {
    expect(wrongImports(sources)).toEqual([]);
  });

  it("lets stages of the extractor import only downwards", () => {
    expect(wrongStages(sources)).toEqual([]);
  });

  it("has no import cycle", () => {
    expect(importCycles(product)).toEqual([]);
  });

  it("has no two folders that import each other", () => {
    expect(mutualFolders(product)).toEqual([]);
  });

  it("writes each table in one file", () => {
    expect(sharedTables(product)).toEqual([]);
    expect(hiddenTables(product)).toEqual([]);
    expect(strayAgreedText(product)).toEqual([]);
  });

  it("has SQL only in tables and in files that read across them", () => {
    expect(straySql(product)).toEqual([]);
  });

  it("writes JSON that PostgreSQL can store", () => {
    expect(unstorableJson(product)).toEqual([]);
  });

  it("keeps time, randomness, network and environment in their homes", () => {
    expect(strayUses(sources)).toEqual([]);
  });

  it("names requirement rows only in tests and docs", () => {
    expect(rowIdsInCode(sources)).toEqual([]);
  });

  it("skips no test", () => {
    expect(
      unexplainedSkips(sources.filter((source) => !source.path.startsWith("test/tidy/"))),
    ).toEqual([]);
  });

  it("has no more long functions than it had, and prints what a reader should look at", () => {
    const long = longFunctions(product);
    for (const line of [...crowdedFolders(product), ...long]) process.stdout.write(`  ${line}\n`);
    expect(long.length).toBeLessThanOrEqual(LONG_FUNCTIONS_MAX);
  });

  it("names no registry host in the lockfile and has a hash for every package", () => {
    const lock = JSON.parse(readFileSync(resolve(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
    };
    const wrong = Object.entries(lock.packages).filter(
      ([path, entry]) =>
        path !== "" && (/^https?:/.test(entry.resolved ?? "") || entry.integrity === undefined),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it("ships the scripts that the README names", () => {
    const { scripts } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    for (const name of ["start", "test", "check", "build", "bench", "postroom"])
      expect(scripts).toHaveProperty(name);
    expect(existsSync(resolve(ROOT, ".ci/run"))).toBe(true);
  });
});

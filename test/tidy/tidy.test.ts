import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSources, rowIdsInCode, strayUses, unexplainedSkips, wrongImports } from "./rules.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const sources = readSources(ROOT, ["src", "tenant", "bench", "test"]);

describe("the tree", () => {
  it("imports only downwards", () => {
    expect(wrongImports(sources)).toEqual([]);
  });

  it("keeps time, randomness, network and environment in their homes", () => {
    expect(strayUses(sources)).toEqual([]);
  });

  it("names requirement rows in tests and docs alone", () => {
    expect(rowIdsInCode(sources)).toEqual([]);
  });

  it("skips no test", () => {
    expect(
      unexplainedSkips(sources.filter((source) => !source.path.startsWith("test/tidy/"))),
    ).toEqual([]);
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

describe("the tidy test itself", () => {
  const turned = (path: string, text: string) => wrongImports([{ path, text }]);

  it("sees an arrow that is turned round", () => {
    expect(
      turned("src/lib/clock.ts", 'import { openDatabase } from "../store/database.ts";'),
    ).toHaveLength(1);
    expect(
      turned("src/jobs/worker.ts", 'import { diffMessage } from "../mailbox/diff-message.ts";'),
    ).toHaveLength(1);
    expect(
      turned("tenant/graph/x.ts", 'import { Fault } from "../../src/lib/fault.ts";'),
    ).toHaveLength(1);
    expect(
      turned("src/api/x.ts", 'import { mailChangedHandler } from "../flows/mail-changed.ts";'),
    ).toHaveLength(1);
    expect(
      turned("src/mailbox/x.ts", 'import type { Trade } from "../trades/trade.ts";'),
    ).toHaveLength(1);
    expect(turned("src/trades/x.ts", 'const { a } = await import("../app.ts");')).toHaveLength(1);
  });

  it("lets arrows go down, and types of an earlier station sideways", () => {
    expect(turned("src/store/database.ts", 'import { Fault } from "../lib/fault.ts";')).toEqual([]);
    expect(
      turned("src/trades/x.ts", 'import type { Folder } from "../mailbox/folder-table.ts";'),
    ).toEqual([]);
    expect(turned("src/api/x.ts", 'import { mailChanged } from "../flows/specs.ts";')).toEqual([]);
  });

  it("sees a stray clock, die or environment", () => {
    const stray = (text: string) => strayUses([{ path: "src/mailbox/x.ts", text }]);
    expect(stray("const at = Date.now();")).toHaveLength(1);
    expect(stray("const at = new Date();")).toHaveLength(1);
    expect(stray("const n = Math.random();")).toHaveLength(1);
    expect(stray("setTimeout(run, 5);")).toHaveLength(1);
    expect(stray("await fetch(url);")).toHaveLength(1);
    expect(stray("process.env.PORT")).toHaveLength(1);
    expect(stray("// Date.now() is not used here")).toEqual([]);
    expect(stray("clock.after(5, run); client.fetch(url);")).toEqual([]);
  });
});

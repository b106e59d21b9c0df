/** Breaks every rule about imports, to see that it is noticed. */
import { describe, expect, it } from "vitest";
import { importCycles, mutualFolders, wrongImports, wrongStages } from "./imports.ts";

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((target) => `import { x } from "${target}";`).join("\n"),
});

describe("the rule that imports go downwards", () => {
  const turned = (path: string, text: string) => wrongImports([{ path, text }]);

  it.each([
    ["src/lib/clock.ts", 'import { openDatabase } from "../store/database.ts";'],
    ["src/jobs/worker.ts", 'import { diffMessage } from "../mailbox/diff-message.ts";'],
    ["tenant/graph/x.ts", 'import { Fault } from "../../src/lib/fault.ts";'],
    ["src/api/x.ts", 'import { mailChangedHandler } from "../flows/mail-changed.ts";'],
    ["src/mailbox/x.ts", 'import type { Trade } from "../trades/trade.ts";'],
    ["src/trades/x.ts", 'const { a } = await import("../app.ts");'],
    ["src/lib/x.ts", 'import "../store/database.ts";'],
    ["src/lib/x.ts", 'export { x } from "../store/database.ts";'],
    ["src/nowhere/x.ts", 'import { Fault } from "../lib/fault.ts";'],
  ])("refuses %s: %s", (path, text) => {
    expect(turned(path, text)).toHaveLength(1);
  });

  it.each([
    ["src/store/database.ts", 'import { Fault } from "../lib/fault.ts";'],
    ["src/trades/x.ts", 'import type { Folder } from "../mailbox/folder-table.ts";'],
    ["src/api/x.ts", 'import { mailChanged } from "../flows/specs/watching.ts";'],
  ])("accepts %s: %s", (path, text) => {
    expect(turned(path, text)).toEqual([]);
  });
});

describe("the rule that stages of the extractor import only downwards", () => {
  const staged = (path: string, target: string) => wrongStages([file(path, target)]);

  it.each([
    ["src/extract/text/numbers.ts", "../layout/lines.ts"],
    ["src/extract/blocks/facts.ts", "../judgement/candidate.ts"],
    ["src/extract/judgement/confidence.ts", "../answer/extraction.ts"],
    ["src/extract/answer/assemble.ts", "../extract-trades.ts"],
    ["src/extract/answer/assemble.ts", "../nowhere/x.ts"],
  ])("refuses %s: %s", (path, target) => {
    expect(staged(path, target)).toHaveLength(1);
  });

  it.each([
    ["src/extract/values/amount.ts", "../lexicon/index.ts"],
    ["src/extract/values/values.ts", "./amount.ts"],
    ["src/extract/extract-trades.ts", "./answer/assemble.ts"],
  ])("accepts %s: %s", (path, target) => {
    expect(staged(path, target)).toEqual([]);
  });
});

describe("the rule against import cycles", () => {
  it("sees a cycle of two files and one of three", () => {
    expect(importCycles([file("src/lib/a.ts", "./b.ts"), file("src/lib/b.ts", "./a.ts")])).toEqual([
      "cycle: src/lib/a.ts, src/lib/b.ts",
    ]);
    expect(
      importCycles([
        file("src/lib/a.ts", "./b.ts"),
        file("src/lib/b.ts", "../store/c.ts"),
        file("src/store/c.ts", "../lib/a.ts"),
        file("src/store/d.ts", "./c.ts"),
      ]),
    ).toEqual(["cycle: src/lib/a.ts, src/lib/b.ts, src/store/c.ts"]);
  });

  it("counts an import of types and a dynamic one", () => {
    expect(
      importCycles([
        { path: "src/lib/a.ts", text: 'import type { B } from "./b.ts";' },
        { path: "src/lib/b.ts", text: 'const { a } = await import("./a.ts");' },
      ]),
    ).toHaveLength(1);
  });

  it("accepts two ways to one file, and a test that imports its subject", () => {
    expect(
      importCycles([
        file("src/lib/a.ts", "./b.ts", "./c.ts"),
        file("src/lib/b.ts", "./c.ts"),
        file("src/lib/c.ts"),
        file("src/lib/c.test.ts", "./a.ts", "./c.ts"),
      ]),
    ).toEqual([]);
  });
});

describe("the rule against mutual folders", () => {
  it("sees two folders that import each other without a cycle of files", () => {
    const found = mutualFolders([
      file("src/flows/a.ts", "./ingest/b.ts"),
      file("src/flows/ingest/b.ts"),
      file("src/flows/ingest/c.ts", "../mail-changed.ts"),
      file("src/flows/mail-changed.ts"),
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain("src/flows and src/flows/ingest");
  });

  it("accepts one direction, and the root of a tree in both", () => {
    expect(
      mutualFolders([
        file("src/flows/a.ts", "./ingest/b.ts"),
        file("src/flows/ingest/b.ts", "../../lib/d.ts"),
        file("src/lib/d.ts"),
        file("tenant/index.ts", "./graph/x.ts"),
        file("tenant/graph/x.ts", "../clock.ts"),
        file("tenant/clock.ts"),
      ]),
    ).toEqual([]);
  });
});

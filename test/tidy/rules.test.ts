/** Breaks every rule about what a file may say, to see that it is noticed. */
import { describe, expect, it } from "vitest";
import { rowIdsInCode, strayUses, unexplainedSkips } from "./rules.ts";
import { crowdedFolders, longFunctions } from "./sizes.ts";

describe("the rule of one home for time, randomness, network and environment", () => {
  const stray = (text: string) => strayUses([{ path: "src/mailbox/x.ts", text }]);

  it.each([
    "const at = Date.now();",
    "const at = new Date();",
    "const n = Math.random();",
    "setTimeout(run, 5);",
    "await fetch(url);",
    "process.env.PORT",
  ])("refuses %s", (text) => {
    expect(stray(text)).toHaveLength(1);
  });

  it("leaves comments and methods of the same name alone", () => {
    expect(stray("// Date.now() is not used here")).toEqual([]);
    expect(stray("clock.after(5, run); client.fetch(url);")).toEqual([]);
  });
});

describe("the rule about requirement rows", () => {
  const named = (path: string, text: string) => rowIdsInCode([{ path, text }]);

  it.each(["WEB-21", "H-11", "X-05", "R07", "S41", "[S4]"])("refuses %s in code", (id) => {
    expect(named("src/jobs/x.ts", `// see ${id}`)).toEqual([
      `src/jobs/x.ts names the requirement row ${id}`,
    ]);
  });

  it("accepts them in a test, and amounts and services that look alike", () => {
    expect(named("src/jobs/x.test.ts", "[WEB-21] [R07]")).toEqual([]);
    expect(named("src/files/x.ts", "// S3 keeps R12.50 under UTF-8")).toEqual([]);
  });
});

describe("the rule against skipped tests", () => {
  it("sees a test that is skipped or singled out", () => {
    for (const call of ["it.skip(", "describe.only(", "it.todo(", "it.runIf("])
      expect(unexplainedSkips([{ path: "test/x.test.ts", text: call }])).toHaveLength(1);
  });
});

describe("the figures", () => {
  it("name a folder with more than 25 files, not counting tests", () => {
    const files = (count: number, end: string) =>
      Array.from({ length: count }, (_, n) => ({ path: `src/jobs/${n}${end}`, text: "" }));
    expect(crowdedFolders([...files(25, ".ts"), ...files(9, ".test.ts")])).toEqual([]);
    expect(crowdedFolders(files(26, ".ts"))).toEqual(["src/jobs has 26 files"]);
  });

  it("name a function of more than 70 lines", () => {
    const source = (head: string, lines: number) => [
      { path: "src/x.ts", text: `${head}\n${"  a();\n".repeat(lines - 2)}}\n\nconst b = 1;\n` },
    ];
    for (const head of ["export async function run() {", "const run = () => {"]) {
      expect(longFunctions(source(head, 70))).toEqual([]);
      expect(longFunctions(source(head, 71))).toEqual(["src/x.ts: run has 71 lines"]);
    }
  });
});

/** ARCHITECTURE.md names the files that a reader passes, and they import one another that way. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readWalks, wrongSteps } from "./walks.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
const read = (path: string): string | null =>
  existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : null;

describe("ARCHITECTURE.md", () => {
  const walks = readWalks(page);

  it("has a walk to an event, to a trade, to a document and through a job", () => {
    const all = walks.map((walk) => walk.map(({ path }) => path));
    for (const flow of [
      "src/flows/watching/mail-changed.ts",
      "src/flows/ingestion/ingest-mail.ts",
      "src/flows/documents/mail-to-document.ts",
      "src/flows/documents/upload-document.ts",
      "src/jobs/worker/run-batch.ts",
    ])
      expect(all.filter((names) => names.includes(flow)).length).toBeGreaterThan(0);
  });

  it.each(walks.map((walk) => [walk[0]!.path, walk] as const))(
    "the walk from %s names files that exist and lead to one another",
    (_, walk) => {
      expect(wrongSteps(walk, read)).toEqual([]);
    },
  );
});

describe("the check of a walk", () => {
  const files: Readonly<Record<string, string>> = {
    "src/a.ts": 'import { b } from "./x/b.ts";\nimport { job } from "./specs.ts";',
    "src/x/b.ts": "export const b = 1;",
    "src/c.ts": 'import {\n  job,\n} from "./specs.ts";\nexport interface Wired {}',
    "src/d.ts": 'import type { Wired } from "./c.ts";\nimport { job } from "./other.ts";',
  };
  const check = (...lines: string[]) =>
    wrongSteps(readWalks(`\`\`\`walk\n${lines.join("\n")}\n\`\`\`\n`)[0]!, (p) => files[p] ?? null);

  it("accepts an import, a shared job and an interface that one file declares", () => {
    const walk = ["src/a.ts    starts", "  src/x/b.ts  helps", "  ⇢ src/c.ts (job)"];
    expect(check(...walk, "    ⇢ src/d.ts (Wired)  ends")).toEqual([]);
  });

  it("sees a file that is gone, and an import that is gone or turned round", () => {
    expect(check("src/a.ts", "  src/gone.ts")).toEqual(["src/gone.ts does not exist"]);
    expect(check("src/a.ts", "  src/c.ts")).toEqual(["src/a.ts does not import src/c.ts"]);
    expect(check("src/x/b.ts", "  src/a.ts")).toEqual(["src/x/b.ts does not import src/a.ts"]);
    expect(check("src/a.ts", "src/x/b.ts")).toEqual(["src/x/b.ts is reached from nowhere"]);
  });

  it("sees a job that one side does not name, or that is another one", () => {
    expect(check("src/a.ts", "  ⇢ src/x/b.ts (job)")).toEqual(["src/x/b.ts does not name job"]);
    expect(check("src/a.ts", "  ⇢ src/d.ts (job)")).toEqual([
      "src/a.ts and src/d.ts mean different job",
    ]);
  });

  it("refuses a line that is not a step", () => {
    expect(() => check("src/a.ts", "  and then the rest")).toThrow("not a step");
  });
});

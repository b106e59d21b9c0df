import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

const ROOT = join(import.meta.dirname, "../src/extract");
const CORPUS = join(import.meta.dirname, "../../shared/corpus/corpus.jsonl");

function sources(folder: string): { path: string; text: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return name.endsWith(".ts") ? [{ path, text: readFileSync(path, "utf8") }] : [];
  });
}

describe("the extractor's sources", () => {
  const isPresent = existsSync(CORPUS);
  const title = isPresent
    ? "name no bank of the real documents"
    : "may name banks, since the folder of real documents is absent here";
  it(title, () => {
    if (!isPresent) {
      console.log(`not checked: ${CORPUS} is absent`);
      return;
    }
    const names = new Set<string>();
    for (const line of readFileSync(CORPUS, "utf8").split("\n")) {
      if (line === "") continue;
      const { bank, family } = JSON.parse(line) as { bank: string; family: string };
      names.add(bank).add(family);
    }
    // Names that are ordinary words say nothing about a bank.
    names.delete("bank_statement");
    const found: string[] = [];
    for (const { path, text } of sources(ROOT)) {
      // Bytes of weights spell anything by chance.
      if (path.endsWith("label-weights.ts")) continue;
      const lower = text.toLowerCase();
      for (const name of names)
        if (name.length > 3 && lower.includes(name.toLowerCase())) found.push(`${path}: ${name}`);
    }
    assert.deepEqual(found, []);
  });

  it("contain no regular expression with a quantifier inside a quantifier", () => {
    const nested = /\/[^/\n]*\([^()\n]*[+*}][^()\n]*\)[+*{][^/\n]*\/[a-z]*/;
    for (const { path, text } of sources(ROOT)) {
      for (const line of text.split("\n")) {
        if (line.trimStart().startsWith("*") || line.trimStart().startsWith("//")) continue;
        assert.equal(nested.test(line), false, `${path}: ${line.trim()}`);
      }
    }
  });

  it("read no clock, no chance and no environment", () => {
    for (const { path, text } of sources(ROOT)) {
      assert.equal(/Date\.now|Math\.random|process\.env|new Date\(\)/.test(text), false, path);
    }
  });
});

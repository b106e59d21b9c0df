/** Rows of a corpus with known trades, and the split that keeps every third family unseen. */
import { readFileSync } from "node:fs";
import { familiesAside } from "../../src/evaluate/halves.ts";
import type { TruthRow } from "../../src/evaluate/judge.ts";

export interface CorpusRow extends TruthRow {
  family: string;
  language: string;
  doc_class: string;
  text: string;
}

/** Families in sorted order; each third is set aside and its rows never leave this function. */
export function workedOnRows(path: string): CorpusRow[] {
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CorpusRow);
  const aside = familiesAside(rows);
  return rows.filter((row) => !aside.has(row.family));
}

/**
 * Rows of a corpus with known trades. All documents of a family are in one fold, so that a fold is unknown to
 * the others.
 */
import { readFileSync } from "node:fs";
import type { TruthRow } from "./judge.ts";

export interface CorpusRow extends TruthRow {
  family: string;
  language: string;
  doc_class: string;
  fold: number;
  text: string;
}

export function readCorpus(path: string): CorpusRow[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CorpusRow);
}

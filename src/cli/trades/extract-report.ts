/** `postroom extract --report`: how good the extractor is on rows whose trades are known. */

import { foldsOf, readUnseen, scoreFolds } from "../../evaluate/folds.ts";
import { describeProof, type Proof } from "../../evaluate/proof.ts";
import {
  CURVE_HEADS,
  curveOf,
  RELIABILITY_HEADS,
  reliabilityOf,
} from "../../evaluate/reliability.ts";
import {
  describeSecondLooks,
  type SecondLook,
  secondLookOf,
} from "../../evaluate/second-reader.ts";
import {
  familyCells,
  type JudgedRow,
  meanCells,
  TALLY_HEADS,
  tallyCells,
  worstCells,
} from "../../evaluate/tally.ts";
import type { CorpusRow } from "../../evaluate/truth/corpus.ts";
import { judgeDocument, type TruthRow } from "../../evaluate/truth/judge.ts";
import type { Extraction } from "../../extract/answer/extraction.ts";
import { predictionOf } from "../../extract/answer/prediction.ts";
import { CommandError } from "../base/exit.ts";
import { type Output, plain } from "../base/output.ts";

export interface KnownRow extends TruthRow {
  family?: string;
  language?: string;
  doc_class?: string;
  fold?: number;
  text?: string;
}

type Judged = JudgedRow & { file: string; fold?: number; second?: SecondLook; proof?: Proof };

/** A known value that the document contradicts, with the words that it prints. */
export interface Disputed {
  file: string;
  field: string;
  words: string;
}

export interface ReportOptions {
  isStrict: boolean;
  /** Known values that are in doubt; the figures are printed with and without their documents. */
  disputed: readonly Disputed[];
}

/** Rows in folds are scored by fits that have not seen their fold; others by the shipped fit. */
export async function reportOn(
  rows: readonly KnownRow[],
  read: (row: KnownRow) => Promise<Extraction>,
  { isStrict, disputed }: ReportOptions,
  output: Output,
): Promise<void> {
  for (const row of rows)
    if (!Array.isArray(row.transactions))
      throw new CommandError(`${row.file} has no transactions to judge by`);
  if (isFolded(rows)) {
    const folds = foldsOf(rows);
    output.line(
      `${rows.length} documents in ${folds.length} folds; each fold is scored with a fit and words from the other folds only`,
    );
    const scored = scoreFolds(readUnseen(rows), isStrict);
    printReport(scored, output);
    printDisputed(scored, disputed, output);
    return;
  }
  const judged: Judged[] = [];
  for (const row of rows) {
    const { file, family, language, doc_class } = row;
    const extraction = await read(row);
    const prediction = predictionOf(file, extraction);
    const known = { file, judged: judgeDocument(row, prediction), family, language, doc_class };
    judged.push({ ...known, second: secondLookOf(extraction, row.text ?? "") });
  }
  output.line(`${rows.length} documents without folds, scored by the shipped fit`);
  printReport(judged, output);
  printDisputed(judged, disputed, output);
}

function printDisputed(
  rows: readonly Judged[],
  disputed: readonly Disputed[],
  output: Output,
): void {
  if (disputed.length === 0) return;
  const files = new Set(disputed.map(({ file }) => file));
  output.line();
  output.line(`${disputed.length} known values are disputed`);
  output.table(
    ["file", "field", "printed"],
    disputed.map(({ file, field, words }) => [plain(file), plain(field), plain(words)]),
  );
  const rest = rows.filter(({ file }) => !files.has(file));
  output.table(TALLY_HEADS, [tallyCells("with them", rows), tallyCells("without", rest)]);
}

function isFolded(rows: readonly KnownRow[]): rows is CorpusRow[] {
  const folds = new Set(rows.map((row) => row.fold));
  return (
    folds.size > 1 &&
    rows.every(
      ({ fold, family, text }) =>
        typeof fold === "number" && typeof family === "string" && typeof text === "string",
    )
  );
}

function printReport(rows: readonly Judged[], output: Output): void {
  const folds = groupsOf(rows, (row) => (row.fold === undefined ? undefined : `fold ${row.fold}`));
  const trades = rows.flatMap(({ judged }) => judged.trades);
  output.table(TALLY_HEADS, [
    tallyCells("all", rows),
    familyCells(rows),
    ...(folds.length > 1 ? [meanCells(folds), worstCells(folds)] : []),
    ...[
      ...folds,
      ...groupsOf(rows, (row) => row.language),
      ...groupsOf(rows, (row) => row.doc_class),
    ].map(([name, own]) => tallyCells(plain(name), own)),
  ]);
  output.line();
  output.table(RELIABILITY_HEADS, reliabilityOf(trades));
  output.line();
  output.line(
    "the most certain trades, and how many of 100 are right (lower bound, 95 % confidence)",
  );
  output.table(CURVE_HEADS, curveOf(trades));
  output.line();
  output.line(describeSecondLooks(rows));
  const proofs = rows.flatMap(({ proof }) => (proof ? [proof] : []));
  if (proofs.length > 0) output.line(describeProof(proofs));
}

function groupsOf(
  rows: readonly Judged[],
  of: (row: Judged) => string | undefined,
): [string, Judged[]][] {
  const names = [...new Set(rows.map(of))].filter((name) => name !== undefined).sort();
  return names.map((name) => [name, rows.filter((row) => of(row) === name)]);
}

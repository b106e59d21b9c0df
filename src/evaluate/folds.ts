/**
 * Scores every fold with a fit and a lexicon that have not seen it. Even a document that the fit learns from is
 * read with the lexicon of the folds other than its own, so that the fit learns what documents of unknown banks
 * look like.
 */
import { predictionOf } from "../extract/answer/prediction.ts";
import { evidenceOf, judgeCandidates } from "../extract/extract-trades.ts";
import { strictly, type Weighing } from "../extract/judgement/weighing.ts";
import { restrictLexicon } from "../extract/lexicon/index.ts";
import { type LabelModel, useLabelModel } from "../extract/values/label-model.ts";
import { fitLabels } from "./fit/fit-labels.ts";
import { type ReadRow, readRows } from "./fit/fit-rows.ts";
import { fitWeighing } from "./fit/fit-weighing.ts";
import { entriesIn } from "./lexicon-use.ts";
import { type Proof, proofOf } from "./proof.ts";
import { type SecondLook, secondLookOf } from "./second-reader.ts";
import type { JudgedRow } from "./tally.ts";
import type { CorpusRow } from "./truth/corpus.ts";
import { judgeDocument } from "./truth/judge.ts";

export interface ScoredRow extends JudgedRow {
  file: string;
  family: string;
  fold: number;
  second: SecondLook;
  proof: Proof;
}

export interface UnseenReading {
  read: ReadRow[];
  /** Runs a task with the lexicon that this fold may be read with. */
  asUnseen<T>(fold: number, run: () => T): T;
}

export function foldsOf(rows: readonly CorpusRow[]): number[] {
  return [...new Set(rows.map((row) => row.fold))].sort((a, b) => a - b);
}

/** Reads all rows, each with the words that the other folds know. */
export function readUnseen(rows: readonly CorpusRow[]): UnseenReading {
  const known = new Map(foldsOf(rows).map((fold) => [fold, new Set<string>()]));
  for (const row of rows) for (const entry of entriesIn(row.text)) known.get(row.fold)!.add(entry);
  const models = new Map<number, LabelModel>();
  const asUnseen = <T>(fold: number, run: () => T): T => {
    const others = [...known].filter(([other]) => other !== fold).map(([, entries]) => entries);
    const isKnown = (phrase: string) => others.some((entries) => entries.has(phrase));
    restrictLexicon(isKnown);
    if (!models.has(fold))
      models.set(
        fold,
        fitLabels(
          rows.filter((row) => row.fold !== fold),
          isKnown,
        ),
      );
    useLabelModel(models.get(fold)!);
    try {
      return run();
    } finally {
      restrictLexicon(() => true);
      useLabelModel(null);
    }
  };
  const read = foldsOf(rows).flatMap((fold) =>
    asUnseen(fold, () => readRows(rows.filter((row) => row.fold === fold))),
  );
  return { read, asUnseen };
}

/** With `isStrict`, only what is above the stricter threshold is confirmed. */
export function scoreFolds({ read, asUnseen }: UnseenReading, isStrict = false): ScoredRow[] {
  return foldsOf(read.map(({ row }) => row)).flatMap((fold) => {
    const fitted = fitWeighing(read.filter(({ row }) => row.fold !== fold)).weighing;
    const weighing = isStrict ? strictly(fitted) : fitted;
    const own = read.filter(({ row }) => row.fold === fold);
    return asUnseen(fold, () => own.map((one) => scoreRow(one, weighing)));
  });
}

function scoreRow({ row, document, possible }: ReadRow, weighing: Weighing): ScoredRow {
  const { file, family, fold, language, doc_class } = row;
  const extraction = judgeCandidates({ ...document, weighing }, possible);
  const judged = judgeDocument(row, predictionOf(file, extraction));
  const second = secondLookOf(extraction, row.text);
  const proof = proofOf(
    extraction.trades,
    evidenceOf({ ...document, weighing }, possible),
    row.text,
  );
  return { file, family, fold, language, doc_class, judged, second, proof };
}

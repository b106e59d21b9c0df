/** Every candidate of the corpus with its evidence and whether the truth agrees with it. */

import {
  isPrinted,
  type JudgedField,
  type JudgedTrade,
  judgeDocument,
} from "../../src/evaluate/judge.ts";
import { assemble } from "../../src/extract/answer/assemble.ts";
import { predictionOf } from "../../src/extract/answer/prediction.ts";
import { candidatesOf, documentOf, readingOfText } from "../../src/extract/extract-trades.ts";
import type { Candidate, Features } from "../../src/extract/judgement/candidate.ts";
import { certaintyOf } from "../../src/extract/judgement/certainty.ts";
import type { ParsedText } from "../../src/extract/judgement/parsed-text.ts";
import type { CorpusRow } from "./corpus.ts";

export interface ReadRow {
  row: CorpusRow;
  document: ParsedText;
  candidates: Candidate[];
}

export interface FitRow {
  family: string;
  file: string;
  kind: string;
  /** The truth stands in the text. */
  isPrinted: boolean;
  features: Features;
  isTrade: boolean;
  isRight: boolean;
  fields: Readonly<Record<JudgedField, boolean>>;
}

export function readRows(rows: readonly CorpusRow[]): ReadRow[] {
  return rows.map((row) => {
    const document = documentOf(readingOfText(row.text));
    return { row, document, candidates: candidatesOf(document) };
  });
}

/** The judged candidates of one document, of those only that `keep` takes for trades. */
export function fitRows(read: ReadRow, keep: (candidate: Candidate) => boolean): FitRow[] {
  const { row, document } = read;
  const kept = read.candidates.filter(keep);
  const trades = kept.map((candidate) => assemble(document, candidate, kept));
  const prediction = predictionOf(row.file, {
    documentType: "other",
    documentTypeReason: "",
    trades: trades.map((trade) => ({ ...trade, isCancellation: false })),
    confidence: 1,
    reasons: [],
  });
  return judgeDocument(row, prediction).trades.map((judged: JudgedTrade) => ({
    family: row.family,
    file: row.file,
    kind: row.doc_class,
    isPrinted: isPrinted(row),
    features: certaintyOf(document, kept[judged.index]!, kept),
    isTrade: judged.isTrade,
    isRight: judged.isRight,
    fields: judged.fields,
  }));
}

/** Lists every candidate of the corpus with its evidence and whether the known trades agree with it. */

import { assemble } from "../../extract/answer/assemble.ts";
import { predictionOf } from "../../extract/answer/prediction.ts";
import {
  candidatesAmong,
  documentOf,
  type PossibleTrades,
  possibleTrades,
  readingOfText,
} from "../../extract/extract-trades.ts";
import type { Candidate, Features } from "../../extract/judgement/candidate.ts";
import { certaintyOf } from "../../extract/judgement/certainty.ts";
import type { ParsedText } from "../../extract/judgement/parsed-text.ts";
import type { Weights } from "../../extract/judgement/trade-weights.ts";
import { tradesAmong } from "../../extract/judgement/verdict.ts";
import { SHIPPED } from "../../extract/judgement/weighing.ts";
import type { CorpusRow } from "../truth/corpus.ts";
import { isPrinted, type JudgedField, type JudgedTrade, judgeDocument } from "../truth/judge.ts";

export interface ReadRow {
  row: CorpusRow;
  document: ParsedText;
  possible: PossibleTrades;
  candidates: Candidate[];
}

export interface FitRow {
  family: string;
  group: string;
  file: string;
  kind: string;
  /** True if the known values are printed in the text. */
  isPrinted: boolean;
  /** True if nothing but its confidence can prevent the trade from being confirmed. */
  isOpen: boolean;
  features: Features;
  isTrade: boolean;
  isRight: boolean;
  fields: Readonly<Record<JudgedField, boolean>>;
}

export function readRows(rows: readonly CorpusRow[]): ReadRow[] {
  return rows.map((row) => {
    const document = documentOf(readingOfText(row.text));
    const possible = possibleTrades(document);
    return { row, document, possible, candidates: candidatesAmong(document, possible) };
  });
}

/** The judged candidates of one document. With the weights of a trade model, only those that it takes for trades. */
export function fitRows(read: ReadRow, trade: Weights | null): FitRow[] {
  const { row } = read;
  const weighing = { ...SHIPPED, ...(trade && { trade }), autoConfirm: 0 };
  const document = { ...read.document, weighing };
  const kept = trade
    ? tradesAmong(candidatesAmong(document, read.possible), trade)
    : read.candidates;
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
    group: String(row.fold),
    file: row.file,
    kind: row.doc_class,
    isPrinted: isPrinted(row),
    isOpen: trades[judged.index]!.canAutoConfirm,
    features: certaintyOf(document, kept[judged.index]!, kept),
    isTrade: judged.isTrade,
    isRight: judged.isRight,
    fields: judged.fields,
  }));
}

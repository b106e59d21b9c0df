/**
 * Fits the confidence models: whether it is a trade, whether each field is right, and the scale of their
 * product.
 */

import { along, weigh } from "../../extract/judgement/confidence.ts";
import type { Weighing } from "../../extract/judgement/weighing.ts";
import { CORE_FIELDS, JUDGED_FIELDS, type JudgedField } from "../truth/judge.ts";
import { crossValidate, samplesOf } from "./cross-validate.ts";
import { BOOKED_EXPECTED, FIELD_EXPECTED } from "./expected.ts";
import type { FitRow } from "./fit-rows.ts";
import { type Fitted, fitLogistic, type Ridge } from "./logistic.ts";
import { fitScale } from "./scale.ts";
import { chooseStrictly, chooseThreshold, describeCurve } from "./threshold.ts";

/** All models but the trade model, and the result at the threshold for families left out of the fit. */
export interface FittedConfidence extends Omit<Weighing, "trade"> {
  readonly found: string;
}

const RIDGE: Ridge = { strength: 3, in: "units" };
/** Target share: documents whose confirmed trades are all right, among those with a confirmed trade. */
const TARGET = 0.997;
/** Below this confidence a person looks at a trade, however good the fit was: unknown banks differ from those of the fit. */
const CONFIRM_LEAST = 0.8;

export function fitConfidence(
  rows: readonly FitRow[],
  wrongMax = 0,
): { fitted: FittedConfidence; report: string[] } {
  const isPaired = (row: FitRow) => row.isTrade;
  const booked = crossValidate(rows, BOOKED_EXPECTED, RIDGE, isPaired, undefined, weigh);
  const perField = CORE_FIELDS.map((field) => ({
    field,
    odds: crossValidate(
      rows,
      FIELD_EXPECTED[field],
      RIDGE,
      (row) => row.fields[field],
      isPaired,
      weigh,
    ),
  }));
  const together = rows.map((_, i) =>
    oddsOf(
      perField.reduce((product, { odds }) => product * logistic(odds[i]!), logistic(booked[i]!)),
    ),
  );
  const scale = fitScale(rows, together);
  const judged = rows.map((row, i) => ({
    row,
    confidence: logistic(along(scale, together[i]!)),
    isRight: row.isRight,
    fields: perField.map(({ field, odds }) => `${field} ${logistic(odds[i]!).toFixed(3)}`),
  }));
  // A true value that is not printed in the text cannot teach how far to trust the text.
  const open = withoutDoubt(judged);
  const fair = open.filter(({ row }) => row.isPrinted);
  const autoConfirm = Math.max(CONFIRM_LEAST, floor4(chooseThreshold(byDocument(fair), TARGET)));
  const strictConfirm = Math.max(autoConfirm, ceil4(chooseStrictly(byDocument(fair))));
  const sure = new Set(
    byDocument(open)
      .filter((one) => one.confidence >= autoConfirm)
      .map(({ file }) => file),
  );
  const kept = open.filter(({ row }) => sure.has(row.file));
  const right = kept.filter((one) => one.isRight).length;
  const found = `of families left out ${right} of ${kept.length} were right, ${((100 * kept.length) / rows.length).toFixed(0)} % of all`;
  const wrong = open
    .filter((one) => !one.isRight)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, wrongMax)
    .map(
      ({ row, confidence, fields }) =>
        `  ${confidence.toFixed(4)} ${row.file} ${describe(row)} | ${fields.join(", ")}`,
    );
  return {
    fitted: { ...fitAll(rows, isPaired), scale, autoConfirm, strictConfirm, found },
    report: [
      `confidence, families left out: ${rows.length} trades, ${rows.filter((row) => row.isRight).length} right`,
      ...describeCurve(judged),
      `without a standing doubt: ${open.length} trades, ${open.filter((one) => one.isRight).length} right`,
      ...describeCurve(open),
      `threshold ${autoConfirm}: ${found}`,
      ...wrong,
    ],
  };
}

interface JudgedFit {
  row: FitRow;
  confidence: number;
  isRight: boolean;
}

/** What prevents that one trade of a document is confirmed counts for all of its trades. */
function withoutDoubt<T extends JudgedFit>(judged: readonly T[]): T[] {
  const doubted = new Set(judged.filter(({ row }) => !row.isOpen).map(({ row }) => row.file));
  return judged.filter(({ row }) => !doubted.has(row.file));
}

/** A document has the confidence of its least certain trade, and is right if all its trades are. */
function byDocument(judged: readonly JudgedFit[]) {
  const out = new Map<string, { file: string; confidence: number; isRight: boolean }>();
  for (const { row, confidence, isRight } of judged) {
    const { file } = row;
    const known = out.get(file) ?? { file, confidence: 1, isRight: true };
    out.set(file, {
      file,
      confidence: Math.min(known.confidence, confidence),
      isRight: known.isRight && isRight,
    });
  }
  return [...out.values()];
}

function fitAll(
  rows: readonly FitRow[],
  isPaired: (row: FitRow) => boolean,
): Pick<FittedConfidence, "booked" | "fields"> {
  const paired = rows.filter(isPaired);
  const fields: Record<string, Fitted> = {};
  for (const field of JUDGED_FIELDS)
    fields[field] = fitLogistic(
      samplesOf(paired, (row) => row.fields[field]),
      FIELD_EXPECTED[field],
      RIDGE,
    );
  return { booked: fitLogistic(samplesOf(rows, isPaired), BOOKED_EXPECTED, RIDGE), fields };
}

function describe(row: FitRow): string {
  if (!row.isTrade) return "no trade";
  return JUDGED_FIELDS.filter((field: JudgedField) => !row.fields[field]).join(",");
}

const logistic = (value: number) => 1 / (1 + Math.exp(-value));

function oddsOf(probability: number): number {
  const kept = Math.min(1 - 1e-9, Math.max(1e-9, probability));
  return Math.log(kept / (1 - kept));
}

const floor4 = (value: number) => Math.floor(value * 1e4) / 1e4;
const ceil4 = (value: number) => Math.ceil(value * 1e4) / 1e4;

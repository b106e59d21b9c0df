/** The models of confidence: that it is a trade, that each field is right, and the scale of their product. */

import { CORE_FIELDS, JUDGED_FIELDS, type JudgedField } from "../../src/evaluate/judge.ts";
import { along, doubtsOf, weigh } from "../../src/extract/judgement/confidence.ts";
import { crossValidate, samplesOf } from "./cross-validate.ts";
import { type Fitted, fitLogistic, type Ridge } from "./logistic.ts";
import { BOOKED_EXPECTED, FIELD_EXPECTED } from "./models.ts";
import type { FitRow } from "./rows.ts";
import { fitScale } from "./scale.ts";
import { chooseThreshold, describeCurve } from "./threshold.ts";
import type { FittedConfidence } from "./write.ts";

const RIDGE: Ridge = { strength: 3, in: "units" };
const TARGET = 0.995;

export function fitConfidence(
  rows: readonly FitRow[],
  wrongMax: number,
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
  // A truth that stands nowhere in the text cannot teach how sure to be of the text.
  const open = judged.filter(({ row }) => doubtsOf(row.features).length === 0);
  const fair = open.filter(({ row }) => row.isPrinted);
  const autoConfirm = floor4(chooseThreshold(fair, TARGET));
  const kept = open.filter((one) => one.confidence >= autoConfirm);
  const right = kept.filter((one) => one.isRight).length;
  const found = `of families left out ${right} of ${kept.length} were right, ${((100 * kept.length) / rows.length).toFixed(0)} % of all`;
  const wrong = judged
    .filter((one) => !one.isRight && doubtsOf(one.row.features).length === 0)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, wrongMax)
    .map(
      ({ row, confidence, fields }) =>
        `  ${confidence.toFixed(4)} ${row.file} ${describe(row)} | ${fields.join(", ")}`,
    );
  return {
    fitted: { ...fitAll(rows, isPaired), scale, autoConfirm, found },
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

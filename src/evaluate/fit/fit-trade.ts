/** Fits the model that distinguishes trades from dividends, taxes and balances. */
import { TRADE } from "../../extract/judgement/verdict.ts";
import { crossValidate, samplesOf } from "./cross-validate.ts";
import { TRADE_EXPECTED } from "./expected.ts";
import type { FitRow } from "./fit-rows.ts";
import { type Fitted, fitLogistic, type Ridge } from "./logistic.ts";

const RIDGE: Ridge = { strength: 10, in: "units" };
/**
 * The extractor's own threshold, in log odds. Its stricter thresholds for candidates with few words are not
 * fitted.
 */
const THRESHOLD = Math.log(TRADE / (1 - TRADE));

export function fitTrade(rows: readonly FitRow[]): {
  fitted: Fitted;
  threshold: number;
  report: string[];
} {
  const odds = crossValidate(rows, TRADE_EXPECTED, RIDGE, (row) => row.isTrade);
  const isTaken = (i: number) => odds[i]! > THRESHOLD;
  const missed = rows.filter((row, i) => row.isTrade && !isTaken(i)).length;
  const wrongly = rows.filter((row, i) => !row.isTrade && isTaken(i));
  const kinds = new Map<string, Set<string>>();
  for (const row of wrongly) kinds.set(row.kind, (kinds.get(row.kind) ?? new Set()).add(row.file));
  return {
    fitted: fitLogistic(
      samplesOf(rows, (row) => row.isTrade),
      TRADE_EXPECTED,
      RIDGE,
    ),
    threshold: THRESHOLD,
    report: [
      `trade or not, families left out: ${rows.length} candidates, ${missed} of ${rows.filter((row) => row.isTrade).length} trades missed, ${wrongly.length} of others taken`,
      ...[...kinds].map(([kind, files]) => `  in ${files.size} documents of kind ${kind}`),
    ],
  };
}

/** Fits all numbers of the extractor to a set of read documents. */
import type { Weighing } from "../../extract/judgement/weighing.ts";
import { fitConfidence } from "./fit-confidence.ts";
import { fitRows, type ReadRow } from "./fit-rows.ts";
import { fitTrade } from "./fit-trade.ts";

export function fitWeighing(read: readonly ReadRow[]): {
  weighing: Weighing;
  report: string[];
  found: string;
} {
  const trade = fitTrade(read.flatMap((one) => fitRows(one, null)));
  // What the extractor would not report teaches nothing about how far to trust what it does report.
  const kept = read.flatMap((one) => fitRows(one, trade.fitted));
  const { fitted, report } = fitConfidence(kept);
  const { found, ...confidence } = fitted;
  return {
    weighing: { trade: trade.fitted, ...confidence },
    report: [...trade.report, ...report],
    found,
  };
}

/** What a new fit would change for the documents that it was fitted on. */
import type { ReadRow } from "../../src/evaluate/fit/fit-rows.ts";
import { judgeDocument } from "../../src/evaluate/truth/judge.ts";
import { predictionOf } from "../../src/extract/answer/prediction.ts";
import { judgeCandidates } from "../../src/extract/extract-trades.ts";
import { SHIPPED, type Weighing } from "../../src/extract/judgement/weighing.ts";

export function changesOf(read: readonly ReadRow[], fitted: Weighing): string[] {
  const counts = { confirmed: 0, doubted: 0, right: 0, wrong: 0 };
  for (const one of read) {
    const before = outcomeOf(one, SHIPPED);
    const after = outcomeOf(one, fitted);
    if (after.isConfirmed && !before.isConfirmed) counts.confirmed += 1;
    if (before.isConfirmed && !after.isConfirmed) counts.doubted += 1;
    if (after.isRight && !before.isRight) counts.right += 1;
    if (before.isRight && !after.isRight) counts.wrong += 1;
  }
  return [
    `of ${read.length} documents, compared with the shipped fit:`,
    `  ${counts.confirmed} would be confirmed that are not now, and ${counts.doubted} would no longer be`,
    `  ${counts.right} would be read rightly that are not now, and ${counts.wrong} would no longer be`,
    `  threshold ${SHIPPED.autoConfirm} → ${fitted.autoConfirm}, strict ${SHIPPED.strictConfirm} → ${fitted.strictConfirm}`,
  ];
}

function outcomeOf({ row, document, possible }: ReadRow, weighing: Weighing) {
  const extraction = judgeCandidates({ ...document, weighing }, possible);
  const judged = judgeDocument(row, predictionOf(row.file, extraction));
  return {
    isConfirmed: judged.trades.some((trade) => trade.isConfirmed),
    isRight: judged.known === 0 ? judged.trades.length === 0 : judged.isCoreExact,
  };
}

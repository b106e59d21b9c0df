/** `postroom extract --report`: how well the extractor does on rows whose trades are known. */

import { familiesAside } from "../evaluate/halves.ts";
import { judgeDocument, type TruthRow } from "../evaluate/judge.ts";
import { CURVE_HEADS, curveOf, RELIABILITY_HEADS, reliabilityOf } from "../evaluate/reliability.ts";
import { type JudgedRow, TALLY_HEADS, tallyCells } from "../evaluate/tally.ts";
import type { Extraction } from "../extract/answer/extraction.ts";
import { predictionOf } from "../extract/answer/prediction.ts";
import { CommandError } from "./base/exit.ts";
import { type Output, plain } from "./base/output.ts";

export interface KnownRow extends TruthRow {
  family?: string;
  language?: string;
  doc_class?: string;
}

type Judged = JudgedRow & { family?: string };

export function judgeRow(row: KnownRow, extraction: Extraction): Judged {
  if (!Array.isArray(row.transactions))
    throw new CommandError(`${row.file} has no transactions to compare with`);
  const { family, language, doc_class } = row;
  return {
    judged: judgeDocument(row, predictionOf(row.file, extraction)),
    ...{ family, language, doc_class },
  };
}

/** Reports held-out families separately; rows without families form one group. */
export function printReport(rows: readonly Judged[], output: Output): void {
  const aside = familiesAside(rows);
  if (aside.size === 0) {
    printHalf("all documents", rows, output);
    return;
  }
  const isAside = (row: Judged) => aside.has(row.family ?? "");
  printHalf("held-out families", rows.filter(isAside), output);
  output.line();
  printHalf(
    "other families",
    rows.filter((row) => !isAside(row)),
    output,
  );
}

function printHalf(name: string, rows: readonly Judged[], output: Output): void {
  const trades = rows.flatMap(({ judged }) => judged.trades);
  output.line(`${name}: ${rows.length} documents, ${trades.length} trades read`);
  output.table(TALLY_HEADS, [
    tallyCells("all", rows),
    ...groups(rows, (row) => row.language),
    ...groups(rows, (row) => row.doc_class),
  ]);
  output.line();
  output.table(RELIABILITY_HEADS, reliabilityOf(trades));
  output.line();
  output.table(CURVE_HEADS, curveOf(trades));
}

function groups(rows: readonly Judged[], of: (row: Judged) => string | undefined): string[][] {
  const names = [...new Set(rows.map(of))].filter((name) => name !== undefined).sort();
  return names.map((name) =>
    tallyCells(
      plain(name),
      rows.filter((row) => of(row) === name),
    ),
  );
}

/**
 * Rows of one table have the same columns, but their headers reach some rows better than others. Lines with the
 * same sequence of values share their clues: each value gets what most of its column gets.
 */
import type { TextLine } from "../layout/text-line.ts";
import type { Concept } from "../lexicon/labels.ts";
import type { Amount, Clues, Day } from "./amount.ts";

/** Fewer lines, or lines with fewer values, look alike by chance. */
const ROWS_MIN = 3;
const VALUES_MIN = 3;
/** A line with a label of its own is a form line, not a row. */
const LABELS_MAX = 1;

export function shareRowClues(
  lines: readonly TextLine[],
  amounts: readonly Amount[],
  days: readonly Day[],
): void {
  const rows = new Map<number, { amounts: Amount[]; days: Day[] }>();
  const rowOf = (line: number) => {
    if (!rows.has(line)) rows.set(line, { amounts: [], days: [] });
    return rows.get(line)!;
  };
  for (const amount of amounts) if (amount.reading === 0) rowOf(amount.line).amounts.push(amount);
  for (const day of days) rowOf(day.line).days.push(day);
  const groups = new Map<string, { amounts: Amount[]; days: Day[] }[]>();
  for (const [index, row] of rows) {
    const line = lines[index]!;
    if (row.amounts.length < VALUES_MIN || line.labels.length > LABELS_MAX) continue;
    const shape = shapeOf(row);
    const group = groups.get(shape);
    if (group) group.push(row);
    else groups.set(shape, [row]);
  }
  for (const group of groups.values()) {
    if (group.length < ROWS_MIN) continue;
    for (let i = 0; i < group[0]!.amounts.length; i++)
      share(group.map((row) => row.amounts[i]!.clues));
    for (let i = 0; i < group[0]!.days.length; i++) share(group.map((row) => row.days[i]!.clues));
  }
}

function shapeOf(row: { amounts: readonly Amount[]; days: readonly Day[] }): string {
  const numbers = row.amounts.map(
    ({ decimals, token, currency }) =>
      `${Math.min(4, decimals)}${token.isPercent ? "%" : ""}${currency ? "c" : ""}`,
  );
  return `${row.days.length}|${numbers.join(" ")}`;
}

/** Replaces every clue of a column by its median. */
function share(column: readonly Clues[]): void {
  const concepts = new Set(column.flatMap((clues) => Object.keys(clues) as Concept[]));
  for (const concept of concepts) {
    const sorted = column.map((clues) => clues[concept] ?? 0).sort((a, b) => a - b);
    const median = sorted[sorted.length >> 1]!;
    for (const clues of column) {
      if (median > 0) clues[concept] = median;
      else delete clues[concept];
    }
  }
}

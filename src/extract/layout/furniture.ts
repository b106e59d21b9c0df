/**
 * Page headers and footers come between the lines of one trade. A run of lines that already appeared word for
 * word on an earlier page, and that names neither a value nor a direction, adds no distance.
 */

import type { TextLine } from "./text-line.ts";
import { isDateLabel, isNumberLabel } from "./value-labels.ts";

/** Shorter runs may be form lines that each trade fills in again. */
const RUN_MIN = 3;

/** The position of each line, not counting page headers and footers. */
export function ranksOf(lines: readonly TextLine[]): number[] {
  const seen = new Set<string>();
  const isRepeated = lines.map((line) => {
    const key = keyOf(line);
    const was = seen.has(key);
    seen.add(key);
    return was && isMute(line);
  });
  const ranks: number[] = [];
  let rank = 0;
  for (let i = 0; i < lines.length; ) {
    let end = i;
    while (end < lines.length && isRepeated[end]) end += 1;
    const isFurniture = end - i >= RUN_MIN;
    for (const stop = Math.max(end, i + 1); i < stop; i++) {
      ranks.push(rank);
      if (!isFurniture) rank += 1;
    }
  }
  return ranks;
}

/** Page numbers count up, so digits are ignored. */
function keyOf(line: TextLine): string {
  return line.folded.trim().replace(/[0-9]+/g, "#");
}

function isMute(line: TextLine): boolean {
  if (line.directions.length > 0 || line.codes.length > 0 || line.dates.length > 0) return false;
  if (line.labels.some((label) => isNumberLabel(label) || isDateLabel(label))) return false;
  return !line.numbers.some((token) => token.hasDecimals);
}

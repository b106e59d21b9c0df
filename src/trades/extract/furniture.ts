/**
 * Heads and feet of pages come between the lines of one trade. A run of lines that has stood on an
 * earlier page word for word, and that names neither a value nor a direction, is taken out.
 */
import { isDateLabel, isNumberLabel } from "./evidence.ts";
import type { DocLine } from "./lines.ts";

/** Shorter runs may be lines of a form that each trade fills in again. */
const RUN_MIN = 3;

export function withoutFurniture(lines: readonly DocLine[]): DocLine[] {
  const seen = new Set<string>();
  const out: DocLine[] = [];
  let run: DocLine[] = [];
  const close = () => {
    if (run.length < RUN_MIN) out.push(...run);
    run = [];
  };
  for (const line of lines) {
    const key = keyOf(line);
    if (seen.has(key) && isMute(line)) run.push(line);
    else {
      close();
      out.push(line);
    }
    seen.add(key);
  }
  close();
  if (out.length === lines.length) return out;
  return out.map((line, index) => ({ ...line, index }));
}

/** Numbers of pages count up. */
function keyOf(line: DocLine): string {
  return line.folded.trim().replace(/[0-9]+/g, "#");
}

function isMute(line: DocLine): boolean {
  if (line.directions.length > 0 || line.codes.length > 0 || line.dates.length > 0) return false;
  if (line.labels.some((label) => isNumberLabel(label) || isDateLabel(label))) return false;
  return !line.numbers.some((token) => token.hasDecimals);
}

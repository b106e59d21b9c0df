/** Finds where a value is printed and checks that the text there really says it. */
import type { Span, TextLine } from "../layout/text-line.ts";
import { fold } from "../lexicon/fold.ts";
import { scanDates } from "../text/dates.ts";
import { scanNumbers } from "../text/numbers.ts";
import { placeOf } from "../values/columns.ts";
import type { Box, Source } from "./extraction.ts";

export function sourceOf(line: TextLine, span: Span): Source {
  return {
    page: line.page,
    box: boxOf(line, span),
    span: { line: line.lineOfPage, start: span.start, end: span.end },
    text: line.text.slice(span.start, span.end),
  };
}

function boxOf(line: TextLine, span: Span): Box | null {
  if (!line.boxes) return null;
  const { left, right } = placeOf(line, span);
  if (!Number.isFinite(left)) return null;
  const top = Math.min(...line.boxes.map((word) => word.y));
  const bottom = Math.max(...line.boxes.map((word) => word.y + word.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** True if the number at the source can be read as the value. */
export function saysNumber(source: Source, value: number): boolean {
  for (const hint of [",", ".", null] as const) {
    for (const token of scanNumbers(fold(source.text), hint)) {
      if (
        token.readings.some(
          (reading) => Math.abs(reading.value - value) < 1e-9 * Math.max(1, value),
        )
      )
        return true;
    }
  }
  return false;
}

export function saysDay(source: Source, iso: string): boolean {
  return scanDates(fold(source.text)).some((date) => date.iso === iso || date.alternative === iso);
}

export function saysText(source: Source, value: string): boolean {
  const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
  return bare(source.text).includes(bare(value));
}

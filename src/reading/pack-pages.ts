import { lineOf, type Page, type Word } from "./reading.ts";

/** A page without field names: width, height, and for each line the text, x, y, width and height of its words. */
export type PackedPage = [width: number, height: number, lines: (string | number)[][]];

export function packPages(pages: readonly Page[]): PackedPage[] {
  return pages.map((page) => [
    hundredths(page.width),
    hundredths(page.height),
    page.lines.map((line) =>
      line.words.flatMap((word) => [
        word.text,
        hundredths(word.x),
        hundredths(word.y),
        hundredths(word.width),
        hundredths(word.height),
      ]),
    ),
  ]);
}

export function unpackPages(packed: readonly PackedPage[]): Page[] {
  return packed.map(([width, height, lines], index) => ({
    number: index + 1,
    width,
    height,
    lines: lines.map((line) => lineOf(unpackWords(line))),
  }));
}

function unpackWords(line: readonly (string | number)[]): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < line.length; at += 5) {
    words.push({
      text: line[at] as string,
      x: line[at + 1] as number,
      y: line[at + 2] as number,
      width: line[at + 3] as number,
      height: line[at + 4] as number,
    });
  }
  return words;
}

/** A hundredth of a point is more precise than any printer. */
function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

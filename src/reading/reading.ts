/**
 * The text of a file with the position of every word. All lengths are in points; the origin is the top left
 * corner of the page.
 */

export interface Word {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line of text: words on one baseline, left to right. `text` joins the words with single spaces. */
export interface Line {
  text: string;
  words: Word[];
}

/** `number` counts from 1. `width` and `height` are those of the displayed page, after its rotation. */
export interface Page {
  number: number;
  width: number;
  height: number;
  lines: Line[];
}

/** `text` contains all lines: a line feed separates lines, a form feed separates pages. */
export interface Reading {
  pages: Page[];
  text: string;
}

export function joinWords(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

export function lineOf(words: Word[]): Line {
  return { text: joinWords(words), words };
}

export function joinPages(pages: readonly Page[]): string {
  return pages.map((page) => page.lines.map((line) => line.text).join("\n")).join("\f");
}

export function readingOf(pages: Page[]): Reading {
  return { pages, text: joinPages(pages) };
}

/** Cuts the text of a document into chunks that overlap, at the ends of sentences. */
import type { Box, DocumentText } from "../reading/text/document-text.ts";

export const CHUNK_LENGTH = 4_000;
const OVERLAP = 200;

/** A page that a chunk touches. */
export interface ChunkPage {
  readonly number: number;
  readonly label: string | null;
  /** Where the text of the page begins in the content; 0 if it began before the chunk. */
  readonly at: number;
  /** Around the lines of the chunk on this page; null without a fixed layout. */
  readonly box: Box | null;
}

export interface Chunk {
  readonly index: number;
  /** Where it begins in the text of the document, whose pages are separated by an empty line. */
  readonly start: number;
  readonly content: string;
  readonly pages: readonly ChunkPage[];
}

const PAGE_BREAK = "\n\n";

export function fullText(text: DocumentText): string {
  return text.pages.map((page) => page.text).join(PAGE_BREAK);
}

export function cutChunks(document: DocumentText, length = CHUNK_LENGTH): Chunk[] {
  const text = fullText(document);
  const starts = pageStarts(document);
  const lines = document.pages.map(linesOf);
  const chunks: Chunk[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start, length);
    const content = text.slice(start, end);
    if (content.trim() !== "") {
      const pages = pagesIn(document, starts, lines, start, end);
      chunks.push({ index: chunks.length, start, content, pages });
    }
    if (end >= text.length) break;
    start = Math.max(start + 1, wordStart(text, end - Math.min(OVERLAP, Math.floor(length / 4))));
  }
  return chunks;
}

const SENTENCE_END = /[.!?…:;]["'”’»)\]]*\s+|\n+/g;

/** The last end of a sentence in the second half of the window; otherwise the last space; otherwise the window's end. */
function endOf(text: string, start: number, length: number): number {
  const limit = start + length;
  if (limit >= text.length) return text.length;
  const half = start + Math.floor(length / 2);
  const window = text.slice(half, limit);
  let end = -1;
  for (const match of window.matchAll(SENTENCE_END)) end = match.index + match[0].length;
  if (end > 0) return half + end;
  const blank = window.lastIndexOf(" ");
  return blank > 0 ? half + blank + 1 : wholeCharacter(text, limit);
}

/** Never between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** The beginning of the word at this place or after it. */
function wordStart(text: string, at: number): number {
  const next = text.slice(at, at + 60).search(/\s/);
  return next < 0 ? wholeCharacter(text, at) : at + next + 1;
}

function pageStarts({ pages }: DocumentText): number[] {
  let at = 0;
  return pages.map((page) => {
    const start = at;
    at += page.text.length + PAGE_BREAK.length;
    return start;
  });
}

/** Where the lines of a page with a fixed layout end. */
function linesOf({ text, boxes }: DocumentText["pages"][number]): number[] {
  let at = -1;
  return boxes.length === 0 ? [] : text.split("\n").map((line) => (at += line.length + 1));
}

function pagesIn(
  { pages }: DocumentText,
  starts: readonly number[],
  lines: readonly (readonly number[])[],
  from: number,
  to: number,
): ChunkPage[] {
  return pages.flatMap((page, index) => {
    const start = starts[index]!;
    const end = start + page.text.length;
    if (end <= from || start >= to) return [];
    const box = boxOf(lines[index]!, page.boxes, Math.max(0, from - start), to - start);
    return [{ number: page.number, label: page.label, at: Math.max(0, start - from), box }];
  });
}

/** The box around the lines between two positions of a page. */
function boxOf(
  ends: readonly number[],
  boxes: readonly Box[],
  from: number,
  to: number,
): Box | null {
  const touched: Box[] = [];
  const count = Math.min(ends.length, boxes.length);
  for (let line = firstAt(ends, from); line < count; line++) {
    if (line > 0 && ends[line - 1]! + 1 >= to) break;
    touched.push(boxes[line]!);
  }
  if (touched.length === 0) return null;
  const x = Math.min(...touched.map((box) => box.x));
  const y = Math.min(...touched.map((box) => box.y));
  const right = Math.max(...touched.map((box) => box.x + box.width));
  const bottom = Math.max(...touched.map((box) => box.y + box.height));
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    x: rounded(x),
    y: rounded(y),
    width: rounded(right - x),
    height: rounded(bottom - y),
  };
}

/** The first line that ends at this place or after it. */
function firstAt(ends: readonly number[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The page that contains a position of the content. */
export function pageAt(pages: readonly ChunkPage[], at: number): ChunkPage | null {
  return pages.findLast((page) => page.at <= at) ?? pages[0] ?? null;
}

/** The text of a file of any kind, in the order of its pages, sheets or slides. */

/** Kinds of files whose text can be read. */
export const TEXT_KINDS = [
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "eml",
  "msg",
  "html",
  "rtf",
  "csv",
  "txt",
] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** A rectangle on a page in points; the origin is the top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One page, sheet or slide. Kinds of files without pages have one. */
export interface TextPage {
  /** Counts from 1. */
  readonly number: number;
  /** The name of a sheet or of a message inside a message; null on plain pages. */
  readonly label: string | null;
  readonly text: string;
  /** Where the lines of the text are, in their order; empty if the file has no fixed layout. */
  readonly boxes: readonly Box[];
}

export interface DocumentText {
  readonly pages: readonly TextPage[];
  /** What was left out, in words; empty if the text is complete. */
  readonly omitted: readonly string[];
}

export interface TextLimits {
  readonly charactersMax: number;
  /** Pages, sheets, slides or messages. */
  readonly pagesMax: number;
  readonly cellsMax: number;
  /** Declared size of everything in a zipped file. */
  readonly unzippedBytesMax: number;
  /** How deep messages may be nested. */
  readonly depthMax: number;
}

export const TEXT_LIMITS: TextLimits = {
  charactersMax: 2_000_000,
  pagesMax: 500,
  cellsMax: 200_000,
  unzippedBytesMax: 100 * 2 ** 20,
  depthMax: 5,
};

/** Control characters and invisible marks, which stores and terminals handle badly; tab and line feed stay. */
const UNWANTED =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffd]/gu;

/** Text as it is stored: no invisible characters, no trailing spaces, at most one empty line in a row. */
export function tidy(text: string): string {
  return text
    .replace(/\r\n?|\f/g, "\n")
    .replace(UNWANTED, "")
    .replace(/[ \t\u00a0]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** UTF-16 contains zero bytes, but a mark at its start says that it is text. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

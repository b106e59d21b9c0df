/**
 * Turns the runs of text that a PDF paints into lines as a person reads them. A PDF has neither words nor
 * lines: it paints glyphs at positions, in any order. Runs are split into words at spaces, words are grouped
 * into lines by their baselines, and lines are ordered from top to bottom.
 */
import { type Face, typicalWidth } from "./glyph-widths.ts";
import { type Line, lineOf, type Word } from "./reading.ts";

/** One run of text in the coordinates of the displayed page: points, origin top left, `y` is the baseline. */
export interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
  /** The type size: the height of the line above its descenders. */
  size: number;
  /** Clockwise quarter turns of the text; 0 is upright. */
  turns: 0 | 1 | 2 | 3;
  face: Face;
}

/** A word in the coordinates of its own writing direction. */
interface Piece extends Word {
  baseline: number;
  size: number;
}

export function layOutPage(runs: readonly Run[], width: number, height: number): Line[] {
  const lines: Line[] = [];
  for (const turns of turnsByWeight(runs)) {
    const upright = runs.filter((run) => run.turns === turns);
    const pieces = upright.flatMap((run) => piecesOf(toUpright(run, turns, width, height)));
    for (const row of rowsOf(pieces)) {
      const words = joinTouching(row)
        .map((piece) => fromUpright(piece, turns, width, height))
        .filter((word) => isOnPage(word, width, height));
      if (words.length > 0) lines.push(lineOf(words));
    }
  }
  return lines;
}

/** The main direction of the page comes first; a stamp in the margin comes last. */
function turnsByWeight(runs: readonly Run[]): (0 | 1 | 2 | 3)[] {
  const weights = [0, 0, 0, 0];
  for (const run of runs) weights[run.turns]! += run.text.length;
  return ([0, 1, 2, 3] as const)
    .filter((turns) => weights[turns]! > 0)
    .sort((a, b) => weights[b]! - weights[a]! || a - b);
}

function toUpright(run: Run, turns: number, width: number, height: number): Run {
  if (turns === 0) return run;
  if (turns === 1) return { ...run, x: run.y, y: width - run.x };
  if (turns === 2) return { ...run, x: width - run.x, y: height - run.y };
  return { ...run, x: height - run.y, y: run.x };
}

function fromUpright(piece: Piece, turns: number, width: number, height: number): Word {
  const { text, x, y } = piece;
  if (turns === 0) return { text, x, y, width: piece.width, height: piece.height };
  if (turns === 2) {
    const left = width - x - piece.width;
    return {
      text,
      x: left,
      y: height - y - piece.height,
      width: piece.width,
      height: piece.height,
    };
  }
  const turned = { text, width: piece.height, height: piece.width };
  if (turns === 1) return { ...turned, x: width - y - piece.height, y: x };
  return { ...turned, x: y, y: height - x - piece.width };
}

/** Text completely outside the page is invisible, so it is not part of the reading. */
function isOnPage(word: Word, width: number, height: number): boolean {
  return word.x < width && word.y < height && word.x + word.width > 0 && word.y + word.height > 0;
}

/** Ascenders reach about nine tenths of the size above the baseline, descenders a quarter below. */
const ABOVE = 0.9;
const BELOW = 0.25;

/** Splits a run at its spaces. Typical glyph widths estimate where each word begins. */
function piecesOf(run: Run): Piece[] {
  const text = clean(run.text);
  const pieces: Piece[] = [];
  const scale = run.width / (typicalWidth(text, run.face) || 1);
  let x = run.x;
  for (const part of text.split(/(\s+)/u)) {
    const width = typicalWidth(part, run.face) * scale;
    if (part.trim() !== "") pieces.push(pieceAt(run, part, x, width));
    x += width;
  }
  return pieces;
}

function pieceAt(run: Run, text: string, x: number, width: number): Piece {
  const y = run.y - run.size * ABOVE;
  const height = run.size * (ABOVE + BELOW);
  return { text, x, y, width, height, baseline: run.y, size: run.size };
}

/** Removes control characters, unpaired surrogates and invisible marks, which stores and terminals handle badly. */
const UNWANTED =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffd]/gu;

function clean(text: string): string {
  return text.replace(UNWANTED, "");
}

/** Groups pieces with the same baseline, then orders the groups from top to bottom. */
function rowsOf(pieces: Piece[]): Piece[][] {
  const sorted = [...pieces].sort((a, b) => a.baseline - b.baseline || a.x - b.x);
  const rows: { baseline: number; size: number; pieces: Piece[] }[] = [];
  for (const piece of sorted) {
    const row = rows.at(-1);
    const tolerance = row === undefined ? 0 : toleranceOf(row.size, piece.size);
    if (row !== undefined && piece.baseline - row.baseline <= tolerance) {
      row.pieces.push(piece);
      // The largest type in a row decides, so that a footnote mark does not split the row.
      if (piece.size > row.size) Object.assign(row, { size: piece.size, baseline: piece.baseline });
    } else {
      rows.push({ baseline: piece.baseline, size: piece.size, pieces: [piece] });
    }
  }
  return rows.map((row) => row.pieces.sort((a, b) => a.x - b.x));
}

/** How far the baselines of a row may be apart, as a share of the larger and of the smaller type size. */
const APART_OF_LARGER = 0.35;
const APART_OF_SMALLER = 0.6;

/** A raised figure belongs to its line; small print just below a large title does not. */
function toleranceOf(one: number, other: number): number {
  return Math.min(Math.max(one, other) * APART_OF_LARGER, Math.min(one, other) * APART_OF_SMALLER);
}

/** Pieces with a smaller gap than this share of the type size are one word. */
const GAP_SHARE = 0.12;

/** Joins pieces of one word that were painted separately, and drops what was painted twice to look bold. */
function joinTouching(row: Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of row) {
    const last = joined.at(-1);
    if (last === undefined) {
      joined.push({ ...piece });
    } else if (!isRepaint(last, piece)) {
      const gap = piece.x - (last.x + last.width);
      const isTouching = gap < Math.min(last.size, piece.size) * GAP_SHARE && gap > -last.width / 2;
      if (isTouching) absorb(last, piece);
      else joined.push({ ...piece });
    }
  }
  return joined;
}

function isRepaint(last: Piece, piece: Piece): boolean {
  return last.text === piece.text && Math.abs(last.x - piece.x) < Math.min(1, last.size * 0.1);
}

function absorb(last: Piece, piece: Piece): void {
  const right = Math.max(last.x + last.width, piece.x + piece.width);
  const top = Math.min(last.y, piece.y);
  last.height = Math.max(last.y + last.height, piece.y + piece.height) - top;
  last.y = top;
  last.width = right - last.x;
  last.text += piece.text;
}

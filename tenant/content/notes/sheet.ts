import type { Cell, Tagged } from "./blocks.ts";
import type { Source } from "./note.ts";
import type { Pen, Type } from "./pen.ts";
import type { Skin } from "./skins.ts";

/** The sheet being typeset: where the next line goes, in which type, and who is informed of tagged values. */
export interface Sheet {
  readonly pen: Pen;
  readonly skin: Skin;
  readonly left: number;
  readonly right: number;
  /** Distance from one baseline to the next. */
  readonly lead: number;
  readonly regular: Type;
  readonly bold: Type;
  readonly label: Type;
  /** The baseline of the next line. */
  y: number;
  onTagged(tagged: Tagged, source: Source): void;
  /** Starts a new sheet and returns its first baseline. */
  onNewPage(): number;
}

const LEFT = 62;
const RIGHT_MARGIN = 56;
const BOTTOM = 92;

export function createSheet(
  options: Pick<Sheet, "pen" | "skin" | "onTagged" | "onNewPage">,
): Sheet {
  const { pen, skin } = options;
  const regular: Type = { font: skin.fonts.regular, size: skin.size };
  return {
    ...options,
    left: LEFT,
    right: pen.width - RIGHT_MARGIN,
    lead: skin.size * 1.5,
    regular,
    bold: { font: skin.fonts.bold, size: skin.size },
    label: { font: skin.fonts.regular, size: skin.size - 1.5, color: "#555555" },
    y: options.onNewPage(),
  };
}

export function breakPage(sheet: Sheet): void {
  sheet.y = sheet.onNewPage();
}

export function hasRoom(sheet: Sheet, height: number): boolean {
  return sheet.y + height <= sheet.pen.height - BOTTOM;
}

export function makeRoom(sheet: Sheet, height: number): void {
  if (!hasRoom(sheet, height)) breakPage(sheet);
}

export function inCase(sheet: Sheet, label: string): string {
  return sheet.skin.hasCapitals ? label.toLocaleUpperCase("en") : label;
}

export function pieceText(piece: string | Tagged): string {
  return typeof piece === "string" ? piece : piece.text;
}

export function cellWidth(sheet: Sheet, cell: Cell, type: Type): number {
  return cell.reduce((sum, piece) => sum + sheet.pen.widthOf(pieceText(piece), type), 0);
}

/** Prints a cell from `x`, each tagged value separately, and returns where it ends. */
export function printCell(sheet: Sheet, cell: Cell, x: number, type: Type, y = sheet.y): number {
  let at = x;
  for (const piece of cell) {
    const text = pieceText(piece);
    if (text.trim() !== "") {
      const { page, box } = sheet.pen.print(text, at, y, type);
      if (typeof piece !== "string") sheet.onTagged(piece, { page, box, text });
    }
    at += sheet.pen.widthOf(text, type);
  }
  return at;
}

/** Prints a cell that ends at `right` and returns where it starts. */
export function printRight(sheet: Sheet, cell: Cell, right: number, type: Type): number {
  const x = right - cellWidth(sheet, cell, type);
  printCell(sheet, cell, x, type);
  return x;
}

/** A row of dots between a label and its value. To a machine it is text, as on real notes. */
export function printLeader(sheet: Sheet, from: number, to: number): void {
  const dot = sheet.pen.widthOf(".", sheet.regular);
  const count = Math.floor((to - from - 12) / dot);
  if (count <= 3) return;
  const type = { ...sheet.regular, color: "#999999" };
  sheet.pen.print(".".repeat(count), to - 6 - count * dot, sheet.y, type);
}

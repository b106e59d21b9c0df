import type { Block, Cell, Tagged } from "./blocks.ts";
import { setFacts } from "./set-facts.ts";
import { setSums, setTable } from "./set-table.ts";
import { breakPage, makeRoom, pieceText, printCell, type Sheet } from "./sheet.ts";

/** Typesets a block below the last one, in the style of the sheet's skin. */
export function setBlock(sheet: Sheet, block: Block): void {
  if (block.kind === "page-break") {
    breakPage(sheet);
    return;
  }
  if (block.kind === "heading") setHeading(sheet, block.text);
  else if (block.kind === "paragraph") setParagraph(sheet, block.text, block.isSmall === true);
  else if (block.kind === "facts") setFacts(sheet, block.facts);
  else if (block.kind === "table") setTable(sheet, block.columns, block.rows);
  else setSums(sheet, block.sums);
  sheet.y += sheet.lead * 0.8;
}

function setHeading(sheet: Sheet, text: Cell): void {
  const { skin } = sheet;
  makeRoom(sheet, sheet.lead * 3);
  printCell(sheet, text, sheet.left, { ...sheet.bold, size: skin.size + 4, color: skin.accent });
  sheet.y += sheet.lead * 1.2;
}

function setParagraph(sheet: Sheet, text: Cell, isSmall: boolean): void {
  const type = isSmall ? { ...sheet.regular, size: sheet.skin.size - 2 } : sheet.regular;
  for (const line of linesOf(sheet, text, type)) {
    makeRoom(sheet, sheet.lead);
    printCell(sheet, line, sheet.left, type);
    sheet.y += type.size * 1.45;
  }
}

function linesOf(sheet: Sheet, text: Cell, type: Sheet["regular"]): Cell[] {
  const lines: Cell[] = [[]];
  let width = 0;
  for (const piece of text.flatMap(toWords)) {
    const pieceWidth = sheet.pen.widthOf(pieceText(piece), type);
    if (width + pieceWidth > sheet.right - sheet.left) {
      lines.push([]);
      width = 0;
    }
    if (width === 0 && piece === " ") continue;
    append(lines.at(-1)!, piece);
    width += pieceWidth;
  }
  return lines;
}

function append(line: Cell, piece: string | Tagged): void {
  const last = line.at(-1);
  if (typeof piece === "string" && typeof last === "string") line[line.length - 1] = last + piece;
  else line.push(piece);
}

/** Plain text may break at its spaces; a tagged value stays in one piece. */
function toWords(piece: string | Tagged): Cell {
  if (typeof piece !== "string") return [piece];
  return piece.split(/( )/u).filter((word) => word !== "");
}

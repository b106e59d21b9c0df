import type { Cell, Column, Sum } from "./blocks.ts";
import type { Type } from "./pen.ts";
import {
  breakPage,
  cellWidth,
  hasRoom,
  inCase,
  makeRoom,
  printCell,
  printLeader,
  printRight,
  type Sheet,
} from "./sheet.ts";

export function setTable(sheet: Sheet, columns: Column[], rows: Cell[][]): void {
  const { skin, lead } = sheet;
  const heads = columns.map((column): Cell => [inCase(sheet, column.label)]);
  const head = fitting(sheet, columns, [heads], { ...sheet.bold, size: skin.size - 1 });
  const body = fitting(sheet, columns, rows, sheet.regular);
  makeRoom(sheet, lead * 3);
  printHead(sheet, columns, heads, head);
  rows.forEach((row, index) => {
    if (!hasRoom(sheet, lead)) {
      breakPage(sheet);
      printHead(sheet, columns, heads, head);
    }
    if (skin.table === "shaded" && index % 2 === 1) shade(sheet, "#f1f4f6");
    printRow(sheet, columns, row, body);
    if (skin.table === "ruled") rule(sheet, "#cccccc");
    sheet.y += lead * 1.1;
  });
}

/** The type, reduced until the widest cell fits, so that columns never overlap. */
function fitting(sheet: Sheet, columns: Column[], rows: Cell[][], type: Type): Type {
  const widths = columnWidths(sheet, columns);
  const tightest = rows.flatMap((row) =>
    row.map((cell, index) => cellWidth(sheet, cell, type) / (widths[index]! - 6)),
  );
  return { ...type, size: type.size / Math.max(1, ...tightest) };
}

function columnWidths(sheet: Sheet, columns: Column[]): number[] {
  const total = columns.reduce((sum, column) => sum + column.share, 0);
  return columns.map((column) => ((sheet.right - sheet.left) * column.share) / total);
}

function printHead(sheet: Sheet, columns: Column[], heads: Cell[], type: Type): void {
  if (sheet.skin.table === "shaded") shade(sheet, "#dfe7ec");
  printRow(sheet, columns, heads, type);
  if (sheet.skin.table !== "shaded") rule(sheet, sheet.skin.accent);
  sheet.y += sheet.lead * 1.2;
}

function printRow(sheet: Sheet, columns: Column[], row: Cell[], type: Type): void {
  const widths = columnWidths(sheet, columns);
  let x = sheet.left;
  columns.forEach((column, index) => {
    const cell = row[index] ?? [];
    if (column.align === "left") printCell(sheet, cell, x, type);
    else printRight(sheet, cell, x + widths[index]!, type);
    x += widths[index]!;
  });
}

function shade(sheet: Sheet, color: string): void {
  const { left, right, skin } = sheet;
  const box = { x: left - 4, y: sheet.y - skin.size, width: right - left + 8, height: sheet.lead };
  sheet.pen.fill(box, color);
}

function rule(sheet: Sheet, color: string): void {
  sheet.pen.line(sheet.left, sheet.y + 4, sheet.right, sheet.y + 4, color);
}

/** Labels on the left, amounts flush right, the last one in bold. */
export function setSums(sheet: Sheet, sums: Sum[]): void {
  const { skin, lead, right } = sheet;
  makeRoom(sheet, lead * (sums.length + 1));
  const from = skin.sums === "boxed" ? sheet.left + 210 : sheet.left;
  const top = sheet.y - skin.size * 1.3;
  for (const sum of sums) {
    const type = sum.isTotal === true ? sheet.bold : sheet.regular;
    const overline = sheet.y - skin.size - 1;
    if (sum.isTotal === true) sheet.pen.line(from, overline, right, overline, skin.accent);
    const end = printCell(sheet, [inCase(sheet, sum.label)], from, type);
    const start = printRight(sheet, sum.value, right, type);
    if (skin.sums === "leader") printLeader(sheet, end, start);
    sheet.y += lead;
  }
  if (skin.sums === "boxed")
    sheet.pen.line(from - 8, top, from - 8, sheet.y - lead * 0.6, skin.accent);
}

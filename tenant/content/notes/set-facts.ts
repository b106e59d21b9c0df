import { cellText, type Fact } from "./blocks.ts";
import { inCase, makeRoom, printCell, printLeader, printRight, type Sheet } from "./sheet.ts";

/** Labels with their values, in one of five arrangements. */
export function setFacts(sheet: Sheet, facts: Fact[]): void {
  const arrangement = sheet.skin.facts;
  if (arrangement === "above") setGrid(sheet, facts);
  else if (arrangement === "two-columns") setTwoColumns(sheet, facts);
  else if (arrangement === "inline") setInline(sheet, facts);
  else for (const fact of facts) setRow(sheet, fact);
}

function setRow(sheet: Sheet, fact: Fact): void {
  makeRoom(sheet, sheet.lead);
  const end = printCell(sheet, [inCase(sheet, fact.label)], sheet.left, sheet.regular);
  if (sheet.skin.facts === "leader") {
    printLeader(sheet, end, printRight(sheet, fact.value, sheet.left + 330, sheet.regular));
  } else {
    printCell(sheet, fact.value, sheet.left + 175, sheet.regular);
  }
  sheet.y += sheet.lead;
}

/** Three to a row, the label above its value. */
function setGrid(sheet: Sheet, facts: Fact[]): void {
  const width = (sheet.right - sheet.left) / 3;
  for (let first = 0; first < facts.length; first += 3) {
    makeRoom(sheet, sheet.lead * 2.4);
    facts.slice(first, first + 3).forEach((fact, column) => {
      const x = sheet.left + column * width;
      printCell(sheet, [inCase(sheet, fact.label)], x, sheet.label);
      const wide = sheet.pen.widthOf(cellText(fact.value), sheet.bold) / (width - 8);
      const type = wide > 1 ? { ...sheet.bold, size: sheet.bold.size / wide } : sheet.bold;
      printCell(sheet, fact.value, x, type, sheet.y + sheet.lead);
    });
    sheet.y += sheet.lead * 2.4;
  }
}

function setTwoColumns(sheet: Sheet, facts: Fact[]): void {
  const half = Math.ceil(facts.length / 2);
  const width = (sheet.right - sheet.left + 14) / 2;
  for (let row = 0; row < half; row++) {
    makeRoom(sheet, sheet.lead);
    [facts[row], facts[row + half]].forEach((fact, column) => {
      if (fact === undefined) return;
      const x = sheet.left + column * width;
      const end = printCell(sheet, [inCase(sheet, fact.label)], x, sheet.label);
      const from = Math.max(end + 8, x + width * 0.42);
      const wide = sheet.pen.widthOf(cellText(fact.value), sheet.regular) / (x + width - 6 - from);
      const type = wide > 1 ? { ...sheet.regular, size: sheet.regular.size / wide } : sheet.regular;
      printCell(sheet, fact.value, from, type);
    });
    sheet.y += sheet.lead;
  }
}

/** One after another on a line, as many as fit. */
function setInline(sheet: Sheet, facts: Fact[]): void {
  let x = sheet.left;
  for (const fact of facts) {
    const label = `${inCase(sheet, fact.label)}: `;
    const width = sheet.pen.widthOf(label + cellText(fact.value), sheet.regular);
    if (x > sheet.left && x + width > sheet.right) {
      x = sheet.left;
      sheet.y += sheet.lead;
    }
    makeRoom(sheet, sheet.lead);
    x = printCell(sheet, [label, ...fact.value], x, sheet.regular) + 26;
  }
  sheet.y += sheet.lead;
}

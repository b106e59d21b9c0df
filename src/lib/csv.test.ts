import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";

const cellOf = (value: string | number) => toCsv(["v"], [{ v: value }]).slice("v\r\n".length, -2);

describe("a table as CSV", () => {
  it("a table has a header, one line per row, and empty cells for missing values", () => {
    const rows = [{ key: "a", quantity: 5, isOpen: true }, { key: "b, c" }];
    expect(toCsv(["key", "quantity", "isOpen"], rows)).toBe(
      'key,quantity,isOpen\r\na,5,true\r\n"b, c",,\r\n',
    );
  });

  it("text that would run as a formula is made inert, whatever precedes it [S60]", () => {
    for (const text of [
      "=1+1",
      "+SUM(A1)",
      "-2+3+cmd|' /C calc'!A0",
      "@SUM(1)",
      "\t=1",
      "\r=1",
      " =1",
      "\ufeff=1",
      "＝1",
      '=HYPERLINK("http://evil")',
      "-",
    ]) {
      expect(cellOf(text).replace(/^"/, "")).toMatch(/^'/);
    }
  });

  it("numbers stay numbers, including negative ones and numbers given as text", () => {
    expect([-12.5, 0, 1e21].map(cellOf)).toEqual(["-12.5", "0", "1e+21"]);
    expect(["-12.50", "+3", "1000000.00"].map(cellOf)).toEqual(["-12.50", "+3", "1000000.00"]);
    expect(cellOf(Number.NaN)).toBe("");
  });

  it("a value that would end a cell or a line is quoted", () => {
    expect(cellOf('say "x"')).toBe('"say ""x"""');
    expect(cellOf("a;b")).toBe('"a;b"');
    expect(cellOf("a\r\n=b")).toBe('"a\r\n=b"');
  });

  it("reading a table back gives the same text except for the apostrophe, and no cell starts a formula", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", '"', ",", "1", " "),
        maxLength: 8,
      }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const cell = cellOf(value);
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect([value, `'${value}`]).toContain(read);
        const isNumber = read.trim() !== "" && Number.isFinite(Number(read));
        expect(isNumber || !/^[=+\-@\t\r]/.test(read)).toBe(true);
        expect(cell.startsWith('"') || !/[",\r\n]/.test(cell)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

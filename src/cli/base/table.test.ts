import { describe, expect, it } from "vitest";
import { layOut } from "./table.ts";

const COLUMNS = ["time", "[subject]", "{message}"];
const ID = "AAMkADc0bjbgmiVowAAAAAABAAAAAAAACZVg=";
const ROWS = [
  ["09:30Z", "A contract note of the usual length", ID],
  ["09:31Z", "", "AAMkBBBB"],
];

describe("a table", () => {
  it("shortens nothing if no width limits it, as in a file", () => {
    const lines = layOut(COLUMNS, ROWS, null);
    expect(lines[1]).toBe(`09:30Z  A contract note of the usual length  ${ID}`);
  });

  it("moves some values to a second line and shortens others, but never an id", () => {
    expect(layOut(COLUMNS, ROWS, 40)).toEqual([
      "time    subject",
      "09:30Z  A contract note of the usual le…",
      `  ${ID}`,
      "09:31Z",
      "  AAMkBBBB",
    ]);
  });

  it("writes one value per line if the terminal is too narrow for a row", () => {
    const columns = ["booked", "trade", "why"];
    const row = ["2026-01-31T09:30:00Z", "omar-20260130-USZ8T41K1008-BUY-2", "a b c ".repeat(12)];
    const lines = layOut(columns, [row, row], 44);
    expect(lines).toEqual([
      "booked  2026-01-31T09:30:00Z",
      "trade   omar-20260130-USZ8T41K1008-BUY-2",
      "why     a b c a b c a b c a b c a b c a b c",
      "        a b c a b c a b c a b c a b c a b c",
      "",
      "booked  2026-01-31T09:30:00Z",
      "trade   omar-20260130-USZ8T41K1008-BUY-2",
      "why     a b c a b c a b c a b c a b c a b c",
      "        a b c a b c a b c a b c a b c a b c",
    ]);
  });

  it.each([60, 80, 120, 200])("fits %i columns", (width) => {
    const widths = layOut(COLUMNS, ROWS, width).map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  });
});

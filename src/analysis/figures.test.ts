import { describe, expect, it } from "vitest";
import { strayFigure } from "./figures.ts";

const SOURCE =
  "On 12.03.2026 rent of 4,200 12 times; CHF 1'250'000.50; 30 000 euros; case 2024-117, for sechs Monate.";

describe("a figure of an answer", () => {
  it.each([
    "4200",
    "4.200",
    "4,200.",
    "1,250,000.50",
    "30,000",
    "2026",
    "12 March 2026",
    "2024-117",
    "6 months",
    "1) Rent.\n2) Case [3]\nQuestion 4: none",
    "４，２００",
  ])("%s stands in the source", (text) => {
    expect(strayFigure(text, [SOURCE])).toBeNull();
  });

  it.each([
    ["9,999 euros", "9999"],
    ["4,201", "4201"],
    ["42,00", "4200"],
    ["9\u200b999", "9999"],
    ["９９９９", "9999"],
    ["٤٢", "٤٢"],
    ["7 months", "7"],
    ["at 5 %", "5"],
    ["12 200", "12200"],
    ["2027", "2027"],
  ])("%s is stray: %s", (text, stray) => {
    expect(strayFigure(text, [SOURCE])).toBe(stray);
  });
});

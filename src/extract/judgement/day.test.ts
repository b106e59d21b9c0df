import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readingOfText } from "../extract-trades.ts";
import { linesOf } from "../layout/lines.ts";
import type { Clues } from "../values/amount.ts";
import { valuesOf } from "../values/values.ts";
import { chooseDays } from "./day.ts";

/** The chosen day of a block in which each day has the clues that its ISO date is given. */
function chosen(text: string, clues: Readonly<Record<string, Clues>>): string | undefined {
  const lines = linesOf(readingOfText(text));
  const days = valuesOf(lines).days.map((day) => ({ ...day, clues: clues[day.iso] ?? {} }));
  return chooseDays(days, lines, 0, lines.length, null).trade?.iso;
}

const BLOCK =
  "Plan 219.00 EUR reckoned 13.08.2021 for it\nWorld Fund\nRef 4711, entered 16.08.2021";
const ENTERED = { "2021-08-16": { tradeDate: 0.4 } };

describe("the day of trade", () => {
  it("is the earlier of two days close together if only an ambiguous word names the later one", () => {
    assert.equal(chosen(BLOCK, ENTERED), "2021-08-13");
  });

  it("is the later one if it is clearly named, or if the earlier one is weeks before it", () => {
    assert.equal(chosen(BLOCK, { "2021-08-16": { tradeDate: 0.7 } }), "2021-08-16");
    assert.equal(chosen(BLOCK.replace("13.08.", "13.07."), ENTERED), "2021-08-16");
  });

  it("is the later one if the earlier one is the day of the document", () => {
    const clues = { ...ENTERED, "2021-08-13": { docDate: 0.5 } };
    assert.equal(chosen(BLOCK, clues), "2021-08-16");
  });
});

import { describe, expect, it } from "vitest";
import {
  formatConfidence,
  formatDay,
  formatDuration,
  formatExact,
  formatRelative,
} from "../../console/src/design/format.ts";

describe("a confidence", () => {
  it.each([
    [0.29, "29 %"],
    [0.4999, "49 %"],
    [0.57, "57 %"],
    [1, "99 %"],
  ])("of %d reads %s: rounded down, and never a proof", (confidence, text) => {
    expect(formatConfidence(confidence)).toBe(text);
  });
});

describe("a duration", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.6, "1.00 s"],
    [9_994, "9.99 s"],
    [9_996, "10.0 s"],
    [59_949, "59.9 s"],
    [59_960, "1 min 0 s"],
    [85_300, "1 min 25 s"],
    [119_700, "2 min 0 s"],
    [3_599_900, "1 h 0 min"],
    [90_000_000, "1 d 1 h"],
  ])("of %d ms is written without a unit that is full: %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("a date", () => {
  it("has a month of three letters and no commas that depend on the browser", () => {
    expect(formatDay("2026-09-14")).toBe("14 Sep 2026");
    const local = formatExact(new Date(2026, 8, 13, 20, 36, 17));
    expect(local).toMatch(/^Sun 13 Sep 2026, 20:36:17 \S+( \(\d\d:36:17 UTC\))?$/);
  });

  it("of another year names the year, and one of this year the time", () => {
    const now = new Date(2026, 10, 19, 12);
    expect(formatRelative(new Date(2025, 8, 14, 9, 5), now)).toBe("14 Sep 2025");
    expect(formatRelative(new Date(2026, 8, 14, 9, 5), now)).toBe("14 Sep, 09:05");
  });
});

import { describe, expect, it } from "vitest";
import { formatDuration } from "../../console/src/design/format.ts";

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

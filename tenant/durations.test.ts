import { expect, it } from "vitest";
import { parseDurationMs } from "./durations.ts";

it("durations are read with their units and added up; anything else is refused", () => {
  expect(["90s", "45m", "3d", "1d12h", "1.5h", "250ms", "1000", 7].map(parseDurationMs)).toEqual([
    90_000, 2_700_000, 259_200_000, 129_600_000, 5_400_000, 250, 1000, 7,
  ]);
  expect(["", "soon", "3 days", "-1s", "5x", -1, Number.NaN].map(parseDurationMs)).toEqual(
    new Array(7).fill(null),
  );
});

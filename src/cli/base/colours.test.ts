import { describe, expect, it } from "vitest";
import { wantsColours } from "./colours.ts";

describe("colours", () => {
  it("are for a terminal", () => {
    expect(wantsColours({}, true)).toBe(true);
    expect(wantsColours({}, false)).toBe(false);
    expect(wantsColours({ TERM: "dumb" }, true)).toBe(false);
  });

  it("do not go into the log of a CI machine", () => {
    expect(wantsColours({ CI: "true" }, false)).toBe(false);
  });

  it("can be forced and refused, and a refusal is stronger", () => {
    expect(wantsColours({ FORCE_COLOR: "1" }, false)).toBe(true);
    expect(wantsColours({ FORCE_COLOR: "0" }, true)).toBe(false);
    expect(wantsColours({ NO_COLOR: "1", FORCE_COLOR: "1" }, true)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { explore, type Finding, LAYERS, type Layer, type Model } from "./model.ts";

const whole: Model = {
  own: 2,
  foreign: 1,
  attempts: 2,
  falseExpiries: 2,
  mayCrash: true,
  without: [],
};
const quiet = { mayCrash: false, falseExpiries: 0 };

describe("every order of events of the claim protocol", () => {
  it("two workers of ours and a program that knows only the agreed statements never double an effect, undo a success, take a live claim or get stuck [ING-09] [ING-19] [R01] [R02]", () => {
    const { found, states } = explore(whole);
    expect([...found]).toEqual([]);
    expect(states).toBeGreaterThan(1_000);
  });

  it("three of ours and one other, three false expiries: all of more than 100,000 states are good [ING-09] [R01]", () => {
    const { found, states } = explore({ ...whole, own: 3, falseExpiries: 3 });
    expect([...found]).toEqual([]);
    expect(states).toBeGreaterThan(100_000);
    console.log(`claim protocol: ${states} states, all good`);
  }, 120_000);

  it("our workers among themselves need neither the trigger nor the unique effect [ING-09]", () => {
    const { found } = explore({
      ...whole,
      own: 3,
      foreign: 0,
      without: ["trigger", "uniqueEffect"],
    });
    expect([...found]).toEqual([]);
  });

  it("without the trigger the other program can undo a success, and still no effect is doubled [ING-19]", () => {
    const { found } = explore({ ...whole, without: ["trigger"] });
    expect([...found.keys()]).toEqual(["success undone"]);
  });

  it("the agreed statements alone let two programs do the work twice", () => {
    const { found } = explore({
      ...whole,
      ...quiet,
      own: 0,
      foreign: 2,
      without: ["trigger", "uniqueEffect"],
    });
    expect(found.get("double effect")).toHaveLength(4);
    expect(found.has("success undone")).toBe(true);
  });
});

/** Each layer, a setting in which no other layer replaces it, and what happens without it. */
const NEEDED: Record<Layer, { model: Partial<Model>; finding: Finding }> = {
  look: { model: { without: ["trigger"] }, finding: "live claim stolen" },
  insertCheck: { model: { ...quiet, without: ["trigger"] }, finding: "live claim stolen" },
  ownerCheck: { model: { foreign: 0, without: ["uniqueEffect"] }, finding: "double effect" },
  oneTransaction: { model: { foreign: 0, without: ["uniqueEffect"] }, finding: "double effect" },
  expiry: { model: {}, finding: "stuck" },
  trigger: { model: {}, finding: "success undone" },
  uniqueEffect: { model: {}, finding: "double effect" },
};

describe("a layer that is removed", () => {
  it.each(LAYERS)("without the layer %s a failure is found, with it there is none", (layer) => {
    const { model, finding } = NEEDED[layer];
    const rest = { ...whole, ...model };
    const withIt = explore(rest);
    const withoutIt = explore({ ...rest, without: [...rest.without, layer] });
    expect(withIt.found.has(finding)).toBe(false);
    expect(withoutIt.found.get(finding)!.length).toBeGreaterThan(0);
  });
});

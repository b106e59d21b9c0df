import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { crossValidate } from "../src/evaluate/fit/cross-validate.ts";
import type { FitRow } from "../src/evaluate/fit/fit-rows.ts";
import { fitLogistic, logit, type Sample } from "../src/evaluate/fit/logistic.ts";
import { fitScale } from "../src/evaluate/fit/scale.ts";
import { chooseStrictly, chooseThreshold } from "../src/evaluate/fit/threshold.ts";

describe("the fit", () => {
  const sample = (
    value: number,
    isTrue: boolean,
    family: string,
  ): Sample & { family: string; group: string; file: string } => ({
    ...{ features: { value, rare: 0 }, isTrue, weight: 1 },
    ...{ family, group: family, file: `${family}/${value}` },
  });
  const samples = ["a", "b", "c"].flatMap((family) =>
    Array.from({ length: 40 }, (_, i) => sample(i / 40, i > 20 !== (i % 10 === 0), family)),
  );
  const ridge = { strength: 0.5, in: "units" } as const;

  it("gives the same weights for the same rows, and no sign changes", () => {
    const fitted = fitLogistic(samples, { bias: 0, value: 1, rare: -4 }, ridge);
    assert.deepEqual(fitted, fitLogistic(samples, { bias: 0, value: 1, rare: -4 }, ridge));
    assert.ok(fitted["value"]! > 1);
    const turned = fitLogistic(samples, { bias: 0, value: -1 }, ridge);
    assert.equal(turned["value"] ?? 0, 0);
  });

  it("leaves evidence that it has never seen at its expected weight", () => {
    const fitted = fitLogistic(samples, { bias: 0, value: 1, rare: -4 }, ridge);
    assert.ok(Math.abs(fitted["rare"]! + 4) < 1e-6);
  });

  it("judges every group of families by the others", () => {
    const odds = crossValidate(samples, { value: 1 }, ridge, (row) => row.isTrue);
    const others = fitLogistic(
      samples.filter((row) => row.family !== "b"),
      { value: 1 },
      ridge,
    );
    const at = samples.findIndex((row) => row.family === "b");
    assert.ok(Math.abs(odds[at]! - logit(others, samples[at]!.features)) < 1e-6);
  });

  it("chooses the threshold by what was wrong, with half a wrong one in hand and a twentieth to spare, or a fiftieth if none was wrong", () => {
    const right = Array.from({ length: 200 }, (_, i) => ({
      confidence: 1 - i / 1000,
      isRight: true,
    }));
    assert.equal(chooseThreshold(right, 0.995), right[195]!.confidence);
    assert.equal(chooseThreshold(right.slice(0, 99), 0.995), 1);
    const wrong = right.map((one, i) => (i === 150 ? { ...one, isRight: false } : one));
    assert.equal(chooseThreshold(wrong, 0.995), right[142]!.confidence);
  });

  it("never gives higher odds a lower confidence, however few rows the last bin holds", () => {
    const rows = Array.from({ length: 125 }, (_, i) => ({ family: "a", isRight: i !== 118 }));
    const scale = fitScale(
      rows as FitRow[],
      rows.map((_, i) => i),
    );
    const found = scale.map(([, odds]) => odds);
    assert.deepEqual(
      found,
      [...found].sort((a, b) => a - b),
    );
  });

  it("chooses the strict threshold above everything wrong, with an eighth to spare", () => {
    const judged = Array.from({ length: 200 }, (_, i) => ({
      confidence: 1 - i / 1000,
      isRight: i !== 100,
    }));
    assert.equal(chooseStrictly(judged), judged[87]!.confidence);
    assert.equal(chooseStrictly(judged.slice(100)), 1);
    assert.equal(chooseStrictly(judged.slice(0, 100)), judged[87]!.confidence);
  });
});

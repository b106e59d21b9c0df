import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { changesOf } from "../bench/fit/changes.ts";
import { crossValidate } from "../src/evaluate/fit/cross-validate.ts";
import { type FitRow, readRows } from "../src/evaluate/fit/fit-rows.ts";
import { fitLogistic, logit, type Sample } from "../src/evaluate/fit/logistic.ts";
import { fitScale } from "../src/evaluate/fit/scale.ts";
import { chooseStrictly, chooseThreshold } from "../src/evaluate/fit/threshold.ts";
import { SHIPPED } from "../src/extract/judgement/weighing.ts";

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

  it("says before it is written how many documents it would confirm, doubt or read otherwise", () => {
    const text = [
      ...["Wertpapierabrechnung Kauf", "ISIN DE0005200000", "Schlusstag 16.04.2021", "Stück 90"],
      ...["Kurs EUR 91,30", "Kurswert EUR 8.217,00", "Ausmachender Betrag EUR 8.217,00"],
    ].join("\n");
    const known = { type: "BUY", date: "2021-04-16", isin: "DE0005200000", shares: 90 };
    const read = readRows([
      {
        ...{ file: "a.txt", family: "a", language: "de", doc_class: "note", fold: 0, text },
        transactions: [{ ...known, currency: "EUR", amount: 8217, gross: 8217 }],
      },
    ]);
    const changes = (fitted: typeof SHIPPED) => changesOf(read, fitted).slice(1, 3).join();
    assert.match(
      changes(SHIPPED),
      / 0 would be confirmed .* 0 would no longer .* 0 would no longer/,
    );
    const strict = changes({ ...SHIPPED, autoConfirm: 1 });
    assert.match(strict, / 0 would be confirmed that are not now, and 1 would no longer be/);
    const blind = changes({ ...SHIPPED, trade: { ...SHIPPED.trade, bias: -99 } });
    assert.match(blind, / 0 would be read rightly that are not now, and 1 would no longer be/);
  });
});

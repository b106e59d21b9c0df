import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { workedOnRows } from "../bench/fit/corpus.ts";
import { crossValidate } from "../bench/fit/cross-validate.ts";
import { fitLogistic, logit, type Sample } from "../bench/fit/logistic.ts";
import { chooseThreshold } from "../bench/fit/threshold.ts";
import type { Features } from "../src/extract/candidate.ts";
import { confidenceOf, weigh } from "../src/extract/confidence.ts";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";

const NOTE = [
  "Wertpapierabrechnung Kauf",
  "Beispiel Werke AG Inhaber-Aktien",
  "ISIN DE0005200000 WKN 520000",
  "Schlusstag 16.04.2021 12:38",
  "Stück 90",
  "Kurs EUR 91,30",
  "Kurswert EUR 8.217,00",
  "Provision EUR 41,09",
  "Ausmachender Betrag EUR 8.258,09",
  "Valuta 20.04.2021",
];
const read = (lines: readonly string[]) =>
  extractTrades(readingOfText(lines.join("\n"))).trades[0]!;
const without = (word: string) => NOTE.filter((line) => !line.includes(word));
const replaced = (word: string, by: string) =>
  NOTE.map((line) => (line.includes(word) ? by : line));

describe("confidence", () => {
  it("is enough for a plain note whose arithmetic holds", () => {
    const trade = read(NOTE);
    assert.deepEqual([trade.canAutoConfirm, trade.net], [true, 8258.09]);
  });

  it.each([
    ["the arithmetic fails", replaced("Kurswert", "Kurswert EUR 8.217,90")],
    ["no word names the direction", without("Kauf")],
    ["the security has no number", without("ISIN")],
    ["another security is named", [...NOTE, "ISIN DE0007164600"]],
    ["two days are called the day of trade", [...NOTE, "Handelstag 15.04.2021"]],
  ])("falls when %s, and nothing is booked unseen", (_, lines) => {
    for (const trade of extractTrades(readingOfText(lines.join("\n"))).trades) {
      assert.ok(trade.confidence < read(NOTE).confidence, String(trade.confidence));
      assert.equal(trade.canAutoConfirm, false);
    }
  });

  it("falls with a tax that is printed and not in the sum", () => {
    const trade = read([...NOTE, "Kapitalertragsteuer EUR 12,50-"]);
    assert.ok(trade.confidence < read(NOTE).confidence);
  });

  it("of a trade is never above that of its core fields", () => {
    const some: Features[] = [{}, { wordsOwn: 1, productHolds: 1, sumHolds: 1 }, { dayTied: 1 }];
    for (const features of some) {
      const { trade, field } = confidenceOf(features);
      for (const name of ["direction", "tradeDate", "isin", "quantity", "net", "currency"] as const)
        assert.ok(field(name) >= trade);
    }
  });

  it("no agreement outweighs a doubt", () => {
    const weights = { bias: 1, good: 9, better: 9, doubt: -5 };
    const much = weigh(weights, { good: 1, better: 1, doubt: 1 });
    assert.ok(much < weigh(weights, { good: 1 }));
    assert.ok(weigh(weights, { good: 1, better: 1 }) - much === 5);
  });
});

describe("the fit", () => {
  const sample = (
    value: number,
    isTrue: boolean,
    family: string,
  ): Sample & { family: string; file: string } => ({
    ...{ features: { value, rare: 0 }, isTrue, weight: 1 },
    ...{ family, file: `${family}/${value}` },
  });
  const samples = ["a", "b", "c"].flatMap((family) =>
    Array.from({ length: 40 }, (_, i) => sample(i / 40, i > 20 !== (i % 10 === 0), family)),
  );
  const ridge = { strength: 0.5, in: "units" } as const;

  it("gives the same weights for the same rows, and no sign turns", () => {
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

  it("judges every family by the others", () => {
    const odds = crossValidate(samples, { value: 1 }, ridge, (row) => row.isTrue);
    const others = fitLogistic(
      samples.filter((row) => row.family !== "b"),
      { value: 1 },
      ridge,
    );
    const at = samples.findIndex((row) => row.family === "b");
    assert.ok(Math.abs(odds[at]! - logit(others, samples[at]!.features)) < 1e-6);
  });

  it("chooses the threshold by what was wrong, with half a wrong one in hand and a twentieth to spare", () => {
    const right = Array.from({ length: 200 }, (_, i) => ({
      confidence: 1 - i / 1000,
      isRight: true,
    }));
    assert.equal(chooseThreshold(right, 0.995), right[189]!.confidence);
    assert.equal(chooseThreshold(right.slice(0, 99), 0.995), 1);
    const wrong = right.map((one, i) => (i === 150 ? { ...one, isRight: false } : one));
    assert.equal(chooseThreshold(wrong, 0.995), right[142]!.confidence);
  });

  it("never sees a row of every third family", () => {
    const folder = mkdtempSync(join(tmpdir(), "postroom-fit-"));
    const path = join(folder, "rows.jsonl");
    const families = ["f", "e", "d", "c", "b", "a"];
    writeFileSync(path, families.map((family) => JSON.stringify({ family })).join("\n"));
    assert.deepEqual(
      workedOnRows(path).map((row) => row.family),
      ["e", "d", "b", "a"],
    );
    rmSync(folder, { recursive: true });
  });
});

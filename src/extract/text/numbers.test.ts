import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fold } from "../lexicon/fold.ts";
import { guessDecimalSign, readNumber, scanNumbers } from "./numbers.ts";

const first = (raw: string) => readNumber(raw, null)[0]?.value;

describe("numbers", () => {
  it("every common grouping of digits is read", () => {
    assert.equal(first("1.234,56"), 1234.56);
    assert.equal(first("1,234.56"), 1234.56);
    assert.equal(first("1'234.56"), 1234.56);
    assert.equal(first("1.234.567"), 1234567);
    assert.equal(first("12,5"), 12.5);
    assert.equal(first("0,00180296"), 0.00180296);
  });

  it("one separator before three digits keeps both readings, the one the document uses first", () => {
    assert.deepEqual(
      readNumber("1.670", ",").map((reading) => reading.value),
      [1670, 1.67],
    );
    assert.deepEqual(
      readNumber("38.879", ".").map((reading) => reading.value),
      [38.879, 38879],
    );
  });

  it("thousands separated by spaces are one amount, and each group stays a possible number", () => {
    const tokens = scanNumbers(fold("3 129.28 CHF 387.85"), ".");
    assert.deepEqual(
      tokens.map((token) => token.readings[0]!.value),
      [3129.28, 3, 129.28, 387.85],
    );
    assert.equal(scanNumbers(fold("5 058,16 €"), ",")[0]!.readings[0]!.value, 5058.16);
  });

  it("a sign may be before or after the digits, brackets or the letter S", () => {
    for (const text of ["-41,09", "41,09-", "(41,09)", "41,09 S", "EUR - 41,09"]) {
      assert.equal(scanNumbers(fold(text), ",")[0]!.isNegative, true, text);
    }
    assert.equal(scanNumbers(fold("41,09 H"), ",")[0]!.isNegative, false);
  });

  it("digits in codes and footnotes are not numbers", () => {
    assert.deepEqual(scanNumbers(fold("DE114103563 Depot 00001-152198 Steuer(2)"), ","), []);
  });

  it("the decimal sign of a document is the one its amounts use", () => {
    assert.equal(guessDecimalSign([fold("Summe 1.234,50 EUR am 12.05.21")]), ",");
    assert.equal(guessDecimalSign([fold("Total 1,234.50 USD")]), ".");
  });

  it("dashes stand for zero cents, and the sign before them is the decimal sign", () => {
    const [value] = scanNumbers(fold("Kurswert: -1.800,-- EUR"), ",");
    assert.deepEqual([value!.readings, value!.isNegative], [[{ value: 1800, decimals: 2 }], true]);
    assert.deepEqual(scanNumbers(fold("3,- EUR"), ",")[0]!.readings, [{ value: 3, decimals: 2 }]);
    assert.deepEqual(scanNumbers(fold("S. 12.-15."), ",").length, 2);
  });

  it("digits between letters are part of a code, even behind a unit's letter", () => {
    assert.deepEqual(
      scanNumbers("de0005200000 (a2bcde) 3,3 x2 5st", ",").map(({ raw }) => raw),
      ["3,3", "2", "5"],
    );
  });
});

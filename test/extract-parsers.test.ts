import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { scanDates, scanTimes } from "../src/extract/dates.ts";
import { fold } from "../src/extract/fold.ts";
import { isCusip, isIsin, isSedol, isValor, isWkn } from "../src/extract/identifiers.ts";
import { labelMatcher } from "../src/extract/lexicon/index.ts";
import { matchPhrases, splitWords } from "../src/extract/lexicon/matcher.ts";
import { guessDecimalSign, readNumber, scanNumbers } from "../src/extract/numbers.ts";
import { joinSpacedLetters } from "../src/extract/spaced-letters.ts";

const first = (raw: string, hint: "," | "." | null = null) => readNumber(raw, hint)[0]?.value;

describe("numbers", () => {
  it("every usual grouping is read", () => {
    assert.equal(first("1.234,56"), 1234.56);
    assert.equal(first("1,234.56"), 1234.56);
    assert.equal(first("1'234.56"), 1234.56);
    assert.equal(first("1.234.567"), 1234567);
    assert.equal(first("12,5"), 12.5);
    assert.equal(first("0,00180296"), 0.00180296);
  });

  it("one separator before three digits keeps both readings, the document's own first", () => {
    assert.deepEqual(
      readNumber("1.670", ",").map((reading) => reading.value),
      [1670, 1.67],
    );
    assert.deepEqual(
      readNumber("38.879", ".").map((reading) => reading.value),
      [38.879, 38879],
    );
  });

  it("blanks between thousands are one amount, and its groups stay possible", () => {
    const tokens = scanNumbers(fold("3 129.28 CHF 387.85"), ".");
    assert.deepEqual(
      tokens.map((token) => token.readings[0]!.value),
      [3129.28, 3, 129.28, 387.85],
    );
    assert.equal(scanNumbers(fold("5 058,16 €"), ",")[0]!.readings[0]!.value, 5058.16);
  });

  it("a sign may stand before, behind, as brackets or as the letter S", () => {
    for (const text of ["-41,09", "41,09-", "(41,09)", "41,09 S", "EUR - 41,09"]) {
      assert.equal(scanNumbers(fold(text), ",")[0]!.isNegative, true, text);
    }
    assert.equal(scanNumbers(fold("41,09 H"), ",")[0]!.isNegative, false);
  });

  it("digits that are part of codes and footnotes are no numbers", () => {
    assert.deepEqual(scanNumbers(fold("DE114103563 Depot 00001-152198 Steuer(2)"), ","), []);
  });

  it("the decimal sign of the document is the one its amounts use", () => {
    assert.equal(guessDecimalSign([fold("Summe 1.234,50 EUR am 12.05.21")]), ",");
    assert.equal(guessDecimalSign([fold("Total 1,234.50 USD")]), ".");
  });
});

describe("days and times", () => {
  const day = (text: string) => scanDates(fold(text))[0]?.iso;

  it("days of every usual order and language are read", () => {
    assert.equal(day("5. März 2024"), "2024-03-05");
    assert.equal(day("05-Dez-2024"), "2024-12-05");
    assert.equal(day("Jul 11, 2024"), "2024-07-11");
    assert.equal(day("le 4 juillet 2023"), "2023-07-04");
    assert.equal(day("5 de enero de 2020"), "2020-01-05");
    assert.equal(day("2024-06-05"), "2024-06-05");
    assert.equal(day("1.2.2020"), "2020-02-01");
  });

  it("a day and month that may be swapped keeps the other reading", () => {
    assert.deepEqual(scanDates("04/05/2024")[0], {
      start: 0,
      end: 10,
      iso: "2024-05-04",
      alternative: "2024-04-05",
    });
  });

  it("the decimals of an amount are no day", () => {
    assert.equal(day("-173.19 Jul 17, 2024"), "2024-07-17");
  });

  it("times are read with their half of the day", () => {
    assert.equal(scanTimes("03:45:50 pm", [])[0]!.value, "15:45:50");
    assert.equal(scanTimes("16.28.03", [])[0]!.value, "16:28:03");
  });
});

describe("identifiers", () => {
  it("check digits decide, and lengths are 12, 7 and 9 [X-04]", () => {
    assert.equal(isIsin("US0378331005"), true);
    assert.equal(isIsin("US0378331006"), false);
    assert.equal(isIsin("US037833100"), false);
    assert.equal(isSedol("0263494"), true);
    assert.equal(isSedol("0263495"), false);
    assert.equal(isSedol("263494"), false);
    assert.equal(isCusip("037833100"), true);
    assert.equal(isCusip("037833101"), false);
    assert.equal(isWkn("A1JX52"), true);
    assert.equal(isValor("1213853"), true);
  });
});

describe("lexicon", () => {
  const concepts = (text: string) => {
    const folded = fold(text);
    return matchPhrases(labelMatcher, folded, splitWords(folded)).map(
      (match) => match.value[0]!.concept,
    );
  };

  it("the longest phrase wins, and compounds are known by their last part", () => {
    assert.deepEqual(concepts("Zu Ihren Gunsten vor Steuern"), ["subtotal"]);
    assert.deepEqual(concepts("Handelsplatzgebühr"), ["fee"]);
    assert.deepEqual(concepts("Steuerbemessungsgrundlage"), ["noise"]);
  });

  it("one concept is named in every language of the lexicon", () => {
    for (const word of [
      "Kurtage",
      "Courtage",
      "Commission",
      "Commissioni",
      "Comisión",
      "Makelaarsloon",
      "Comissão",
      "Palkkio",
      "Prowizja",
      "Poplatek",
      "Kurtasje",
    ]) {
      assert.deepEqual(concepts(word), ["fee"], word);
    }
  });

  it("letter-spaced lines are joined and cut into the lexicon's words", () => {
    assert.equal(
      joinSpacedLetters("K u r s w e r t : E U R 1 9 . 8 5 2 , 0 0"),
      "Kurswert : EUR 19.852,00",
    );
    assert.equal(
      joinSpacedLetters("Z u Ih r e n G u n s t e n n a c h S t e u er n"),
      "Zu Ihren Gunsten nach Steuern",
    );
    assert.equal(joinSpacedLetters("Kurswert EUR 19.852,00"), null);
  });
});

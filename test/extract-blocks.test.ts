import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";

const read = (lines: readonly string[]) => extractTrades(readingOfText(lines.join("\n"))).trades;

describe("blocks of several trades", () => {
  it("a security's number in groups of three names it, with its number words beside it", () => {
    const numbered = (label: string) =>
      read([
        "Investment account statement, currency CHF",
        "Date Detail Value date Debit Credit Balance",
        "25.11.2025 Fund buy 25.11.2025 80.00 310.00",
        "Emerging Markets Fund",
        `${label} 1/011,704,497 Cur CHF`,
        "Unit 0.580442",
        "Rate 137.826074",
        "25.11.2025 Fund buy 25.11.2025 310.00 0.00",
        "World Fund",
        `${label} 1/011,704,490 Cur CHF`,
        "Unit 0.932137",
        "Rate 332.569225",
      ]).map(({ security }) => security.valor ?? null);
    assert.deepEqual(numbered("Security-No."), ["11704497", "11704490"]);
    assert.deepEqual(numbered("Valorennummer:"), ["11704497", "11704490"]);
    assert.deepEqual(numbered("Order No."), []);
  });

  it("the printed sum of the units shows which factor is the quantity", () => {
    const rows = [
      "Halbjahresabrechnung Sparplan, Käufe in EUR",
      "Beispiel Welt UCITS ETF LU1737652583",
      "Umsatzart in EUR",
      "Kauf 200,00 51,1040 3,9136 20.02.2020",
      "Kauf 200,00 41,4880 4,8207 20.04.2020",
      "Kauf 200,00 45,0200 4,4425 22.06.2020",
    ];
    const doubt = "quantity and price could be the other way round";
    const doubts = (lines: readonly string[]) =>
      read(lines).filter(({ reasons }) => reasons.includes(doubt)).length;
    assert.ok(doubts(rows) > 0);
    assert.equal(doubts([...rows, "Erworben 13,1768"]), 0);
  });

  it("a product of less than a cent does not show that a printed cent is its gross", () => {
    const row = "02.09.2022 Kauf LU0996182563 Stück 0,0001283 Kurs 7,18 EUR 0,01 EUR";
    assert.deepEqual(read(["Umsätze", row]), []);
  });
});

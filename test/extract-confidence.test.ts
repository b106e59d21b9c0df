import assert from "node:assert/strict";
import { describe, it } from "vitest";
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
    ["an amount like the net is unexplained", [...NOTE, "Sonstiges EUR 8.300,00"]],
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
});

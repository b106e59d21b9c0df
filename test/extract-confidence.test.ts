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
    ["two dates are called the trade date", [...NOTE, "Handelstag 15.04.2021"]],
  ])("falls when %s, and nothing is booked unseen", (_, lines) => {
    for (const trade of extractTrades(readingOfText(lines.join("\n"))).trades) {
      assert.ok(trade.confidence < read(NOTE).confidence, String(trade.confidence));
      assert.equal(trade.canAutoConfirm, false);
    }
  });

  it("takes the taxes of the year below the net for what their label says", () => {
    const taxes = "einbehaltene Kapitalertragsteuer EUR 8.300,00";
    assert.equal(read([...NOTE, taxes]).canAutoConfirm, true);
    // A printed amount that leads from the net to another total is another reading of the page.
    assert.equal(read([...NOTE, "Sonstiges EUR 41,91", taxes]).canAutoConfirm, false);
  });

  it("is not shaken by a commission that is refunded on the next line, but by one that is not", () => {
    const free = replaced("Ausmachender", "Ausmachender Betrag EUR 8.217,00");
    const at = free.findIndex((line) => line.startsWith("Provision")) + 1;
    const doubt = "charges are printed that the net does not include";
    assert.ok(read(free).reasons.includes(doubt));
    const refunded = free.toSpliced(at, 0, "Erstattung EUR -41,09");
    assert.ok(!read(refunded).reasons.includes(doubt));
    assert.ok(read([...refunded.toSpliced(at, 1), "Summe EUR -41,09"]).reasons.includes(doubt));
  });

  it("explains the executions of an order, even of a single share at its price", () => {
    const parts = ["Stück 60 Kurs 91,30 EUR 5.478,00", "Stück 29 Kurs 91,30 EUR 2.647,70"];
    const rows = [...parts, "Stück 1 Kurs 91,30 EUR 91,30"];
    const at = NOTE.findIndex((line) => line.startsWith("Stück"));
    const trade = read(NOTE.toSpliced(at, 0, ...rows));
    const doubt = "an amount like the net is printed that nothing explains";
    assert.equal(trade.quantity, 90);
    assert.ok(!trade.reasons.includes(doubt));
    const missing = read(NOTE.toSpliced(at, 0, "Stück 80 Kurs 91,30 EUR 7.304,00"));
    assert.ok(missing.reasons.includes(doubt));
  });

  it("takes the minus of a payment for the place of the direction if no word names it", () => {
    const paid = [...without("Kauf"), "Konto 4711 EUR -8.258,09"];
    const { direction, perField } = read(["Wertpapierabrechnung", ...paid]);
    assert.deepEqual([direction, perField.direction!.source!.text], ["BUY", "-8.258,09"]);
    assert.equal(perField.direction!.isGrounded, true);
    const unsigned = paid.map((line) => line.replace("-8.258", "8.258"));
    const trades = extractTrades(readingOfText(["Wertpapierabrechnung", ...unsigned].join("\n")));
    for (const trade of trades.trades) assert.equal(trade.perField.direction!.isGrounded, false);
  });

  it("falls with a tax that is printed and not in the sum", () => {
    const trade = read([...NOTE, "Kapitalertragsteuer EUR 12,50-"]);
    assert.ok(trade.confidence < read(NOTE).confidence);
  });
});

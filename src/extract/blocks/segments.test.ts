import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { documentOf, readingOfText } from "../extract-trades.ts";
import { ranksOf } from "../layout/furniture.ts";
import { findFacts } from "./facts.ts";
import { segmentsOf } from "./segments.ts";

describe("the only trade of a statement", () => {
  const segments = (head: string) => {
    const { lines, sections, values } = documentOf(
      readingOfText(
        [
          "Depotauszug Nr. 5",
          head,
          "Muster Welt Aktien Inhaber-Anteile",
          "ISIN Anteile Abrechnungskurs Betrag",
          "DE0005200000 60,000000 103,230000 EUR 6.193,80 EUR",
          "Zahlungsbetrag 6.193,80 EUR",
        ].join("\n"),
      ),
    );
    return segmentsOf(lines, sections, findFacts(lines, values.amounts, ranksOf(lines)));
  };

  it("begins with the heading that says bought or sold and prints its day", () => {
    const [only] = segments("Kauf 6.193,80 EUR mit Kursdatum 07.06.2021 in 01");
    assert.equal(only?.from, 1);
    assert.equal(only?.fact.quantity.value, 60);
  });

  it("is the whole document if no heading prints its day", () => {
    assert.deepEqual(segments("Kauf in Position 01"), []);
  });
});

describe("a block below the heading of a distribution", () => {
  it("is no trade: its units were held, and its price was paid for each of them", () => {
    const { lines, sections, values } = documentOf(
      readingOfText(
        [
          "Fondsertrag (Ausschüttung) mit Bestandsdatum 22.09.2023 in Position 59",
          "Muster Welt Aktien Inhaber-Anteile",
          "ISIN Anteile Kurs Betrag",
          "IE00B4L5Y983 54,479737 0,383900 EUR 20,91 EUR",
          "Wiederanlage des Zahlungsbetrags erfolgt in Position 59",
          "Wiederanlage 20,91 EUR mit Kursdatum 25.09.2023 in Position 59",
          "Muster Welt Aktien Inhaber-Anteile",
          "ISIN Anteile Kurs Betrag",
          "IE00B4L5Y983 0,058315 358,570000 EUR 20,91 EUR",
        ].join("\n"),
      ),
    );
    const facts = findFacts(lines, values.amounts, ranksOf(lines));
    assert.equal(facts.length, 2);
    assert.deepEqual(
      segmentsOf(lines, sections, facts).map(({ from, fact }) => [from, fact.quantity.value]),
      [[5, 0.058315]],
    );
  });

  it("ends the block of the trade above it", () => {
    const purchase = (isin: string, day: string) => [
      `Kauf 100,00 EUR mit Kursdatum ${day} in Position 17`,
      "ISIN Anteile Abrechnungskurs Betrag",
      `${isin} 0,138927 719,800000 EUR 100,00 EUR`,
      "Abwicklung über IBAN Institut Zahlungsbetrag",
      "DE123 100,00 EUR",
    ];
    const { lines, sections, values } = documentOf(
      readingOfText(
        [
          ...purchase("DE0005200000", "01.04.2021"),
          "Diese Mitteilung wird nicht unterschrieben.",
          "Seite 2 von 3",
          ...purchase("IE00B4L5Y983", "03.05.2021"),
          "Fondsertrag (Ausschüttung) mit Bestandsdatum 13.06.2021 in Position 10",
          "ISIN Anteilsbestand Betrag je Anteil Betrag",
          "LU0274208692 0,049184 0,610000 EUR 0,03 EUR",
        ].join("\n"),
      ),
    );
    const found = segmentsOf(lines, sections, findFacts(lines, values.amounts, ranksOf(lines)));
    assert.deepEqual(
      found.map(({ from, to }) => [from, to]),
      [
        [0, 7],
        [7, 12],
      ],
    );
  });
});

describe("a product of so few cents that rounding could double it", () => {
  const facts = (row: string) => {
    const { lines, values } = documentOf(readingOfText(`Anzahl Kurs Wert\n${row}`));
    return findFacts(lines, values.amounts, ranksOf(lines)).map(({ gross }) => gross.value);
  };

  it("is no trade: it would match whatever is printed", () => {
    assert.deepEqual(facts("0,01 1,0049 0,01"), []);
    assert.deepEqual(facts("0,0012 25,06 0,03"), [0.03]);
  });
});

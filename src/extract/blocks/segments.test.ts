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

import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { documentOf, possibleTrades, readingOfText } from "../extract-trades.ts";
import type { Clues } from "../values/amount.ts";
import type { Candidate } from "./candidate.ts";
import { daysOf } from "./day-certainty.ts";
import { explainedOf } from "./explained.ts";

const NOTE = [
  "Wertpapierabrechnung Kauf",
  "ISIN DE0005200000",
  "Stück 90 Kurs EUR 91,30 Kurswert EUR 8.217,00 am 16.04.2021",
  "Ausmachender Betrag EUR 8.217,00",
];

/** The evidence for the first day of a note that prints two, each with the clues that are given. */
function evidence(last: string, clues: readonly Clues[], isRow = false) {
  const document = documentOf(readingOfText([...NOTE, last].join("\n")));
  const days = document.values.days.map((day, i) => ({ ...day, clues: clues[i]! }));
  const values = { ...document.values, days };
  const whole = possibleTrades(document).whole!;
  const fact = isRow ? ({ first: 2, last: 4 } as Candidate["fact"]) : null;
  const chosen = { trade: days[0]!, tradeScore: 1, runnerUp: 0.7, settle: null };
  return { document: { ...document, values }, candidate: { ...whole, fact, days: chosen } };
}

const unsaid = ({ document, candidate }: ReturnType<typeof evidence>) =>
  daysOf(document, candidate)["dayUnsaid"]!;

describe("the certainty of the day of trade", () => {
  it("needs no label for the first of two days of a row, if the other one follows within days", () => {
    const clues = [{}, { tradeDate: 0.4 }];
    assert.equal(unsaid(evidence("gebucht 19.04.2021", clues, true)), 0);
    assert.ok(unsaid(evidence("gebucht 19.04.2021", clues)) > 0.5);
    assert.ok(unsaid(evidence("gebucht 28.04.2021", clues, true)) > 0.5);
    assert.ok(unsaid(evidence("gebucht 14.04.2021", clues, true)) > 0.5);
  });

  it("needs no label for a day among the numbers, if the only other one is above them and later", () => {
    const note = (letter: string, after: string) => {
      const text = [
        "Musterstadt",
        `Datum ${letter}`,
        "Frau",
        "Muster",
        "Ihr Depot",
        ...NOTE,
        after,
      ].join("\n");
      const document = documentOf(readingOfText(text));
      const days = document.values.days.map((day) => ({ ...day, clues: {} }));
      const trade = days.find(({ iso }) => iso === "2021-04-16")!;
      const chosen = { trade, tradeScore: 1, runnerUp: 0.9, settle: null };
      const candidate = { ...possibleTrades(document).whole!, days: chosen };
      return unsaid({ document: { ...document, values: { ...document.values, days } }, candidate });
    };
    assert.equal(note("19.04.2021", ""), 0);
    assert.ok(note("14.04.2021", "") > 0.5);
    assert.ok(note("10.05.2021", "") > 0.5);
    assert.ok(note("19.04.2021", "am 20.04.2021") > 0.5);
  });

  it("is not shaken by the day of a balance, whatever it looks like", () => {
    const doubted = (clues: Clues) => {
      const { document, candidate } = evidence("Bestand am 30.06.2021", [{}, clues]);
      const roles = (share: number) => Float64Array.of(0, 0, 0, 0, 0, 0, 0, share, 0, 1 - share);
      const days = document.values.days.map((day, i) => ({ ...day, roles: roles(i ? 0.9 : 0.2) }));
      const shown = { ...document, values: { ...document.values, days } };
      return explainedOf(shown, candidate)["modelDayAgainst"];
    };
    assert.equal(doubted({ noise: 1, tradeDate: 0.4 }), 0);
    assert.equal(doubted({ tradeDate: 0.4 }), 1);
  });

  it("is not shaken by a whole number without a currency that looks like the net", () => {
    const { document, candidate } = evidence("Fonds 8100 vom 16.04.2021", [{}, {}]);
    const doubted = (currency: string | null) => {
      const roles = (share: number) => Float64Array.of(0, 0, 0, share, 0, 0, 0, 0, 0, 1 - share);
      const amounts = document.values.amounts.map((amount) =>
        amount.value === 8100
          ? { ...amount, currency, roles: roles(0.9) }
          : { ...amount, roles: roles(0.1) },
      );
      const shown = { ...document, values: { ...document.values, amounts } };
      return explainedOf(shown, candidate)["modelNetAgainst"];
    };
    assert.equal(doubted(null), 0);
    assert.equal(doubted("EUR"), 1);
  });
});

describe("what is printed beside a trade", () => {
  const open = (line: string) => {
    const document = documentOf(readingOfText([...NOTE, line].join("\n")));
    return explainedOf(document, possibleTrades(document).whole!)["open"]!;
  };

  it("needs no explanation if its label or its length shows that it is no sum: a limit, a price, a long number", () => {
    assert.equal(open("Limit EUR 66,00"), 0);
    assert.equal(open("Ausführungskurs EUR 91,25"), 0);
    assert.equal(open("Vorgang EUR 99123456789"), 0);
    assert.ok(open("Sonstiges EUR 66,00") > 0);
  });
});

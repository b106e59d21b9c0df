import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { brief, read } from "./helpers/brief-trades.ts";

/** A statement of two funds; no word of its rows says bought or sold, only the sign of the units does. */
const STATEMENT = [
  "Umsatzübersicht Fondsdepot",
  "Beispielfonds Umwelt",
  "ISIN: LU0996182563 Unterdepot: 00",
  "Umsatzart Betrag EUR Preis je Anteil EUR Anteile Buchungstag",
  "Bestand am 31.03.2021 1.212,72 196,360000 6,176",
  "Lastschrifteinzug 250,00 198,660000 +1,258 01.04.2021",
  "Lastschrifteinzug 250,00 199,490000 +1,253 15.04.2021",
  "Depotpreis 10,00 196,970000 -0,051 03.05.2021",
  "Bestand am 30.06.2021 1.739,55 201,430000 8,636",
];

describe("statements of fund holdings", () => {
  it("a sign before the units says that they came or went, and is the place of the direction [X-05]", () => {
    const trades = read(STATEMENT);
    assert.deepEqual(
      trades.map(({ direction, perField }) => [direction, perField.direction?.source?.text]),
      [
        ["BUY", "+1,258"],
        ["BUY", "+1,253"],
        ["SELL", "-0,051"],
      ],
    );
    assert.ok(trades.every(({ perField }) => perField.direction?.isGrounded));
  });

  it("a sign alone does not say that units were traded: they may be a fee or a gift", () => {
    const doubt = "units were added or removed, and no word says that they were traded";
    const doubted = read(STATEMENT).map(({ reasons }) => reasons.includes(doubt));
    assert.deepEqual(doubted, [false, false, true]);
  });

  it("a row that was not read makes the reading incomplete, unless it moves no units and no money", () => {
    const doubt = "another row looks like a trade, but was not read";
    const doubted = (row: string) =>
      read(STATEMENT.toSpliced(5, 0, row)).some(({ reasons }) => reasons.includes(doubt));
    assert.equal(doubted("Kauf aus Ertrag 0,00 198,660000 +0,000 02.04.2021"), false);
    assert.equal(doubted("Kauf aus Ertrag 7,77 198,660000 +0,111 02.04.2021"), true);
  });

  it("rows that lead from one printed holding to the next are surer than rows that do not", () => {
    const torn = STATEMENT.map((line) => line.replace("8,636", "8,637"));
    const least = (lines: string[]) => Math.min(...read(lines).map(({ confidence }) => confidence));
    assert.ok(least(STATEMENT) > least(torn));
  });

  it("a row that prints the name only is of the security that a list above names [X-05]", () => {
    const listed = (names: string[]) =>
      brief([
        "Umsatzübersicht Fondssparplan, Beträge in EUR",
        "Fondsname ISIN Verwahrart",
        ...names,
        "Umsatzart Fondsname Betrag Preis je Anteil Anteile Tag",
        "Kauf Muster-Renten konservativ 35,40 47,900000 0,739 15.04.2020",
        "Verkauf Muster-RentenStrategie 24,60 92,680000 0,265 16.04.2020",
        "Global CF",
      ]).map((trade) => trade[2]);
    assert.deepEqual(
      listed([
        "Muster-Renten konservativ LU0996182563 Girosammel",
        "Muster-RentenStrategie Global CF IE00B4L5Y983 Girosammel",
      ]),
      ["LU0996182563", "IE00B4L5Y983"],
    );
  });

  it("a row below its heading may hold the code, a foreign price, the rate and the amount [X-05]", () => {
    assert.deepEqual(
      brief([
        "Umsatzabrechnung für Ihr Depot",
        "Kauf 13,29 EUR mit Kursdatum 27.01.2025",
        "Beispiel World ETF",
        "ISIN Anteile Abrechnungskurs Devisenkurs Betrag",
        "IE00B4L5Y983 0,097258 141,800000 USD 1,037709 13,29 EUR",
        "Kauf 13,29 EUR mit Kursdatum 26.02.2025",
        "Beispiel World ETF",
        "ISIN Anteile Abrechnungskurs Devisenkurs Betrag",
        "IE00B4L5Y983 0,096250 144,000000 USD 1,042886 13,29 EUR",
      ]),
      [
        ["BUY", "2025-01-27", "IE00B4L5Y983", 0.097258, 13.29, "EUR"],
        ["BUY", "2025-02-26", "IE00B4L5Y983", 0.09625, 13.29, "EUR"],
      ],
    );
  });

  it("what leads from the holding before to the holding after is the quantity, not what the income was paid for [X-05]", () => {
    assert.deepEqual(
      brief([
        "Ertragsausschüttung mit Wiederanlage",
        "Anteilbestand am Ertragstermin: 6,190",
        "Ausschüttung (pro Anteil EUR 9,4500000): EUR 58,50",
        "ISIN: LU0996182563",
        "Abrechnungstag: 20.11.2012",
        "Ausschüttung EUR 58,50 Kurs Bestand alt: 6,190",
        "= Wiederanlagebetrag EUR 58,50 EUR 58,50 EUR 438,170000 Zugang: 0,134",
        "Bestand neu: 6,324",
      ]),
      [["BUY", "2012-11-20", "LU0996182563", 0.134, 58.5, "EUR"]],
    );
  });

  it("a row may print its dates and direction on one line and all its numbers on the next [X-05]", () => {
    assert.deepEqual(
      brief([
        "Account statement, all amounts in CAD",
        "Trade date Settlement date Activity Description Quantity Price Gross Commission Net",
        "01-16-2023 01-18-2023 Buy CA0000000000 EXAMPLE ALL-EQUITY ETF|PORTFOLIO ETF",
        "UNIT|WE ACTED AS AGENT 29 33.600 (974.40) (0.10) (974.50)",
        "01-20-2023 01-20-2023 Deposit 1,000.00",
      ]).map((trade) => [trade[0], trade[1], trade[3], trade[4]]),
      [["BUY", "2023-01-16", 29, 974.5]],
    );
  });

  it("trades begin where a line says bought or sold, even if blocks of other kinds stand between them [X-05]", () => {
    const block = (head: string, day: string, units: string, price: string, sum: string) => [
      `${head} ${sum} EUR mit Kursdatum ${day}`,
      "Beispiel World ETF",
      `Ref. Nr. 47110815, Buchungsdatum ${day}`,
      "ISIN Anteile Abrechnungskurs Betrag",
      `IE00B4L5Y983 ${units} ${price} EUR ${sum} EUR`,
    ];
    const between = [
      "Vorabpauschale zum Stichtag 31.12.2023",
      "Beispiel World ETF",
      "Ref. Nr. 47110816, Buchungsdatum 10.04.2024",
      "ISIN Anteilsbestand",
      "IE00B4L5Y983 128,804746",
      "Verkauf von Anteilen zur Zahlung der Steuer: keiner",
    ];
    assert.deepEqual(
      brief([
        "Umsatzabrechnung für Ihr Depot",
        ...block("Kauf", "02.04.2024", "2,569778", "14,592700", "37,50"),
        ...between,
        ...block("Verkauf", "15.04.2024", "2,587831", "14,490900", "37,50"),
      ]).map((trade) => trade.slice(0, 5)),
      [
        ["BUY", "2024-04-02", "IE00B4L5Y983", 2.569778, 37.5],
        ["SELL", "2024-04-15", "IE00B4L5Y983", 2.587831, 37.5],
      ],
    );
  });

  it("a line that begins with a cancelled purchase names a cancellation, however long it is", () => {
    const [trade] = read([
      "Wertpapierabrechnung",
      "Stornierung Kauf - Beispiel Sustainable World Equity UCITS ETF Inhaber Anteile auf den Namen",
      "ISIN Stück Kurs Währung Betrag",
      "IE00B4L5Y983 5 28,15 EUR 140,75 EUR",
      "Ausmachender Betrag: 140,75 EUR",
      "Handelstag 15.09.2023",
    ]);
    assert.equal(trade?.isCancellation, true);
  });
});

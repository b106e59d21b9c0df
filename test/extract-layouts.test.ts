import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";

const read = (lines: readonly string[]) => {
  const { trades } = extractTrades(readingOfText(lines.join("\n")));
  assert.equal(trades.length, 1);
  const { direction, tradeDate, quantity, net, gross, currency } = trades[0]!;
  return [direction, tradeDate, quantity, gross, net, currency];
};

/** Label and value of a note, to be laid out in several ways. */
const PAIRS = [
  ["Konto", "83084947"],
  ["ISIN", "DE0007236101"],
  ["Ausführungstag", "26.06.2023"],
  ["Wertstellung", "28.06.2023"],
  ["Menge", "12"],
  ["Kurs", "EUR 311,05"],
  ["Kurswert", "EUR 3.732,60"],
  ["Provision", "EUR 4,95"],
  ["Börsengebühr", "EUR 0,65"],
  ["Zu Ihren Lasten", "EUR 3.738,20"],
] as const;
const TITLE = "Wertpapierabrechnung: Kauf";
const WANTED = ["BUY", "2023-06-26", 12, 3732.6, 3738.2, "EUR"];

describe("one note in several layouts", () => {
  it.each([
    ["labels before values", PAIRS.map((pair) => pair.join(" "))],
    ["labels above values", PAIRS.flat()],
    ["all labels, then all values", [...PAIRS.map(([l]) => l), ...PAIRS.map(([, v]) => v)]],
    ["values before labels", PAIRS.map(([label, value]) => `${value} ${label}`)],
    [
      "one row with a charge in each column",
      [PAIRS.map(([l]) => l).join(" "), PAIRS.map(([, v]) => v).join(" ")],
    ],
    [
      "chapters on costs and taxes below",
      [
        ...PAIRS.map((pair) => pair.join(" ")),
        "Kosteninformation",
        "Dienstleistungskosten gesamt 28,21 EUR 0,35 %",
        "Steuerliche Informationen",
        "Bemessungsgrundlage 0,00 EUR",
      ],
    ],
  ])("is read the same: %s", (_, lines) => {
    assert.deepEqual(read([TITLE, ...lines]), WANTED);
  });

  it("a product that is printed nowhere is computed where the charges close the sum", () => {
    const lines = PAIRS.filter(([label]) => label !== "Kurswert").map((pair) => pair.join(" "));
    assert.deepEqual(read([TITLE, ...lines]), WANTED);
  });

  it("a day with an unknown label just before the settlement is the day of trade", () => {
    const lines = PAIRS.map((pair) => pair.join(" ").replace("Ausführungstag", "Brindal"));
    assert.deepEqual(read([TITLE, ...lines]), WANTED);
  });
});

describe("currencies and days of other countries", () => {
  const note = (buy: string, trade: string, settle: string, sign: string, foot: string) => [
    buy,
    "ISIN US0378331005",
    `Trade date ${trade}`,
    `Settlement date ${settle}`,
    "Quantity 100",
    `Price ${sign}20.00`,
    `Consideration ${sign}2,000.00`,
    `Brokerage ${sign}10.00`,
    `Total cost ${sign}2,010.00`,
    foot,
  ];

  it("a capital R before an amount is the rand", () => {
    const lines = note("Bought note", "2023/05/15", "2023/05/18", "R ", "Member of the JSE");
    assert.deepEqual(read(lines), ["BUY", "2023-05-15", 100, 2000, 2010, "ZAR"]);
  });

  it("a crown is that of the country whose words are printed", () => {
    const lines = [
      "Avräkningsnota Köp",
      "ISIN SE0000115446",
      "Affärsdag 2023-05-15",
      "Likviddag 2023-05-17",
      "Antal 100",
      "Kurs 20,00 kr",
      "Belopp 2 000,00 kr",
      "Courtage 10,00 kr",
      "Att betala 2 010,00 kr",
    ];
    assert.deepEqual(read(lines), ["BUY", "2023-05-15", 100, 2000, 2010, "SEK"]);
  });

  it("the settlement tells which part of a date is the month", () => {
    const lines = note("You bought", "11/09/2022", "11/11/2022", "$", "Please keep this note");
    assert.deepEqual(read(lines), ["BUY", "2022-11-09", 100, 2000, 2010, "USD"]);
  });
});

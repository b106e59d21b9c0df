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

  it("a net after an account number is the net, and the account number is not part of it", () => {
    const lines = [
      "Abrechnung Kauf",
      "Titel: DE0005200000 Beispiel Werke AG",
      "Schlusstag: 13.6.2022",
      "Zugang: 73,84 Stk",
      "Kurs: 6,402 EUR",
      "Kurswert: -472,72 EUR",
      "Grundgebühr: -3,-- EUR",
      "Zu Lasten IBAN AT34 1234 1234 1234 1234 -475,72 EUR",
    ];
    const [trade] = extractTrades(readingOfText(lines.join("\n"))).trades;
    assert.deepEqual([trade!.net, trade!.fees.map(({ amount }) => amount)], [475.72, [3]]);
  });

  it("taxes that are paid back lift the net above the gross and leave a sale a sale", () => {
    const lines = [
      "Wertpapierabrechnung",
      "Stop-Market-Order Verkauf am 10.06.2020, um 11:42 Uhr.",
      "POSITION ANZAHL KURS BETRAG",
      "Beispiel Werke AG 500 Stk. 7,19 EUR 3.595,00 EUR",
      "ISIN: DE0005200000",
      "Provision -1,00 EUR",
      "Kapitalertragssteuer Optimierung 20,50 EUR",
      "Gesamt 3.614,50 EUR",
    ];
    assert.equal(extractTrades(readingOfText(lines.join("\n"))).trades[0]!.direction, "SELL");
  });

  it("a product that is not printed is computed if the charges close the sum", () => {
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

  it("the settlement date shows which part of a date is the month", () => {
    const lines = note("You bought", "11/09/2022", "11/11/2022", "$", "Please keep this note");
    assert.deepEqual(read(lines), ["BUY", "2022-11-09", 100, 2000, 2010, "USD"]);
  });
});

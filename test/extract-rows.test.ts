import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  documentOf,
  extractTrades,
  possibleTrades,
  readingOfText,
} from "../src/extract/extract-trades.ts";
import { brief, read } from "./helpers/brief-trades.ts";

describe("a row that proves nothing by itself", () => {
  const statement = (rows: readonly string[]) =>
    read([
      "Account statement Statement period: May 1 - 31, 2023",
      "Effective Description CUSIP Type of Activity",
      ...rows,
      "Member FINRA SIPC",
    ]).map(({ direction, tradeDate, security, quantity, net }) =>
      [direction, tradeDate, security.cusip, quantity, net].join(" "),
    );
  const known = [
    "May 02 Example Works Inc 037833100 Buy 4 19.6199 (78.48)",
    "May 09 Sample Foods Inc 023135106 Sell 12 41.10 493.20",
  ];

  it("is read like the other rows of its table: one share costs its price, and a price may be a whole number [X-05]", () => {
    assert.deepEqual(
      statement([
        ...known,
        "May 15 Model Energy Corp 594918104 Buy 1 89.80 (89.80)",
        "May 22 Pattern Metals Ltd 88160R101 Sell 42 186 7,811.96",
      ]),
      [
        "BUY 2023-05-02 037833100 4 78.48",
        "SELL 2023-05-09 023135106 12 493.2",
        "BUY 2023-05-15 594918104 1 89.8",
        "SELL 2023-05-22 88160R101 42 7811.96",
      ],
    );
  });

  it("is left alone if its numbers do not multiply where those of the others do", () => {
    const trades = statement([
      ...known,
      "May 22 Pattern Metals Ltd 88160R101 Sell 42 186 7,500.00",
    ]);
    assert.equal(trades.length, 2);
  });
});

describe("blocks of a fund statement", () => {
  it("begin with the line that says bought or sold and prints its day, not with a name that recurs [X-05]", () => {
    assert.deepEqual(
      brief([
        "Umsatzabrechnung Nr. 7",
        "Kauf 50,00 EUR mit Kursdatum 04.05.2021 in Position 01",
        "Muster Welt Aktien Inhaber-Anteile",
        "Ref. Nr. 11/12, Buchungsdatum 05.05.2021",
        "ISIN Anteile Abrechnungskurs Betrag",
        "DE0005200000 1,705860 29,252100 EUR 49,90 EUR",
        "Transaktionsentgelt 0,10 EUR",
        "Zahlungsbetrag 50,00 EUR",
        "Verkauf 41,03 EUR mit Kursdatum 18.05.2021 aus Position 02",
        "Muster Europa Aktien Inhaber-Anteile",
        "Ref. Nr. 13/14, Buchungsdatum 19.05.2021",
        "Verkauf erfolgt mit Ref. Nr. 15/16",
        "ISIN Anteile Abrechnungskurs Betrag",
        "DE0008469008 -0,598250 68,580000 EUR 41,03 EUR",
        "Zahlungsbetrag 41,03 EUR",
      ]),
      [
        ["BUY", "2021-05-04", "DE0005200000", 1.70586, 50, "EUR"],
        ["SELL", "2021-05-18", "DE0008469008", 0.59825, 41.03, "EUR"],
      ],
    );
  });
});

describe("numbers and codes", () => {
  const note = (lines: readonly string[]) =>
    extractTrades(readingOfText(lines.join("\n"))).trades[0]!;

  it("of several codes on a line the one directly behind its label is that of the security", () => {
    const trade = note([
      "Wertschriftenabrechnung 30.04.2018",
      "Ihr Verkauf",
      "Datum 30.04.2018",
      "1'000 Namenaktien Beispiel AG",
      "Valor 1213853, DE0005200000, ISIN CH0012138530",
      "zum Kurs von CHF 29.02",
      "Kurswert CHF 29'020.00",
      "Kommission CHF - 232.17",
      "Gutschrift CHF 28'787.83",
    ]);
    assert.equal(trade.security.isin, "CH0012138530");
  });

  it("a word of nine letters behind the label of a CUSIP is none, because it has no digit", () => {
    const trade = note([
      "TRADE CONFIRMATION",
      "ACTION SYMBOL CUSIP DATE QUANTITY PRICE",
      "YOU SOLD 8ABCDE7 11/23/21 12 $44.10",
      "EXAMPLE WORKS INC PRINCIPAL $529.20",
      "NET AMOUNT $529.20",
      "Member FINRA SIPC",
    ]);
    assert.equal(trade.quantity, 12);
    assert.equal(trade.security.cusip, undefined);
  });

  it("the day of a row and that of its settlement show which part is the month", () => {
    const trade = note([
      "Account statement",
      "Trans Date Settle Date Activity Symbol Quantity Price Gross Commission Net",
      "04-10-2025 04-11-2025 Buy VXYZ 50 40.93 2,046.50 0.00 2,046.50",
      "All amounts in CAD",
    ]);
    assert.equal(trade.tradeDate, "2025-04-10");
  });
});

describe("a block below a heading that prints its day", () => {
  const block = (head: string) => [
    "Depotauszug Nr. 5",
    "für den Zeitraum vom 05.04.2021 bis 31.12.2021",
    head,
    "Muster Welt Aktien Inhaber-Anteile",
    "Ref. Nr. 11/12, Buchungsdatum 09.06.2021",
    "ISIN Anteile Abrechnungskurs Betrag",
    "DE0005200000 -60,000000 103,230000 EUR 6.193,80 EUR",
    "Abwicklung über IBAN Institut Zahlungsbetrag",
    "DE00000000000000000000 XXXXXXXX 6.193,80 EUR",
  ];

  it("is a trade of that day, even as the only one of a statement [X-05]", () => {
    assert.deepEqual(brief(block("Verkauf 60,000000 Anteile mit Kursdatum 07.06.2021 aus 01")), [
      ["SELL", "2021-06-07", "DE0005200000", 60, 6193.8, "EUR"],
    ]);
  });

  it("keeps its own day and direction beside holdings that have neither [X-05]", () => {
    assert.deepEqual(
      brief([
        ...block("Verkauf 60,000000 Anteile mit Kursdatum 07.06.2021 aus 01"),
        "Kauf 49,90 EUR mit Kursdatum 14.06.2021 in 02",
        "Muster Europa Aktien Inhaber-Anteile",
        "Ref. Nr. 13/14, Buchungsdatum 15.06.2021",
        "ISIN Anteile Abrechnungskurs Betrag",
        "DE0008469008 1,705860 29,252100 EUR 49,90 EUR",
        "Zahlungsbetrag 49,90 EUR",
        "Ref. Nr. 15/16",
        "Pos. Fonds Anteile Kurs zum Datum Wert",
        "02 DE0008469008 11,705860 29,252100 EUR 31.12.2021 342,42 EUR",
      ]),
      [
        ["SELL", "2021-06-07", "DE0005200000", 60, 6193.8, "EUR"],
        ["BUY", "2021-06-14", "DE0008469008", 1.70586, 49.9, "EUR"],
      ],
    );
  });
});

describe("a distribution that is reinvested", () => {
  const lines = (heading: string) => [
    "Umsatzabrechnung Nr. 9",
    heading,
    "Muster Welt Aktien Inhaber-Anteile",
    "Ref. Nr. 11/12, Buchungsdatum 25.09.2023",
    "ISIN Bestand Betrag je Anteil Betrag",
    "IE00B4L5Y983 54,479737 0,383900 EUR 20,91 EUR",
    "Zahlungsbetrag 20,91 EUR",
    "Wiederanlage des Zahlungsbetrags erfolgt in Position 59 mit Ref. Nr. 13/14",
    "Wiederanlage 20,91 EUR mit Kursdatum 25.09.2023 in Position 59",
    "Muster Welt Aktien Inhaber-Anteile",
    "Ref. Nr. 13/14, Buchungsdatum 26.09.2023",
    "ISIN Anteile Abrechnungskurs Betrag",
    "IE00B4L5Y983 0,058315 358,570000 EUR 20,91 EUR",
    "Zahlungsbetrag 20,91 EUR",
  ];

  it("is the purchase of the new units alone: those that it was paid for were held before [X-05]", () => {
    assert.deepEqual(
      brief(lines("Fondsertrag (Ausschüttung) mit Bestandsdatum 22.09.2023 in Position 59")),
      [["BUY", "2023-09-25", "IE00B4L5Y983", 0.058315, 20.91, "EUR"]],
    );
  });

  it("and its taxes raise no doubt about the purchase, whose block begins with its own heading [X-05]", () => {
    const foreign = lines("Fondsertrag (Ausschüttung) mit Bestandsdatum 22.09.2023 in Position 59");
    foreign.splice(
      6,
      1,
      "Kapitalertragsteuer Solidaritätszuschlag Kirchensteuer Devisenkurs abzgl. Steuern",
      "0,97 EUR 0,05 EUR 0,00 EUR 1,069793 1,02 EUR",
      "Zahlungsbetrag 19,89 EUR",
    );
    const [only, ...rest] = extractTrades(readingOfText(foreign.join("\n"))).trades;
    assert.deepEqual(rest, []);
    assert.equal(only!.quantity, 0.058315);
    assert.deepEqual(
      only!.reasons.filter((reason) => /printed/.test(reason)),
      [],
    );
  });

  it("leaves rows below it alone that print their own day and direction [X-05]", () => {
    assert.deepEqual(
      brief([
        "Kontoauszug",
        "01.09.2023 Ausschüttung Muster Welt 20,91 EUR",
        "Datum Geschäft ISIN Stück Kurs Betrag",
        "04.09.2023 Kauf DE0005200000 10 25,50 EUR 255,00 EUR",
        "05.09.2023 Verkauf DE0008469008 4 30,25 EUR 121,00 EUR",
      ]),
      [
        ["BUY", "2023-09-04", "DE0005200000", 10, 255, "EUR"],
        ["SELL", "2023-09-05", "DE0008469008", 4, 121, "EUR"],
      ],
    );
  });
});

describe("a list of holdings below the last trade", () => {
  const lines = (head: string) => [
    "Umsatzabrechnung Nr. 9",
    "Kauf 20,91 EUR mit Kursdatum 25.09.2023 in Position 59",
    "Muster Welt Aktien Inhaber-Anteile",
    "ISIN Anteile Abrechnungskurs Betrag",
    "IE00B4L5Y983 0,058315 358,570000 EUR 20,91 EUR",
    "Zahlungsbetrag 20,91 EUR",
    head,
    "59 IE00B4L5Y983 54,527287 361,184920 USD 25.09.2023 1,063800 18.513,29 EUR",
    "91 LU0274208692 39,004205 40,280100 USD 25.09.2023 1,063800 1.476,87 EUR",
  ];
  const end = (head: string) => {
    const document = documentOf(readingOfText(lines(head).join("\n")));
    return possibleTrades(document).parts[0]!.to;
  };

  it("ends its block where the columns are units and a balance [X-05]", () => {
    assert.equal(end("Pos. Fonds Anteile Bewertungskurs zum Datum Devisenkurs Bestand"), 6);
    assert.ok(end("Pos. Fonds Anteile Bewertungskurs zum Datum Devisenkurs Betrag") > 6);
  });
});

describe("a row whose numbers are all on its second line", () => {
  const row = (gross: string, net: string) =>
    read([
      "Account statement",
      "Transactions",
      "Trans Date Settle Date Activity Symbol Description Quantity Price Gross Commission Net",
      "09-22-2023 09-26-2023 Buy ISIN US0378331005 EXAMPLE WORKS INC",
      `SHARES WE ACTED AS AGENT 76 25.960 ${gross} - ${net}`,
      "Closing balance 25.50",
    ]);

  it("may include a charge that is not printed if its amount is printed twice, which leaves a doubt [X-05]", () => {
    const [trade] = row("(1,973.96)", "(1,973.96)");
    assert.deepEqual([trade?.quantity, trade?.net, trade?.canAutoConfirm], [76, 1973.96, false]);
  });
});

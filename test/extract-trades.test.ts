import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ExtractedTrade } from "../src/extract/answer/extraction.ts";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";
import { lineOf, readingOf } from "../src/reading/reading.ts";

const read = (lines: string[]) => extractTrades(readingOfText(lines.join("\n")));

function only(lines: string[]): ExtractedTrade {
  const { trades } = read(lines);
  assert.equal(trades.length, 1);
  return trades[0]!;
}

const total = (lines: { amount: number }[]) =>
  Math.round(lines.reduce((sum, line) => sum + line.amount, 0) * 100) / 100;

const GERMAN = [
  "Nordlicht Bank AG",
  "Wertpapierabrechnung Kauf",
  "Depotnummer 4711 0815",
  "Wertpapier Beispiel Werke AG Namens-Aktien",
  "ISIN DE0005200000 WKN 520000",
  "Schlusstag 16.04.2021 Uhrzeit 12:38:47",
  "Stück 90",
  "Kurs EUR 91,30",
  "Kurswert EUR 8.217,00",
  "Orderprovision EUR 41,09",
  "Handelsplatzgebühr EUR 2,50",
  "Ausmachender Betrag EUR 8.260,59-",
  "Valuta 20.04.2021",
];

const ENGLISH = [
  "CONTRACT NOTE",
  "We have sold the following securities for you",
  "Security Example Industries Inc",
  "ISIN US0378331005",
  "Trade date 03/14/2024 Settlement date 03/18/2024",
  "Quantity Price Consideration",
  "120 172.50 USD 20,700.00",
  "Commission USD 12.00",
  "Net amount credited USD 20,688.00",
];

const FRENCH = [
  "AVIS D'OPÉRÉ",
  "Achat au comptant",
  "Valeur EXEMPLE SA (FR0000133308)",
  "Date d'exécution 26/03/2024 16:27:35",
  "Quantité 1 460 Cours 10,646 €",
  "Montant brut 15 543,16 €",
  "Courtage 12,43 €",
  "Taxe sur les transactions financières 46,63 €",
  "Montant net 15 602,22 €",
];

const SWISS = [
  "Börsentransaktion: Verkauf",
  "Titel Beispiel Fonds ISIN: CH0012530207",
  "Anzahl Preis Betrag",
  "3 129.28 CHF 387.84",
  "Abgabe (Eidg. Stempelsteuer) CHF 0.60",
  "Zu Ihren Gunsten CHF 387.24",
  "Ausführungsdatum 06.02.2025",
  "Valutadatum 10.02.2025",
];

const ITALIAN = [
  "Conferma di esecuzione",
  "Acquisto titoli",
  "Titolo ESEMPIO SPA ISIN IT0003132476",
  "Data operazione 11/01/2024 Data valuta 15/01/2024",
  "Quantità 250",
  "Prezzo 14,85 EUR",
  "Controvalore 3.712,50 EUR",
  "Commissioni 9,95 EUR",
  "Importo a vostro debito 3.722,45 EUR",
];

describe("a contract note", () => {
  it("takes the total that printed taxes lead to, whatever it is called, and not the one before", () => {
    const sale = [
      "Wertpapierabrechnung Verkauf",
      "ISIN DE0005200000",
      "Schlusstag 16.04.2021",
      "Stück 90 Kurs EUR 91,30",
      "Kurswert EUR 8.217,00",
      "Provision EUR 41,09",
      "Zu Ihren Gunsten vor Steuern EUR 8.175,91",
      "Kapitalertragsteuer EUR 100,00",
      "Solidaritätszuschlag EUR 5,50",
      "Zugunstennach Steuern EUR 8.070,41",
    ];
    assert.equal(only(sale).net, 8070.41);
    const missed = sale.map((line) => line.replace("8.070,41", "8.070,31"));
    assert.equal(only(missed).net, 8175.91);
  });

  it("takes the total after taxes even if the one before is printed again below it", () => {
    const sale = [
      "Wertpapierabrechnung Verkauf",
      "ISIN DE0005200000",
      "Schlusstag 16.04.2021",
      "Stück 90 Kurs EUR 91,30",
      "Kurswert EUR 8.217,00",
      "Provision EUR 41,09",
      "Zu Ihren Gunsten vor Steuern EUR 8.175,91",
      "Steuerliche Behandlung",
      "Zu Ihren Gunsten vor Steuern EUR 8.175,91",
      "Kapitalertragsteuer EUR 100,00",
      "Solidaritätszuschlag EUR 5,50",
      "Zugunstennach Steuern EUR 8.070,41",
      "Bisher einbehalten 0,00",
      "Hinweise zur Ermittlung",
      "Zu Ihren Gunsten vor Steuern EUR 8.175,91",
      "Anschaffung 90,00 Stück EUR -7.600,00",
    ];
    assert.equal(only(sale).net, 8070.41);
  });

  it("reads every field of a German purchase [TRD-01]", () => {
    const trade = only(GERMAN);
    assert.equal(trade.direction, "BUY");
    assert.equal(trade.tradeDate, "2021-04-16");
    assert.equal(trade.settlementDate, "2021-04-20");
    assert.deepEqual([trade.security.isin, trade.security.wkn], ["DE0005200000", "520000"]);
    assert.deepEqual([trade.quantity, trade.quantityText, trade.price], [90, "90", 91.3]);
    assert.deepEqual(
      [trade.gross, total(trade.fees), total(trade.taxes), trade.net],
      [8217, 43.59, 0, 8260.59],
    );
    assert.equal(trade.currency, "EUR");
  });

  it("reads an English sale under column headers, with the month first", () => {
    const trade = only(ENGLISH);
    assert.deepEqual(
      [trade.direction, trade.tradeDate, trade.quantity, trade.gross, trade.net, trade.currency],
      ["SELL", "2024-03-14", 120, 20700, 20688, "USD"],
    );
  });

  it("reads a French purchase with spaces between thousands", () => {
    const trade = only(FRENCH);
    assert.deepEqual(
      [trade.quantity, trade.net, total(trade.fees), total(trade.taxes)],
      [1460, 15602.22, 12.43, 46.63],
    );
    assert.deepEqual(
      [trade.direction, trade.tradeDate, trade.time],
      ["BUY", "2024-03-26", "16:27:35"],
    );
  });

  it("lets arithmetic decide whether a space separates thousands", () => {
    const trade = only(SWISS);
    assert.deepEqual(
      [trade.direction, trade.quantity, trade.price, trade.net],
      ["SELL", 3, 129.28, 387.24],
    );
  });

  it("reads an Italian purchase", () => {
    const trade = only(ITALIAN);
    assert.deepEqual(
      [trade.direction, trade.tradeDate, trade.quantity, trade.net, trade.gross],
      ["BUY", "2024-01-11", 250, 3722.45, 3712.5],
    );
  });

  it("follows a conversion to the amount that is booked", () => {
    const trade = only([
      "Wertpapierkauf",
      "ISIN US0378331005",
      "Handelstag 02.12.2019",
      "Stück 20",
      "Kurs USD 266,00",
      "Kurswert USD 5.320,00",
      "Fremde Spesen USD 10,00",
      "Devisenkurs 1,1000",
      "Zu Ihren Lasten EUR 4.845,45",
    ]);
    assert.deepEqual(
      [trade.net, trade.currency, trade.fx.rate, trade.fx.grossForeign],
      [4845.45, "EUR", 1.1, 5320],
    );
    assert.equal(total(trade.fees), 9.09);
  });

  it("takes the nominal of a percent-quoted bond as its quantity", () => {
    const trade = only([
      "Wertpapierabrechnung Kauf",
      "ISIN DE0001102333",
      "Schlusstag 06.10.2023",
      "Nominal EUR 10.000",
      "Kurs 99,39 %",
      "Kurswert EUR 9.939,00",
      "Provision EUR 10,00",
      "Ausmachender Betrag EUR 9.949,00",
    ]);
    assert.deepEqual([trade.quantity, trade.isPercentQuoted, trade.net], [10000, true, 9949]);
  });

  it("counts pence as hundredths of a pound [X-05]", () => {
    const trade = only([
      "Contract note",
      "You bought",
      "ISIN GB0002634946",
      "Trade date 12 March 2024",
      "Quantity 500",
      "Price 1342.81 GBX",
      "Consideration GBP 6,714.05",
      "Commission GBP 5.99",
      "Total amount GBP 6,720.04",
    ]);
    assert.deepEqual(
      [trade.price, trade.priceCurrency, trade.currency, trade.net, trade.isPercentQuoted],
      [13.4281, "GBP", "GBP", 6720.04, false],
    );
  });

  it("marks the note that cancels a trade", () => {
    const undone = only(["STORNO", ...GERMAN]);
    assert.deepEqual([undone.isCancellation, undone.isReversal], [true, true]);
    assert.equal(undone.canAutoConfirm, false);
    const dropped = only(["TRADE CANCELLATION", ...ENGLISH]);
    assert.deepEqual([dropped.isCancellation, dropped.isReversal], [true, false]);
  });
});

describe("a document with several trades", () => {
  it("returns all of them, each with its own security [X-05]", () => {
    const block = (
      name: string,
      isin: string,
      quantity: string,
      gross: string,
      fee: string,
      net: string,
      time: string,
    ) => [
      `TITRE : ${name} (${isin})`,
      `04/07/2023 ${time} Sens Achat`,
      `Quantité ${quantity} Cours 10,50 €`,
      `Montant brut ${gross} €`,
      `Courtage ${fee} €`,
      `Montant net ${net} €`,
    ];
    const { trades } = read([
      "AVIS D'OPÉRATIONS",
      ...block("EXEMPLE", "FR0000045072", "460", "4 830,00", "9,66", "4 839,66", "09:14:18"),
      ...block("MODELE", "FR0000133308", "450", "4 725,00", "9,45", "4 734,45", "09:15:36"),
    ]);
    assert.deepEqual(
      trades.map((trade) => [trade.security.isin, trade.quantity, trade.net]),
      [
        ["FR0000045072", 460, 4839.66],
        ["FR0000133308", 450, 4734.45],
      ],
    );
  });

  it("reads the rows of a statement and leaves its holdings alone [TRD-01] [X-05]", () => {
    const { trades, documentType } = read([
      "Umsatzübersicht",
      "Beispiel Aktienfonds",
      "ISIN: DE0005200000",
      "Umsatzart Betrag EUR Preis je Anteil Anteile Buchungstag",
      "Bestand am 31.03.2021 1.212,72 196,360000 6,176",
      "Kauf 250,00 198,660000 +1,258 01.04.2021",
      "Kauf 250,00 199,490000 +1,253 15.04.2021",
      "Verkauf 1.549,55 230,040000 -6,736 20.04.2021",
      "Bestand am 30.06.2021 7.081,27 201,430000 35,155",
    ]);
    assert.deepEqual(
      trades.map((trade) => [trade.direction, trade.tradeDate, trade.quantity, trade.net]),
      [
        ["BUY", "2021-04-01", 1.258, 250],
        ["BUY", "2021-04-15", 1.253, 250],
        ["SELL", "2021-04-20", 6.736, 1549.55],
      ],
    );
    assert.notEqual(documentType, "account-statement");
  });
});

describe("a statement of several currencies", () => {
  it("returns its trades and skips the currency exchange [X-05]", () => {
    const { trades } = read([
      "Activity Statement",
      "Trades",
      "Symbol Date/Time Quantity T. Price Proceeds Comm/Fee",
      "Bought ACME ISIN US0378331005 2024-02-04 100 187.20 USD -18,720.00 -1.00",
      "Bought EMCA ISIN US5949181045 2024-02-05 50 400.10 USD -20,005.00 -1.00",
      "Sold USD.SGD 2024-02-06 1,000 1.3400 SGD 1,340.00 -2.00",
    ]);
    assert.deepEqual(
      trades.map((trade) => [trade.security.isin, trade.quantity]),
      [
        ["US0378331005", 100],
        ["US5949181045", 50],
      ],
    );
  });
});

describe("a document without trades", () => {
  it("is named for what it is: a dividend never becomes a trade", () => {
    const extraction = read([
      "Dividendengutschrift",
      "ISIN DE0005200000",
      "Stück 90",
      "Dividende pro Stück EUR 0,70",
      "Bruttobetrag EUR 63,00",
      "Kapitalertragsteuer EUR 15,75-",
      "Zu Ihren Gunsten EUR 47,25",
      "Zahlbar 25.04.2021",
    ]);
    assert.deepEqual([extraction.documentType, extraction.trades.length], ["dividend", 0]);
    assert.match(extraction.documentTypeReason, /Dividende/);
  });

  it("is a cash statement when it lists payments and balances [X-05]", () => {
    const extraction = read([
      "Kontoauszug",
      "Alter Saldo 1.200,00 EUR",
      "24.10.2021 Überweisung Miete 800,00-",
      "27.10.2021 Gehalt 2.900,00",
      "Neuer Saldo 3.300,00 EUR",
    ]);
    assert.deepEqual([extraction.documentType, extraction.trades.length], ["account-statement", 0]);
  });

  it("may be anything: empty text is neither a trade nor an error", () => {
    assert.deepEqual(extractTrades(readingOfText("")).trades, []);
    assert.equal(extractTrades(readingOfText("")).documentType, "other");
  });
});

describe("where a value is printed", () => {
  it("every core field carries line, span and the very text", () => {
    const trade = only(GERMAN);
    const net = trade.perField.net!;
    assert.equal(net.source!.text, "8.260,59");
    assert.deepEqual(net.source!.span.line, 11);
    assert.equal(GERMAN[11]!.slice(net.source!.span.start, net.source!.span.end), "8.260,59");
    for (const field of [
      "direction",
      "tradeDate",
      "isin",
      "quantity",
      "net",
      "currency",
    ] as const) {
      assert.equal(trade.perField[field]!.isGrounded, true, field);
    }
  });

  it("with positions the box of the page is given too", () => {
    const lines = GERMAN.map((text, row) =>
      lineOf(
        text.split(" ").map((word, column) => ({
          text: word,
          x: 50 + column * 60,
          y: 40 + row * 14,
          width: 50,
          height: 10,
        })),
      ),
    );
    const { trades } = extractTrades(readingOf([{ number: 1, width: 595, height: 842, lines }]));
    assert.deepEqual(trades[0]!.perField.net!.source!.box, {
      x: 230,
      y: 194,
      width: 50,
      height: 10,
    });
    assert.equal(trades[0]!.net, 8260.59);
  });

  it("columns are found by their place when the reading has one", () => {
    const word = (text: string, x: number, y: number) => ({
      text,
      x,
      y,
      width: text.length * 5,
      height: 10,
    });
    const lines = [
      lineOf([word("Kauf", 50, 20)]),
      lineOf([word("ISIN", 50, 34), word("DE0005200000", 90, 34)]),
      lineOf([word("Handelstag", 50, 48), word("16.04.2021", 120, 48)]),
      lineOf([
        word("Gebühren", 50, 62),
        word("Stück", 150, 62),
        word("Kurs", 250, 62),
        word("Betrag", 350, 62),
      ]),
      lineOf([
        word("40", 150, 76),
        word("12,50", 250, 76),
        word("500,00", 350, 76),
        word("EUR", 400, 76),
      ]),
      lineOf([word("Endbetrag", 50, 90), word("500,00", 350, 90), word("EUR", 400, 90)]),
    ];
    const { trades } = extractTrades(readingOf([{ number: 1, width: 595, height: 842, lines }]));
    assert.deepEqual([trades[0]!.quantity, trades[0]!.price, trades[0]!.net], [40, 12.5, 500]);
  });

  it("a direction that no word names cannot be confirmed by itself", () => {
    const trades = read(GERMAN.filter((line) => !line.includes("Kauf"))).trades;
    for (const trade of trades) assert.equal(trade.canAutoConfirm, false);
  });
});

describe("the extractor", () => {
  it("gives the same answer for the same reading", () => {
    for (const lines of [GERMAN, ENGLISH, FRENCH, SWISS, ITALIAN]) {
      assert.equal(JSON.stringify(read(lines)), JSON.stringify(read(lines)));
    }
  });

  it("ends quickly on a megabyte of hostile text", { timeout: 120_000 }, () => {
    const hostile = [
      "Kauf 1,00 ".repeat(105_000),
      "1 ".repeat(520_000),
      "Kurs 10,00 Stück 5 Betrag 50,00\n".repeat(32_000),
      "12.12.2020 ".repeat(95_000),
      "(((((".repeat(200_000),
      "a b c d e f g\n".repeat(75_000),
      `${"Provision 0,01 EUR\n".repeat(54_000)}`,
    ];
    for (const text of hostile) {
      const started = process.cpuUsage();
      extractTrades(readingOfText(text));
      // Time of the processor, since others share it; it tells bounded work from work without end.
      const { user, system } = process.cpuUsage(started);
      assert.ok(user + system < 5_000_000, text.slice(0, 20));
    }
  });
});

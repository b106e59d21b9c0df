import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  documentOf,
  extractTrades,
  possibleTrades,
  readingOfText,
} from "../src/extract/extract-trades.ts";
import { certaintyOf } from "../src/extract/judgement/certainty.ts";

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

  describe("explains what a page prints besides", () => {
    const unexplained = "an amount like the net is printed that nothing explains";
    const sale = NOTE.map((line) =>
      line
        .replace("Kauf", "Verkauf")
        .replace("Verkaufwert", "Kurswert")
        .replace("8.258,09", "8.175,91"),
    );

    it("what was once paid for units that are sold, if a printed gain leads from it to the gross", () => {
      const paid = [...sale, "steuerlicher Anschaffungswert EUR 8.000,00"];
      assert.equal(read([...paid, "Kursgewinn EUR 217,00"]).canAutoConfirm, true);
      assert.ok(read([...paid, "Kursgewinn EUR 216,00"]).reasons.includes(unexplained));
    });

    it("the total before its conversion, if gross and foreign charges lead to it", () => {
      const abroad = (total: string) => [
        ...["Abrechnung Verkauf", "ISIN AU000000SHV6", "Schlusstag 12.10.2017", "Abgang 1.000 Stk"],
        ...["Kurs: 5 AUD", "Kurswert: 5.000,00 AUD", "Kapitalertragsteuer: -254,10 AUD"],
        ...[total, "Devisenkurs: 1,5181 3.126,21 EUR", "Spesen: -14,99 EUR"],
        "Zu Gunsten Konto 3.111,22 EUR",
      ];
      assert.equal(read(abroad("4.745,90 AUD")).canAutoConfirm, true);
      assert.ok(read(abroad("4.755,90 AUD")).reasons.includes(unexplained));
    });

    it("a rate that only translates the gross for the tax office", () => {
      const abroad = [
        ...["CONTRACT NOTE PURCHASE", "ISIN US0378331005", "Trade date 25/05/2021", "Quantity 90"],
        ...["Price USD 91.30", "Gross amount USD 8,217.00", "Commission USD 41.09"],
        ...["Net amount USD 8,258.09", "Exchange rate 1.200000"],
      ];
      const doubt = "a rate is printed, but nothing was converted with it";
      assert.ok(read(abroad).reasons.includes(doubt));
      assert.ok(read([...abroad, "Tax base EUR 6,900.50"]).reasons.includes(doubt));
      assert.equal(read([...abroad, "Tax base EUR 6,847.50"]).canAutoConfirm, true);
    });

    it("a cent by which a labelled net misses the sum, but not by which an unlabelled one does", () => {
      assert.equal(
        read(replaced("Ausmachender", "Ausmachender Betrag EUR 8.258,10")).canAutoConfirm,
        true,
      );
      const doubt = "gross and charges miss the net by a cent";
      assert.ok(read(replaced("Ausmachender", "EUR 8.258,10")).reasons.includes(doubt));
    });
  });

  it("needs no labelled trade date if the note names the value date only, or says it with the direction", () => {
    const undated = ["Musterstadt, 19.04.2021", ...without("Schlusstag")];
    assert.equal(read(undated).tradeDate, "2021-04-20");
    assert.equal(read(undated).canAutoConfirm, true);
    const spoken = read(["Wir haben am 16.04.2021 für Sie gekauft", ...undated]);
    assert.deepEqual([spoken.tradeDate, spoken.canAutoConfirm], ["2021-04-16", true]);
  });

  it("doubts the order of day and month in English only", () => {
    const french = [
      ...["AVIS D'OPERATION ACHAT COMPTANT", "ISIN US0378331005", "Date d'execution 04/05/2021"],
      ...["Quantite 90", "Cours USD 91,30", "Montant brut USD 8.217,00", "Commission USD 41,09"],
      "Montant net au debit USD 8.258,09",
    ];
    assert.deepEqual([read(french).tradeDate, read(french).canAutoConfirm], ["2021-05-04", true]);
    const english = [
      ...["CONTRACT NOTE PURCHASE", "ISIN US0378331005", "Trade date 04/05/2021", "Quantity 90"],
      ...["Price USD 91.30", "Gross amount USD 8,217.00", "Commission USD 41.09"],
      "Net amount USD 8,258.09",
    ];
    const doubt = "day and month could be the other way round";
    assert.ok(read(english).reasons.includes(doubt));
    // Only one of the two orders lets the trade settle within days.
    const settled = read([...english, "Settlement date 06/05/2021"]);
    assert.deepEqual([settled.tradeDate, settled.reasons.includes(doubt)], ["2021-05-04", false]);
    assert.ok(read([...english, "Settlement date 09/08/2021"]).reasons.includes(doubt));
  });

  it("takes a dollar sign for the place of the currency if the page points to the country", () => {
    const dollars = [
      ...["YOU BOUGHT", "ISIN US0378331005", "Trade date 04/25/2021", "Quantity 90"],
      ...["Price $91.30", "Gross amount $8,217.00", "Commission $41.09", "Net amount $8,258.09"],
    ];
    const place = (lines: string[]) => read(lines).perField.currency!;
    assert.equal(place(dollars).isGrounded, false);
    const regulated = place([...dollars, "Member FINRA, SIPC"]);
    assert.deepEqual([regulated.value, regulated.source!.text], ["USD", "$"]);
    assert.equal(regulated.isGrounded, true);
  });

  it("falls when a purchase is credited to the account", () => {
    const booked = (label: string) => read(replaced("Ausmachender", `${label} EUR 8.258,09`));
    assert.equal(booked("Belastung Konto").canAutoConfirm, true);
    const doubt = "the words and the booking name opposite directions";
    assert.ok(booked("Gutschrift auf Konto").reasons.includes(doubt));
  });

  it("falls when the net is far from the other numbers and no known label names it", () => {
    const bare = NOTE.filter((line) => !/Kurswert|Provision|Ausmachender|Valuta/.test(line));
    const below = (count: number) =>
      read([
        ...bare,
        ...Array<string>(count).fill("Hinweis"),
        "Vorgemerkt in Höhe von EUR 8.217,00",
      ]);
    const doubt = "the net is printed far below the other numbers, and its label is unknown";
    assert.ok(!below(3).reasons.includes(doubt));
    assert.ok(below(14).reasons.includes(doubt));
  });

  it("falls when two trades of a document have the same units at different nets", () => {
    const row = (price: string, gross: string) =>
      `Kauf Stück 90 Kurs EUR ${price} Kurswert EUR ${gross}`;
    const doubtsOf = (second: string) =>
      extractTrades(
        readingOfText([...NOTE.slice(0, 4), row("91,30", "8.217,00"), second].join("\n")),
      ).trades.map(({ reasons }) => reasons.some((reason) => reason.includes("the same units")));
    const total = `${row("91,30", "8.217,00")} Provision EUR 9,00 Endbetrag EUR 8.226,00`;
    assert.deepEqual(doubtsOf(total), [true, true]);
    assert.deepEqual(doubtsOf(total.replace("90", "91")).includes(true), false);
    // A price of its own explains the other net.
    assert.deepEqual(doubtsOf(row("91,40", "8.226,00")), [false, false]);
  });

  it("takes the last line of one of several trades for part of it, if that line cancels it", () => {
    const bought = (day: string, isin: string) => [
      `${day} Kauf aus Dauerauftrag 81,86`,
      `ISIN ${isin} 2,91000 STK`,
      "Kurs 28,130000 Kurswert 81,86 EUR",
      `Storno vom ${day}`,
    ];
    const rows = [
      ...bought("17.08.2021", "US00206R1023"),
      ...bought("18.08.2021", "US7427181091"),
      ...bought("19.08.2021", "US5949181045"),
    ];
    const { trades } = extractTrades(readingOfText(["Kontoauszug", ...rows].join("\n")));
    assert.equal(trades.length, 3);
    assert.ok(
      trades.every(({ isCancellation, canAutoConfirm }) => isCancellation && !canAutoConfirm),
    );
  });

  it("falls when an unnamed day with a time comes before a day that may be that of the trade", () => {
    const doubt = "the date may be that of the order, and a later one that of the trade";
    const dated = (day: string, later: string) =>
      read([...without("Schlusstag"), `Übermittelt ${day} 08:02:49`, `vom ${later}`]);
    assert.ok(dated("13.04.2021", "16.04.2021").reasons.includes(doubt));
    assert.ok(!dated("16.04.2021", "13.04.2021").reasons.includes(doubt));
    const named = [...NOTE, "vom 19.04.2021"];
    assert.ok(!read(named).reasons.includes(doubt));
  });

  it("falls when words call another amount the net, and not the chosen one", () => {
    const doubt = "words call another amount the net, and not the chosen one";
    const unnamed = replaced("Ausmachender", "EUR 8.258,09");
    assert.ok(!read(unnamed).reasons.includes(doubt));
    assert.ok(read([...unnamed, "Endbetrag EUR 8.200,00"]).reasons.includes(doubt));
  });

  it("takes the one factor with a currency for the price, however many decimals the other one has", () => {
    const doubt = "quantity and price could be the other way round";
    const units = (row: string) =>
      read([
        ...["Wertpapierabrechnung Kauf", "Beispiel Fonds IE00B9F5YL18", row],
        ...["Schlusstag 23.05.2024", "Endbetrag 4,54 EUR"],
      ]).reasons.includes(doubt);
    assert.equal(units("0,18854 24,08 EUR 4,54 EUR"), false);
    assert.equal(units("0,18854 24,08 4,54"), true);
  });

  it("takes a day without its year for printed if the statement prints that month with its year", () => {
    const places = (period: string) =>
      extractTrades(
        readingOfText(
          [
            ...["Account statement", period, "Effective Description CUSIP Type of Activity"],
            "May 02 Example Works Inc 037833100 Buy 4 19.6199 (78.48)",
            "May 09 Sample Foods Inc 023135106 Sell 12 41.10 493.20",
          ].join("\n"),
        ),
      ).trades.map(({ tradeDate, perField }) => [tradeDate, perField.tradeDate!.isGrounded]);
    assert.deepEqual(places("Statement period: May 1 - 31, 2023"), [
      ["2023-05-02", true],
      ["2023-05-09", true],
    ]);
    // The year of a statement of January need not be that of its trades.
    assert.deepEqual(places("Statement date: January 5, 2024"), [
      ["2023-05-02", false],
      ["2023-05-09", false],
    ]);
  });

  it("takes the later one of two days below the same names for that of settlement", () => {
    const order = (code: string, settled: string) => [
      "BUY/SELL QTY CURRENCY PRICE GROSS AMOUNT FEES NET AMOUNT Trade Date",
      "buy 16 USD 100.5268 -1608.43 -1608.43 Jul 17, 2024",
      "TRADE TIME SETTLE DATE ASSET TYPE STATUS CUSIP",
      `11:27:43 AM (ET) ${settled} Equity executed ${code}`,
    ];
    const doubted = (settled: string) =>
      read(order("037833100", settled)).reasons.includes("two dates are called the trade date");
    assert.equal(doubted("Jul 18, 2024"), false);
    assert.equal(doubted("Jul 16, 2024"), true);
  });

  it("takes no number with a percent sign for the quantity, whatever currency the nominal has", () => {
    const doubt = "quantity and price could be the other way round";
    const bond = (price: string) =>
      read([
        ...["Uw Aankoop Online van EUR 40.000 EXAMPLE 21-26 aan 38.500,00 EUR", price],
        ...["02/09/2024 Netto debit -38.500,00 EUR", "Waardecode DE0001141836"],
      ]).reasons.includes(doubt);
    assert.equal(bond("96,25%"), false);
  });

  it("takes what leads from one printed holding to the next for the quantity", () => {
    const isOpen = (after: string) => {
      const rows = [
        ...["Fonds: Muster Income ISIN: IE00B4L5Y983", "Vortrag vom 25.08.2020 159,760"],
        ...["Hinweise", "24.11.2020 Kauf 207,69 130,53 1,591"],
        ...[`Bestand am 25.11.2020 ${after}`, "Fonds: Muster Growth ISIN: DE0005200000"],
        "19.11.2020 Verkauf 18.103,67 63,38 -285,637",
      ];
      const document = documentOf(readingOfText(rows.join("\n")));
      const [bought] = possibleTrades(document).parts;
      const { quantity, price } = bought!.assignment;
      const unnamed = {
        ...bought!.assignment,
        quantity: { ...quantity!, clues: {} },
        price: { ...price!, clues: {} },
      };
      const candidate = { ...bought!, assignment: unnamed };
      return certaintyOf(document, candidate, [candidate])["rolesOpen"];
    };
    assert.equal(isOpen("161,351"), 0);
    assert.equal(isOpen("161,350"), 1);
  });

  it("is that of the other rows of a statement if one row cancels a trade of other units", () => {
    const rows = (units: string) =>
      extractTrades(
        readingOfText(
          [
            "Kontoauszug Umsätze vom 01.07.2020 bis 30.09.2020 in EUR",
            "Datum Wertstellung Transaktion Anteile Kurs Betrag ISIN",
            `23.06.2020 22.06.2020 Storno Kauf Muster ETF IE00B4L5Y983 -${units} 32,6523 EUR 130,57`,
            "01.07.2020 01.07.2020 Kauf Muster ETF IE00B4L5Y983 26,7524 26,8780 EUR -719,05",
            "01.07.2020 01.07.2020 Kauf Muster Europa LU0274208692 1,4517 100,1000 EUR -145,31",
          ].join("\n"),
        ),
      ).trades.map(({ quantity, isCancellation, canAutoConfirm }) => [
        quantity,
        isCancellation,
        canAutoConfirm,
      ]);
    assert.deepEqual(rows("3,9988"), [
      [3.9988, true, false],
      [26.7524, false, true],
      [1.4517, false, true],
    ]);
    assert.ok(rows("26,7524").every(([, , canAutoConfirm]) => canAutoConfirm === false));
  });
});

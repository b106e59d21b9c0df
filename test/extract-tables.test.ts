import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { brief, read } from "./helpers/brief-trades.ts";

describe("tables of trades", () => {
  it("rows with their charges yield the net that the sum gives [X-05]", () => {
    assert.deepEqual(
      brief([
        "Transactieoverzicht",
        "Datum Tijd Product ISIN Beurs Aantal Koers Lokale waarde Waarde Wisselkoers Kosten Totaal",
        "02-08-2021 09:10 VOORBEELD NV NL0010773842 EAM 6 42,00 EUR -252,00 EUR -252,00 EUR -0,50 EUR -252,50 EUR",
        "03-08-2021 16:01 EXAMPLE INC US0378331005 NDQ -2 145,52 USD 291,04 USD 245,41 EUR 1,1859 -0,51 EUR 244,90 EUR",
      ]),
      [
        ["BUY", "2021-08-02", "NL0010773842", 6, 252.5, "EUR"],
        ["SELL", "2021-08-03", "US0378331005", 2, 244.9, "EUR"],
      ],
    );
  });

  it("letters under a head of both sides are directions [X-05]", () => {
    assert.deepEqual(
      brief([
        "TRADE CONFIRMATIONS",
        "Trade Date 05/17/2022",
        "B/S Symbol Description Quantity Price Gross Amt Comm Fees Net Amt",
        "B AMD EXAMPLE DEVICES INC 20 88.95 1,779.00 0.00 0.00 1,779.00",
        "S INTC SAMPLE CORP 30 43.99 1,319.70 0.00 0.05 1,319.65",
        "Member FINRA SIPC",
      ]),
      [
        ["BUY", "2022-05-17", "AMD", 20, 1779, "USD"],
        ["SELL", "2022-05-17", "INTC", 30, 1319.65, "USD"],
      ],
    );
  });

  it("rows under a heading take its direction, and holdings under their heading are not trades [X-05]", () => {
    assert.deepEqual(
      brief([
        "Monthly report June 2020",
        "Purchases",
        "Trade date Security ISIN Number Price Amount USD",
        "10.06.2020 Example Inc US30303M1027 4 234.60 938.40",
        "Total purchases 938.40",
        "Sales",
        "17.06.2020 Sample B US0846707026 5 184.02 920.10",
        "Total sales 920.10",
        "Holdings",
        "Security ISIN Quantity Price Value",
        "Example Inc US30303M1027 14 230.00 3,220.00",
      ]),
      [
        ["BUY", "2020-06-10", "US30303M1027", 4, 938.4, "USD"],
        ["SELL", "2020-06-17", "US0846707026", 5, 920.1, "USD"],
      ],
    );
  });

  const wrapped = [
    "Umsätze vom 01.04.2021 bis 30.06.2021 in EUR",
    "Buchung Wert Geschäft Bezeichnung Anteile W-Kurs Betrag",
    "Handelsplatz ISIN Kurs Währung",
    "06.04.2021 01.04.2021 Kauf Beispiel Welt A 6,0208 1,1746 -156,00",
    "12:05 Musterbörse IE00BZ02LR44 30,4339 US$",
    "06.04.2021 01.04.2021 Kauf Beispiel Europa 0,9470 -52,00",
    "12:16 Musterbörse IE00B52VJ196 54,9100 EUR",
    "15.04.2021 12.04.2021 Verkauf Beispiel Welt A -1,7870 1,1904 47,00",
    "13:18 Musterbörse IE00BZ02LR44 31,3075 US$",
  ];

  it("rows that wrap, with a foreign price and a rate, end where the next row begins [X-05]", () => {
    assert.deepEqual(
      brief([...wrapped, "17.05.2021 17.05.2021 Gebühr Depotgebühr 1. Hj. 2021 - -6,55"]),
      [
        ["BUY", "2021-04-01", "IE00BZ02LR44", 6.0208, 156, "EUR"],
        ["BUY", "2021-04-01", "IE00B52VJ196", 0.947, 52, "EUR"],
        ["SELL", "2021-04-12", "IE00BZ02LR44", 1.787, 47, "EUR"],
      ],
    );
  });

  it("a row that looks like a trade and was not read keeps the others from being booked unseen", () => {
    const doubt = "another row looks like a trade, but was not read";
    const row = "18.06.2021 16.06.2021 Kauf Beispiel Asien 7,7777 -99,99";
    assert.equal(
      read(wrapped).some(({ reasons }) => reasons.includes(doubt)),
      false,
    );
    assert.ok(read([...wrapped, row]).every(({ reasons }) => reasons.includes(doubt)));
  });

  it.each([
    ["above", "13,1768", [3.9136, 4.8207, 4.4425]],
    ["else", "137,6120", [51.104, 41.488, 45.02]],
  ])("the total of a column says which number is the quantity: %s", (_, total, quantities) => {
    const trades = read([
      "Abrechnung Sparplan",
      "ISIN LU1737652583",
      "Kauf 200,00 51,1040 3,9136 20.02.2020",
      "Kauf 200,00 41,4880 4,8207 20.04.2020",
      "Kauf 200,00 45,0200 4,4425 22.06.2020",
      `Summe ${total}`,
    ]);
    assert.deepEqual(
      trades.map(({ quantity }) => quantity),
      quantities,
    );
  });

  it("a dash in a row is an empty cell, so that the heads fit the others [X-05]", () => {
    assert.deepEqual(
      brief([
        "Executed orders",
        "Time Security ISIN Side Quantity Price Value Fee Tax Total",
        "2026-01-06 08:04 ABC IE00BK5BQT80 Buy 3 147.12 441.36 - - EUR 441.36",
        "2026-01-06 08:05 DEF IE00B4L5Y983 Buy 2 112.67 225.34 - 0.50 EUR 225.84",
        "2026-01-07 08:05 DEF IE00B4L5Y983 Sell 4 112.70 450.80 1.00 - EUR 449.80",
      ]),
      [
        ["BUY", "2026-01-06", "IE00BK5BQT80", 3, 441.36, "EUR"],
        ["BUY", "2026-01-06", "IE00B4L5Y983", 2, 225.84, "EUR"],
        ["SELL", "2026-01-07", "IE00B4L5Y983", 4, 449.8, "EUR"],
      ],
    );
  });

  it("dates without a year take that of the statement [X-05]", () => {
    const trades = brief([
      "Depotumsätze vom 01.05.2021 bis 31.05.2021",
      "Tag Geschäft Bezeichnung ISIN Stück Kurs Kurswert Spesen Betrag",
      "04.05. Kauf Beispiel DE0005140008 100 10,25 1.025,00 7,00 1.032,00",
      "18.05. Verkauf Beispiel DE0005140008 50 11,25 562,50 6,50 556,00",
    ]);
    assert.deepEqual(
      trades.map((trade) => trade[1]),
      ["2021-05-04", "2021-05-18"],
    );
  });

  it("the foot of a page between two lines of a trade does not divide them [X-05]", () => {
    const foot = ["Beispiel Aktiengesellschaft", "Musterstraße 4", "Amtsgericht Musterstadt"];
    const trades = brief([
      ...foot,
      "Kauf ETH 0,00175348",
      "28.02.2025 09:07 2.053,06 €/ETH - 3,60 €",
      "Kauf BTC 0,00010913",
      ...foot,
      ...foot,
      "28.02.2025 09:07 76.971,08 €/BTC - 8,40 €",
    ]);
    assert.deepEqual(
      trades.map((trade) => [trade[2], trade[3], trade[4]]),
      [
        ["ETH", 0.00175348, 3.6],
        ["BTC", 0.00010913, 8.4],
      ],
    );
  });
});

describe("a settlement whose words are not known", () => {
  it("is walked from the gross to the net by its sums", () => {
    assert.deepEqual(
      brief([
        "Börsentransaktion: Kauf",
        "Titel Beispiel N ISIN: CH0025751329",
        "Anzahl Qwert Betrag",
        "87 34.14 CHF 2'970.20",
        "Zuiop CHF 25.00",
        "Asdfg CHF 2.25",
        "Hjklö CHF 1.50",
        "Yxcvb CHF 2'998.95",
        "Schlusstag 25.10.2018",
      ]),
      [["BUY", "2018-10-25", "CH0025751329", 87, 2998.95, "CHF"]],
    );
  });

  it("is followed through a conversion with charges on both sides", () => {
    assert.deepEqual(
      brief([
        "Börsentransaktion: Kauf vom 27.03.2017",
        "Beispiel Holding ISIN: DE000PAH0038",
        "Anzahl Preis Betrag",
        "55 49.76 EUR 2'736.80",
        "Zuiop EUR 0.60",
        "Total EUR 2'737.40",
        "Wechselkurs 1.08279",
        "CHF 2'964.05",
        "Asdfg CHF 4.45",
        "Yxcvb CHF 2'968.50",
      ]),
      [["BUY", "2017-03-27", "DE000PAH0038", 55, 2968.5, "CHF"]],
    );
  });

  it("the holdings before and after show the direction if no word does [X-05]", () => {
    const block = (isin: string, money: string, price: string, units: string[]) => [
      "Depotabrechnung",
      `ISIN: ${isin} Abrechnungstag: 14.10.2021`,
      `Abrechnungsbetrag EUR ${money}`,
      `Kurs EUR ${price}`,
      `Bestand alt: ${units[0]}`,
      `Anteilumsatz: ${units[1]}`,
      `Bestand neu: ${units[2]}`,
    ];
    const trades = brief([
      ...block("DE0009786285", "4.000,00", "193,730000", ["0,000", "20,647", "20,647"]),
      ...block("LU0349172725", "2.376,18", "82,110000", ["30,000", "28,939", "1,061"]),
    ]);
    assert.deepEqual(
      trades.map((trade) => trade[0]),
      ["BUY", "SELL"],
    );
  });
});

describe("papers that book nothing", () => {
  it("a cost estimate before the order is not a trade", () => {
    assert.deepEqual(
      read([
        "Ex-ante Kosteninformation",
        "Kauf 10 Stück Beispiel Inc. ISIN US0378331005",
        "Kurs 120,00 EUR Kurswert 1.200,00 EUR",
        "Geschätzte Kosten 12,00 EUR",
        "Gesamtbetrag 1.212,00 EUR",
      ]),
      [],
    );
  });

  it("a valuation of holdings is not a trade [X-05]", () => {
    assert.deepEqual(
      read([
        "Portfolio valuation as at 31 December 2023",
        "Security ISIN Quantity Price Value",
        "Example Inc US0378331005 10 192.53 1,925.30",
        "Sample Corp US5949181045 5 376.04 1,880.20",
        "Total portfolio value 3,805.50",
      ]),
      [],
    );
  });

  it("shopping on a bank statement names no security and is not a trade [X-05]", () => {
    assert.deepEqual(
      read([
        "Kontoauszug 01.04.2015 - 30.04.2015",
        "Datum Text Gutschrift Lastschrift Valuta Saldo",
        "31.03.15 Kontostand 10 000.00",
        "05.04.15 KAUF/ONLINE SHOPPING 200.00 05.04.15 9 800.00",
        "06.04.15 KAUF/ONLINE SHOPPING 100.00 06.04.15",
        "KAUF/ONLINE SHOPPING 2 50.00 06.04.15 9 650.00",
      ]),
      [],
    );
  });
});

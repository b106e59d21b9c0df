import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { brief, read } from "./helpers/brief-trades.ts";

describe("statements with trades", () => {
  it("rows among other bookings are found, and the running balance is not one of their amounts [X-05]", () => {
    assert.deepEqual(
      brief([
        "Depot- und Kontoauszug",
        "Buchungstag Valuta Buchungstext Soll/Haben Saldo EUR",
        "Anfangssaldo 12.000,00",
        "03.05.2021 05.05.2021 Verkauf Beispiel Corp US0378331005 55 Stk. zu 198,17 10.899,35 22.899,35",
        "10.05.2021 10.05.2021 Einzahlung 500,00 23.399,35",
        "03.06.2021 07.06.2021 Kauf Muster NV NL0010773842 40 Stk. zu 128,79 -5.151,60 18.247,75",
        "07.06.2021 09.06.2021 Dividende Beispiel Corp 31,20 18.278,95",
        "Endsaldo 18.278,95",
      ]),
      [
        ["SELL", "2021-05-03", "US0378331005", 55, 10899.35, "EUR"],
        ["BUY", "2021-06-03", "NL0010773842", 40, 5151.6, "EUR"],
      ],
    );
  });

  it("the name of a security is what is left of its row: no dates, no direction, no dots", () => {
    const nameOf = (row: string) =>
      read(["Depot- und Kontoauszug, EUR", "Datum Art Titel Stück Kurs Betrag", row]).map(
        ({ security }) => security.name,
      );
    for (const row of [
      "03.05.2021 05.05.2021 Verkauf Beispiel Corp US0378331005 55 Stk. zu 198,17 10.899,35",
      "03.05.2021 Verkauf ....... Beispiel Corp ..... US0378331005 55 Stk. zu 198,17 10.899,35",
      "03.05.2021 Verkauf Beispiel Corp, ISIN: US0378331005 55 Stk. zu 198,17 10.899,35",
    ])
      assert.deepEqual(nameOf(row), ["Beispiel Corp"]);
  });

  it("holdings and income under their own headings are not trades [X-05]", () => {
    assert.deepEqual(
      brief([
        "Quarterly report, all amounts in GBP",
        "Portfolio valuation",
        "Security Quantity Price Value",
        "Example Plc 24 12.50 300.00",
        "Purchases",
        "Date Security Quantity Price Amount",
        "18 Sep 2024 Example Plc GB0002634946 40 76.56 3,062.40",
        "Sales",
        "Date Security Quantity Price Amount",
        "30 Sep 2024 Sample SA FR0000120271 12 23.56 282.72",
        "Income",
        "Date Security Quantity Rate Amount",
        "03 Oct 2024 Example Plc GB0002634946 100 0.25 25.00",
      ]),
      [
        ["BUY", "2024-09-18", "GB0002634946", 40, 3062.4, "GBP"],
        ["SELL", "2024-09-30", "FR0000120271", 12, 282.72, "GBP"],
      ],
    );
  });

  it("the security may be printed above a group of rows, or below each of them [X-05]", () => {
    assert.deepEqual(
      brief([
        "Movimientos de fondos de inversión",
        "Fecha Operación Participaciones Valor liquidativo Importe (EUR)",
        "Fondo Uno ISIN LU0996182563",
        "22/04/2019 Reembolso 16,6984 99,7286 1.665,31",
        "23/04/2019 Reembolso 27,0216 50,3998 1.361,88",
        "Fondo Dos ISIN IE00B4L5Y983",
        "25/04/2019 Suscripción 9,4263 157,5858 1.485,45",
      ]).map((trade) => trade[2]),
      ["LU0996182563", "LU0996182563", "IE00B4L5Y983"],
    );
    assert.deepEqual(
      brief([
        "Rekeningoverzicht EUR",
        "Datum Omschrijving Bij/Af Saldo",
        "21-05-2024 Koop 80 @ 35,99 EUR -2.879,20 6.120,80",
        "Voorbeeld NV (NL0010773842)",
        "27-05-2024 Koop 25 @ 29,54 EUR -738,50 5.382,30",
        "Beispiel AG (DE0007164600)",
      ]).map((trade) => trade[2]),
      ["NL0010773842", "DE0007164600"],
    );
  });

  it("the sign of the shares decides the direction of a row, whatever words appear elsewhere [X-05]", () => {
    const lines = [
      "Depotumsätze",
      "Hinweise zu Kauf und Rücknahme",
      "Fonds Beispiel Global ISIN LU0996182563",
      "Datum Preis in EUR Anteile Betrag in EUR",
      "02.01.2023 50,00 +2,000 100,00",
      "01.02.2023 51,00 +4,000 204,00",
      "01.03.2023 52,00 -3,000 156,00",
    ];
    assert.deepEqual(
      brief(lines).map((trade) => trade[0]),
      ["BUY", "BUY", "SELL"],
    );
    assert.ok(
      read(lines).every(({ reasons }) => !reasons.includes("purchase and sale are both named")),
    );
  });

  it("a savings plan with one security yields a trade for each dated row [X-05]", () => {
    assert.deepEqual(
      brief([
        "Piano di accumulo - riepilogo operazioni in EUR",
        "Codice ISIN LU0996182563",
        "Data operazione Data valuta Tipo operazione Importo lordo Commissioni Importo netto Valore quota N. quote",
        "08/02/2022 10/02/2022 Versamento 200,00 2,00 198,00 15,722 12,594",
        "07/03/2022 09/03/2022 Versamento 200,00 2,00 198,00 18,857 10,500",
      ]),
      [
        ["BUY", "2022-02-08", "LU0996182563", 12.594, 200, "EUR"],
        ["BUY", "2022-03-07", "LU0996182563", 10.5, 200, "EUR"],
      ],
    );
  });

  it("a table with each cell on its own line is read by its arithmetic [X-05]", () => {
    assert.deepEqual(
      brief([
        "Trade Date",
        "Settle Date",
        "Type",
        "Security",
        "Amount",
        ...[
          "03/29/2021",
          "03/31/2021",
          "Sell",
          "Example Vz (NWVQ)",
          "100",
          "$168.91",
          "$16,891.00",
        ],
        ...["04/13/2021", "04/15/2021", "Buy", "Sample Plc (TMPQ)", "3", "$71.85", "$215.55"],
      ]),
      [
        ["SELL", "2021-03-29", "NWVQ", 100, 16891, "USD"],
        ["BUY", "2021-04-13", "TMPQ", 3, 215.55, "USD"],
      ],
    );
  });

  it("prices in pence multiply to pounds [X-05]", () => {
    assert.deepEqual(
      brief([
        "Transaction list",
        "Date Reference Description Quantity Price (p) Proceeds (£)",
        "29/10/2021 S190816984 Example Plc GB0002634946 Sold 40 7,546.00 3,018.40",
        "01/11/2021 B727942680 Sample Plc GB00BH4HKS39 Bought 25 8,247.00 2,061.75",
      ]),
      [
        ["SELL", "2021-10-29", "GB0002634946", 40, 3018.4, "GBP"],
        ["BUY", "2021-11-01", "GB00BH4HKS39", 25, 2061.75, "GBP"],
      ],
    );
  });
});

describe("documents without trades", () => {
  const none: Record<string, string[]> = {
    "the card payments of a bank account": [
      "Kontoauszug",
      "Datum Text Gutschrift Lastschrift Valuta Saldo",
      "01.04.15 Kontostand 10 000.00",
      "02.04.15 KAUF/ONLINE SHOPPING 200.00 02.04.15 9 800.00",
      "03.04.15 KAUF/DIENSTLEISTUNG 100.00 03.04.15 9 700.00",
      "04.04.15 ÜBERTRAG 2.00 04.04.15 9 698.00",
      "30.04.15 PREIS FÜR DIE KONTOFÜHRUNG 2.00 30.04.15 9 696.00",
    ],
    "costs told before a purchase": [
      "Informativa sui costi ex ante",
      "Acquisto Esempio NV",
      "ISIN NL0010773842",
      "Quantità 50",
      "Prezzo EUR 44,12",
      "Controvalore EUR 2.206,00",
      "EUR 2.215,90",
      "30.06.2022",
    ],
    "an order that was only received": [
      "Vi har tagit emot din order",
      "Köp Exempel AB",
      "ISIN SE0000108656",
      "Antal 10",
      "Limit SEK 12,25",
      "Belopp ca. SEK 122,50",
      "26.05.2021",
    ],
    "bookings that print no price": [
      "Kontoauszug",
      "Wertpapier Kauf, Ref.: 403747782 05.10.2023 09.10.2023 -45,77 EUR",
      "LU0996182563, ST 1,6866",
      "Wertpapier Kauf, Ref.: 403747787 05.10.2023 09.10.2023 -40,37 EUR",
      "IE00B4L5Y983, ST 1,4495",
    ],
  };
  for (const [name, lines] of Object.entries(none)) {
    it(`${name} [X-05]`, () => assert.deepEqual(brief(lines), []));
  }
});

import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { documentOf, possibleTrades, readingOfText } from "../src/extract/extract-trades.ts";
import { brief, read } from "./helpers/brief-trades.ts";

describe("the history of an exchange for cryptocurrencies", () => {
  const history = [
    "Transaktionshistorie",
    "ID Typ Ausführung Eingang Ausgang Entgelt",
    "5298 Kauf 02.08.2023 01:25:55 0.0055 BTC 150.65 EUR 0.53 EUR",
    "9f7c Verkauf 16.02.2023 23:47:54 49.18 EUR 0.0321 ETH 0.17 EUR",
    "10.04.2025 08:21",
  ];

  it("gives coins for money and money for coins, with the charge of the row [X-05]", () => {
    assert.deepEqual(brief(history), [
      ["BUY", "2023-08-02", "BTC", 0.0055, 151.18, "EUR"],
      ["SELL", "2023-02-16", "ETH", 0.0321, 49.01, "EUR"],
    ]);
  });

  it("proves its trades without labels, and however long the references of its rows are [X-05]", () => {
    const row =
      "e307c7f4-abd2-417c-c452-44353dfcc24e Verkauf 30.04.2024 7.18 EUR 15.0 XRP 0.08 EUR";
    const page = ["Historie", "Nr Vorgang Rubrik", row, "19:16:59"];
    assert.deepEqual(brief(page), [["SELL", "2024-04-30", "XRP", 15, 7.1, "EUR"]]);
    const [only] = possibleTrades(documentOf(readingOfText(page.join("\n")))).parts;
    const { proven, directionTop = 0 } = only!.features;
    assert.equal(proven, 1);
    // The word counts as the beginning of its line.
    assert.ok(directionTop > 1);
  });

  it("is not booked without a person, because its totals are not printed, and names no price that was computed", () => {
    assert.equal(read(history).length, 2);
    for (const { canAutoConfirm, price, reasons, perField } of read(history)) {
      assert.equal(canAutoConfirm, false);
      assert.equal(price, undefined);
      assert.equal(perField.net, undefined);
      assert.ok(reasons.every((reason) => reason !== "quantity times price gives the gross"));
    }
  });

  it("describes an earlier purchase where the other rows print their prices", () => {
    const rows = [
      "Kauf BTC 0,0018 am 12.06.2022 zu 26.412,09 € 47,54 €",
      "Verkauf ETH 0,0340 am 13.06.2022 zu 1.401,94 € 47,67 €",
    ];
    const earlier = "Kauf 0,0340 ETH für 87,55 € am 20.09.2021 21:14";
    assert.equal(brief([...rows, earlier]).length, brief(rows).length);
  });
});

describe("an option", () => {
  it("is named by its underlying, and a street's number is no quantity of it", () => {
    const [trade] = read([
      "Example Clearing Corporation",
      "350 N. St. Martin Street 1300",
      "TRADE CONFIRMATION",
      "ACTION SYMBOL DATE QUANTITY PRICE",
      "YOU SOLD 11/23/21 1 $4.40000",
      "PUT VXYZ 11/26/21 190 PRINCIPAL $440.00",
      "OPTION FEE $0.03",
      "NET AMOUNT $439.97",
      "Member FINRA SIPC",
    ]);
    assert.equal(trade!.security.ticker, "VXYZ");
    assert.equal(trade!.quantity, 1);
  });
});

describe("an option that stands for a hundred units", () => {
  const bought = (size: string) =>
    read([
      "Derivatetransaktion: Buy to open",
      "Gemäss Ihrem Kaufauftrag vom 25.03.2024",
      "Bezeichnung Anzahl Währung Preis",
      "VXYZ MAY24 CALL 5.00 USD 6.27",
      "Brindal Ombrel Fälligkeit",
      size,
      "Total USD 3'135.00",
      "Gebühren USD 9.75",
      "Total belastet USD 3'144.75",
    ]);

  it("has as many units as the product shows, although no label that is known says so", () => {
    const [trade] = bought("100 100 460 17.05.2024");
    assert.deepEqual([trade!.quantity, trade!.gross, trade!.net], [500, 3135, 3144.75]);
    assert.equal(trade!.canAutoConfirm, false);
  });

  it("has no more units than it says if the document does not print its size", () => {
    assert.ok(bought("Ombrel 17.05.2024").every(({ quantity }) => quantity !== 500));
  });
});

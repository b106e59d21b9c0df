import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { documentOf, readingOfText } from "../extract-trades.ts";
import { computedFrom } from "../values/amount.ts";
import { explain, findSubset, type Item, isConvertedOn, itemsOf } from "./charges.ts";

describe("the charges that lead from gross to net", () => {
  const item = (kind: Item["kind"]): Item => {
    const token = { start: 0, end: 5, raw: "", readings: [], digits: 0 };
    const flags = { isNegative: false, isPositive: false, isPercent: false };
    const printed = { ...token, ...flags, isJoined: false, hasDecimals: true };
    const place = { line: 0, token: printed, value: 0, decimals: 2, reading: 0 };
    const amount = computedFrom({ ...place, currency: null, clues: {}, label: "" }, 0, null);
    return { kind, amount, label: "" };
  };
  const SALE = -1;

  it("count interest for the seller", () => {
    const items = [item("interest"), item("fee")];
    assert.deepEqual(findSubset([6.2, 50.03], 43.83, 0.015, items, SALE), [
      { index: 0, sign: -1 },
      { index: 1, sign: 1 },
    ]);
  });

  it("are all costs if only that closes the sum, although one of them is called interest", () => {
    const items = [item("interest"), item("fee")];
    assert.deepEqual(findSubset([16.68, 50.03], 66.71, 0.015, items, SALE), [
      { index: 0, sign: 1 },
      { index: 1, sign: 1 },
    ]);
  });
});

describe("a net that differs from the gross by one cent", () => {
  const explained = (fee: string) => {
    const lines = ["Kurswert EUR 6,64", `Provision EUR ${fee}`, "Endbetrag EUR 6,65"];
    const { amounts } = documentOf(readingOfText(lines.join("\n"))).values;
    const [gross, , net] = amounts;
    return explain({
      gross: gross!,
      net: net!,
      items: itemsOf(amounts),
      rowItems: itemsOf(amounts),
      amounts,
    }).charges.map(({ value }) => value);
  };

  it("includes a charge of one cent", () => {
    assert.deepEqual(explained("0,01"), [0.01]);
  });

  it("is rounded if the charges come to more", () => {
    assert.deepEqual(explained("3,00"), []);
  });
});

describe("an amount that the page converts into another currency", () => {
  const converted = (rate: string) => {
    const lines = ["Brindal : USD 4.781,90", `Ombrel ${rate} : EUR 4.425,22`];
    const { amounts } = documentOf(readingOfText(lines.join("\n"))).values;
    return isConvertedOn(amounts.find(({ value }) => value === 4781.9)!, amounts);
  };

  it("shows it by its arithmetic, without a label for the rate", () => {
    assert.equal(converted("1,080600"), true);
    assert.equal(converted("1,081600"), false);
  });

  it("needs more decimals than a price has if the rate has no label", () => {
    assert.equal(converted("1,0806"), false);
  });
});

describe("a bond that is sold", () => {
  it("earns interest that may exceed the charges, and is a sale nevertheless", () => {
    const lines = [
      "Verkauf",
      "Kurswert EUR 9.000,00",
      "Stückzinsen EUR 62,19",
      "Provision EUR 12,27",
      "Fremde Spesen EUR 3,48",
      "Ausmachender Betrag EUR 9.046,44",
    ];
    const { amounts } = documentOf(readingOfText(lines.join("\n"))).values;
    const find = (wanted: number) => amounts.find(({ value }) => value === wanted)!;
    const items = itemsOf(amounts);
    const question = { items, rowItems: items, amounts };
    const found = explain({ gross: find(9000), net: find(9046.44), ...question });
    assert.equal(found.side, -1);
    assert.deepEqual(
      found.charges.map(({ kind, value }) => [kind, value]),
      [
        ["interest", -62.19],
        ["fee", 12.27],
        ["fee", 3.48],
      ],
    );
  });
});

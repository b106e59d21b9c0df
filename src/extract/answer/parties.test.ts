import { describe, expect, it } from "vitest";
import { extractTrades, readingOfText } from "../extract-trades.ts";

const BODY = [
  "Contract note",
  "Bought 100 Kestrelbrook Group plc",
  "ISIN GB00BZ1P8M63",
  "Trade date 12 November 2026",
  "Price GBP 4.50",
  "Consideration GBP 450.00",
  "Commission GBP 10.00",
  "Total amount payable GBP 460.00",
];
const holderOf = (...head: string[]) =>
  extractTrades(readingOfText([...head, ...BODY].join("\n"))).trades[0]?.accountHolder;

describe("the holder of a note", () => {
  it("is the name beside its label", () => {
    expect(
      holderOf("Account holder: Omar Haddad", "Nina Berg", "2 Mill Lane", "10000 Ellerby"),
    ).toBe("Omar Haddad");
  });

  it("without a label is the name above a street and a postcode", () => {
    expect(holderOf("Nina Berg", "2 Mill Lane", "10000 Ellerby")).toBe("Nina Berg");
    expect(holderOf("Nina Berg", "2 Mill Lane", "Oxford OX1 2AB")).toBe("Nina Berg");
  });

  it("is the client, not the bank whose own address is printed above", () => {
    expect(
      holderOf(
        "Almendral Bolsa",
        "Paseo 5",
        "00070 Almendral",
        "Nina Berg",
        "Weg 1",
        "10000 Ellerby",
      ),
    ).toBe("Nina Berg");
  });

  it("is unknown if no address follows the name", () => {
    expect(holderOf("Nina Berg", "2 Mill Lane")).toBeUndefined();
    expect(holderOf("Nina Berg", "10000 Ellerby")).toBeUndefined();
  });
});

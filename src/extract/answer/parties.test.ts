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

describe("an account", () => {
  const typeOf = (...head: string[]) =>
    extractTrades(readingOfText([...head, ...BODY].join("\n"))).trades[0]?.accountType;

  it.each([
    "Client: Berg Family Trust",
    "Client: The Berg Family Trust (2019)",
    "Client name: Berg Family Trust, Jersey",
    "Account holder: Trustees of the Berg Settlement",
  ])("is a trust's if the note says %j", (line) => {
    expect(typeOf(line)).toBe("trust");
    // The address of the person who receives the note does not make it theirs.
    expect(typeOf(line, "Nina Berg", "2 Mill Lane", "10000 Ellerby")).toBe("trust");
  });

  it("is a company's or shared if the note says so, and otherwise a person's", () => {
    expect(typeOf("Client: Berg Holdings Ltd.")).toBe("corporate");
    expect(typeOf("Client: Nina and Omar Berg")).toBe("joint");
    expect(typeOf("Account holder: Nina Berg")).toBe("individual");
    expect(typeOf("Client: Nina Berg", "Nina Berg", "2 Mill Lane", "10000 Ellerby")).toBe(
      "individual",
    );
  });
});

import { describe, expect, it } from "vitest";
import { readCsv, readOrdersCsv } from "./read-orders.ts";

describe("orders from a file", () => {
  it("columns in any order and spelling, quotes, blank lines and a byte order mark", () => {
    const csv =
      "\uFEFFReference,user_name,Direction,Quantity,placed on,Description\r\n" +
      'O-1,ldeburna,buy,1.5,2026-02-01,"Apple, ""Inc"""\r\n\r\n';
    const { orders, problems } = readOrdersCsv(csv);
    expect(problems).toEqual([]);
    expect(orders).toMatchObject([
      {
        reference: "O-1",
        username: "ldeburna",
        direction: "BUY",
        quantity: 1.5,
        placedOn: "2026-02-01",
        description: 'Apple, "Inc"',
      },
    ]);
  });

  it("names every line that cannot be taken", () => {
    const csv =
      "reference,username,direction,quantity,placedOn,isin\nO-1,a,HOLD,0,yesterday,US0378331006\nO-2,b,SELL,1,2026-01-01,\n";
    const { orders, problems } = readOrdersCsv(csv);
    expect(orders).toHaveLength(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^line 2: direction: .*; isin: not an ISIN; quantity: .*; placedOn: /,
    );
  });

  it("refuses a column that it does not know", () => {
    expect(readOrdersCsv("reference,colour\nx,red\n").problems).toEqual(["unknown column: colour"]);
    expect(readCsv("")).toEqual([]);
  });
});

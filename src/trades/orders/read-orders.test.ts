import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOrdersCsv } from "./read-orders.ts";

describe("orders from a file", () => {
  it("may have columns in any order and case, quotes, blank lines and a byte order mark", () => {
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

  it("are refused with every line that cannot be imported", () => {
    const csv =
      "reference,username,direction,quantity,placedOn,isin\nO-1,a,HOLD,0,yesterday,US0378331006\nO-2,b,SELL,1,2026-01-01,\n";
    const { orders, problems } = readOrdersCsv(csv);
    expect(orders).toHaveLength(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^line 2: direction: .*; isin: not an ISIN; quantity: .*; placedOn: /,
    );
  });

  it("are refused if a column is unknown", () => {
    expect(readOrdersCsv("reference,colour\nx,red\n").problems).toEqual([
      expect.stringMatching(/^unknown column: colour; known are reference, username, /),
    ]);
  });

  it.each([
    ["is empty", "\uFEFF\r\n", /^the file is empty/],
    ["is not UTF-8", "reference,username\nO-1,J\uFFFDrg", /^the file is not UTF-8/],
    ["separates its columns by semicolons", "reference;username\nO-1;a", /by commas/],
    ["separates its columns by tabs", "reference\tusername\nO-1\ta", /by commas/],
  ])("are refused if the file %s", (_, csv, problem) => {
    expect(readOrdersCsv(csv)).toEqual({
      ...{ orders: [], problems: [expect.stringMatching(problem)] },
    });
  });

  const head = "reference,username,direction,quantity,placedOn,description";
  const line = (reference: string, description: string) =>
    `${reference},a,BUY,1,2026-01-01,${description}`;

  it.each(["\n", "\r\n", "\r"])("a file may end its lines with %j", (end) => {
    const csv = [head, line("O-1", "one"), line("O-2", "two")].join(end);
    expect(readOrdersCsv(csv).orders.map((order) => order.reference)).toEqual(["O-1", "O-2"]);
  });

  it("a problem names the line of the file, even after a cell with several lines", () => {
    const csv = [head, line("O-1", '"two\nlines"'), "", line("", "no reference")].join("\n");
    expect(readOrdersCsv(csv).problems).toEqual([expect.stringMatching(/^line 5: reference: /)]);
  });

  it("a quote inside a cell is kept, and one that is never closed is reported", () => {
    const inch = readOrdersCsv([head, line("O-1", '5" pipe')].join("\n"));
    expect(inch.orders).toMatchObject([{ description: '5" pipe' }]);
    const open = readOrdersCsv([head, line("O-1", '"pipe'), line("O-2", "lost")].join("\n"));
    expect(open).toEqual({ orders: [], problems: ["a quote is opened and never closed"] });
  });

  it("any text is read without an error", () => {
    const unit = fc.constantFrom('"', ",", "\n", "\r", " ", "a", "\uFEFF", "\0", "'", "reference");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (csv) => void readOrdersCsv(csv)),
      {
        numRuns: 2_000,
      },
    );
  });
});

import { describe, expect, it } from "vitest";
import { readPeopleCsv } from "./read-people.ts";

describe("people in a CSV file", () => {
  it("are read in any order of columns, with a byte order mark, quotes and Windows line ends", () => {
    const csv =
      '\uFEFFName,EMAIL,Accounts,username\r\n"Berg, Nina",Nina@Firm.example, 77-1 ;78-2;,nina\r\n\r\nOmar,omar@firm.example,,\r\n';
    expect(readPeopleCsv(csv)).toEqual({
      people: [
        {
          email: "nina@firm.example",
          name: "Berg, Nina",
          username: "nina",
          accounts: ["77-1", "78-2"],
        },
        { email: "omar@firm.example", name: "Omar", username: "omar", accounts: [] },
      ],
      problems: [],
    });
  });

  it.each([
    ["an invalid address", "email,name\nnina,Nina", /^row 1: email is not/],
    ["no name", "email,name\na@b.example,Ann\nb@b.example,", /^row 2: name must/],
    [
      "a column that is unknown",
      "email,name,salary\na@b.example,Ann,1",
      /^row 1: unknown column: salary/,
    ],
    ["no column for the address", "mail,name\na@b.example,Ann", /^row 1: email is missing/],
    ["a row that is too short", "email,name,accounts\na@b.example", /Record Length/],
    ["a quote that is not closed", 'email,name\na@b.example,"Ann', /Quote/],
  ])("with %s are refused, and the problem says where", (_, csv, problem) => {
    const { problems } = readPeopleCsv(csv);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

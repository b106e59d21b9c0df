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

  it("may have umlauts in their addresses", () => {
    const { people, problems } = readPeopleCsv("email,name\njörg@müller.example,Jörg Müller\n");
    expect(problems).toEqual([]);
    expect(people).toMatchObject([{ email: "jörg@xn--mller-kva.example", name: "Jörg Müller" }]);
  });

  it.each([
    ["an invalid address", "email,name\nnina,Nina", /^line 2: email is not/],
    ["no name", "email,name\na@b.example,Ann\nb@b.example,", /^line 3: name must/],
    [
      "a column that is unknown",
      "email,name,salary\na@b.example,Ann,1",
      /^line 2: unknown column: salary/,
    ],
    ["no column for the address", "mail,name\na@b.example,Ann", /^line 2: email is missing/],
    ["a row that is too short", "email,name,accounts\na@b.example", /Record Length/],
    ["nothing in the file, which would forget everybody", "", /^the file is empty/],
    ["bytes that are not UTF-8", "email,name\na@b.example,J\uFFFDrg", /^the file is not UTF-8/],
    ["semicolons between the columns", "email;name\na@b.example;Ann", /by commas/],
    ["a quote that is not closed", 'email,name\na@b.example,"Ann', /Quote/],
  ])("with %s are refused, and the problem says where", (_, csv, problem) => {
    const { problems } = readPeopleCsv(csv);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

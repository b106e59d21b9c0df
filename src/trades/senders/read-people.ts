/** Reads people from a CSV file: `email`, `name`, and optionally `username` and `accounts`. */
import { type CsvError, parse } from "csv-parse/sync";
import * as z from "zod";
import { objectionToCsv } from "../objection-to-csv.ts";
import { usernameOf } from "../trade.ts";
import type { Person } from "./person-table.ts";
import { normalizeAddress } from "./sender.ts";

const Row = z.strictObject({
  // Looser than RFC 5322: an address may contain an umlaut.
  email: z
    .string()
    .trim()
    .max(320)
    .regex(/^[^\s@]+@[^\s@]+$/)
    .transform(normalizeAddress),
  name: z.string().trim().min(1).max(200),
  username: z.string().trim().max(100).optional(),
  /** Separated by semicolons. */
  accounts: z.string().max(2_000).optional(),
});

export interface PeopleRead {
  readonly people: readonly Person[];
  /** One sentence for each row that cannot be imported. */
  readonly problems: readonly string[];
}

export function readPeopleCsv(csv: string): PeopleRead {
  const people: Person[] = [];
  const problems: string[] = [];
  const rows = objectionToCsv(csv) ?? readRows(csv);
  if (typeof rows === "string") return { people, problems: [rows] };
  for (const { record, info } of rows) {
    const row = Row.safeParse(record);
    if (row.success) people.push(toPerson(row.data));
    else problems.push(`line ${info.lines}: ${row.error.issues.map(describe).join("; ")}`);
  }
  return { people, problems };
}

/** With the line of the file on which each row ends, counted from 1. */
function readRows(csv: string): { record: object; info: { lines: number } }[] | string {
  try {
    // The declared type of a row ignores the option `info`.
    return parse(csv, {
      ...{ bom: true, info: true },
      columns: (heads: string[]) => heads.map((head) => head.trim().toLowerCase()),
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: object; info: { lines: number } }[];
  } catch (error) {
    if ((error as CsvError).code === undefined) throw error;
    return (error as Error).message;
  }
}

function toPerson({ email, name, username, accounts = "" }: z.output<typeof Row>): Person {
  return {
    email,
    name,
    username: username || usernameOf(email),
    accounts: accounts
      .split(";")
      .map((account) => account.trim())
      .filter((account) => account !== ""),
  };
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys")
    return `unknown column: ${issue.keys.join(", ")}; known are ${Object.keys(Row.shape).join(", ")}`;
  const column = issue.path.join(".");
  if (issue.code === "invalid_type") return `${column} is missing`;
  return column === "email" ? "email is not an address" : `${column} must have 1 to 200 characters`;
}

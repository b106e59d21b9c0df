/** Says what is wrong with a value so that a person who has never seen a schema can correct it. */
import * as z from "zod";

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "an address such as ada@broker.example",
  guid: "an ID such as 3f2a61b0-8c1d-4e55-9a10-5f2c3d4e5f60",
  uuid: "an ID such as 3f2a61b0-8c1d-4e55-9a10-5f2c3d4e5f60",
  date: "a date such as 2026-01-31",
  datetime: "a time with its zone, such as 2026-01-31T09:30:00Z",
  url: "a URL such as https://example.com/",
};

const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item" };

/** The words replace those of zod in this process; a schema's own message is stronger. */
export function sayIssuesPlainly(): void {
  z.config({ localeError: wordsOf });
}

function wordsOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return sizeOf(issue, Number(issue.minimum), issue.inclusive === false ? "over" : "at least");
    case "too_big":
      return sizeOf(issue, Number(issue.maximum), issue.inclusive === false ? "below" : "at most");
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? `in the format ${String(issue["pattern"] ?? issue.format)}`}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has unknown ${issue.keys.length === 1 ? "property" : "properties"} ${issue.keys.join(", ")}`;
    case "invalid_union":
      return wordsOfUnion(issue);
    default:
      return "is not valid";
  }
}

function sizeOf({ origin, exact }: Sized, limit: number, bound: string): string {
  const unit = UNITS[origin ?? ""];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  if (limit === 1 && bound === "at least") return "must not be empty";
  return `must have ${exact === true ? "exactly" : bound} ${limit} ${unit}${limit === 1 ? "" : "s"}`;
}

interface Sized {
  readonly origin?: string;
  readonly exact?: boolean;
}

/** What each form of the value would have to be, if all of them are about the value itself. */
function wordsOfUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const forms = issue.errors ?? [];
  const areFlat = forms.length > 0 && forms.every((form) => form[0]?.path.length === 0);
  if (!areFlat) return "has none of the accepted forms";
  return [...new Set(forms.map((form) => form[0]!.message))].join(", or ");
}

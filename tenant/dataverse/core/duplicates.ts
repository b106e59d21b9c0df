/** Duplicate detection: rules that a request may turn on for the rows it writes. */
import type { TenantRequest } from "../../http.ts";
import type { Table } from "../schema/schema.ts";
import { badQuery, DataverseProblem } from "./dataverse-error.ts";
import type { Row, Value } from "./rows.ts";

/** An environment starts with rules for a few tables; other tables have none. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  account: ["emailaddress1"],
  contact: ["emailaddress1"],
};

const HEADER = "mscrm.suppressduplicatedetection";

/** Writes through the Web API are not checked unless the header says `false`. */
export function readDetection({ headers }: TenantRequest): boolean {
  const text = headers[HEADER]?.toLowerCase();
  if (text === undefined || text === "true") return false;
  if (text === "false") return true;
  throw badQuery("The value of MSCRM.SuppressDuplicateDetection must be true or false.");
}

export function checkDuplicates(
  rows: readonly Row[],
  table: Table,
  values: Record<string, Value>,
  self: Row | null,
): void {
  const columns = RULES[table.name];
  if (columns === undefined) return;
  const code = columns.map((column) => codeOf(values[column]));
  // A rule ignores blank values.
  if (code.includes("")) return;
  const isSame = (row: Row) =>
    row !== self && columns.every((column, at) => codeOf(row.values[column]) === code[at]);
  if (!rows.some(isSame)) return;
  throw new DataverseProblem(
    500,
    "0x80040333",
    "A record was not created or updated because a duplicate of the current record already exists.",
  );
}

function codeOf(value: Value | undefined): string {
  return String(value ?? "")
    .trim()
    .toLowerCase();
}

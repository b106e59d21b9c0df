/** Reads orders from other systems, as JSON or CSV, and checks each field. */
import { type CsvError, parse } from "csv-parse/sync";
import * as z from "zod";
import { isCusip, isIsin, isSedol } from "../../extract/text/identifiers.ts";
import { objectionToCsv } from "../objection-to-csv.ts";
import type { NewOrder } from "./order-table.ts";

const text = (max: number) => z.string().trim().min(1).max(max);
const optional = <T extends z.ZodType>(type: T) =>
  z.preprocess((value) => (value === "" || value === undefined ? null : value), type.nullable());
const positive = z.coerce.number().positive().finite();

export const OrderInput = z.object({
  reference: text(100),
  username: text(100),
  userEmail: optional(z.email().max(320)),
  holderName: optional(text(200)),
  direction: z.preprocess(
    (value) => (typeof value === "string" ? value.trim().toUpperCase() : value),
    z.enum(["BUY", "SELL"]),
  ),
  ticker: optional(text(40)),
  isin: optional(text(12).refine(isIsin, "not an ISIN")),
  sedol: optional(text(7).refine(isSedol, "not a SEDOL")),
  cusip: optional(text(9).refine(isCusip, "not a CUSIP")),
  description: optional(text(500)),
  quantity: positive,
  limitPrice: optional(positive),
  currency: optional(text(3).toUpperCase()),
  placedOn: z.iso.date(),
  validUntil: optional(z.iso.date()),
  status: z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    z.enum(["open", "cancelled"]).optional(),
  ),
});

export interface OrdersRead {
  readonly orders: readonly NewOrder[];
  /** One sentence for each row that cannot be imported. */
  readonly problems: readonly string[];
}

/** The first line names the columns, in any order, case and punctuation; unknown columns are an error. */
export function readOrdersCsv(csv: string): OrdersRead {
  const objection = objectionToCsv(csv);
  if (objection !== null) return { orders: [], problems: [objection] };
  const rows = readRows(csv);
  if ("problem" in rows) return { orders: [], problems: [rows.problem] };
  const [heads = { cells: [] }, ...lines] = rows;
  const known = new Map(Object.keys(OrderInput.shape).map((name) => [plainName(name), name]));
  const columns = heads.cells.map((head) => known.get(plainName(head)) ?? null);
  const unknown = heads.cells.filter((_, index) => columns[index] === null);
  if (unknown.length > 0)
    return {
      orders: [],
      problems: [
        `unknown column: ${unknown.join(", ")}; known are ${[...known.values()].join(", ")}`,
      ],
    };
  const orders: NewOrder[] = [];
  const problems: string[] = [];
  for (const { cells, line } of lines) {
    const raw = Object.fromEntries(columns.map((name, index) => [name!, cells[index] ?? ""]));
    const order = OrderInput.safeParse(raw);
    if (order.success) orders.push(order.data as NewOrder);
    else problems.push(`line ${line}: ${describe(order.error)}`);
  }
  return { orders, problems };
}

interface Row {
  readonly cells: readonly string[];
  /** The line of the file on which the row ends, counted from 1. */
  readonly line: number;
}

const CSV_OPTIONS = {
  bom: true,
  info: true,
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  relax_quotes: true,
};

/** Returns rows that are not empty. A quote that is never closed would swallow the rest of the file. */
function readRows(csv: string): readonly Row[] | { problem: string } {
  try {
    // The declared type of a row ignores the option `info`.
    const rows = parse(csv, CSV_OPTIONS) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return rows
      .map(({ record, info }) => ({ cells: record, line: info.lines }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  } catch (error) {
    if ((error as CsvError).code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    return { problem: "a quote is opened and never closed" };
  }
}

function describe(error: z.ZodError): string {
  return error.issues.map(describeIssue).join("; ");
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const column = issue.path.join(".");
  if (issue.code === "invalid_type") return `${column}: missing, or not a ${issue.expected}`;
  if (issue.code === "invalid_value") return `${column}: not one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return `${column}: missing or too small`;
  if (issue.code === "invalid_format" && issue.format === "date")
    return `${column}: not a date such as 2026-01-31`;
  return `${column}: ${issue.message}`;
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");

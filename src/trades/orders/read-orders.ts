/** Orders as they come from other systems: JSON or a CSV file, checked field by field. */
import * as z from "zod";
import { isCusip, isIsin, isSedol } from "../../extract/text/identifiers.ts";
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
  /** One sentence for each line that cannot be taken. */
  readonly problems: readonly string[];
}

/** The first line names the columns, in any order and spelling of case; unknown columns are an error. */
export function readOrdersCsv(csv: string): OrdersRead {
  const [heads = [], ...rows] = readCsv(csv);
  const known = new Map(Object.keys(OrderInput.shape).map((name) => [plainName(name), name]));
  const columns = heads.map((head) => known.get(plainName(head)) ?? null);
  const unknown = heads.filter((_, index) => columns[index] === null);
  if (unknown.length > 0)
    return { orders: [], problems: [`unknown column: ${unknown.join(", ")}`] };
  const lines = rows
    .map((cells, index) => ({ cells, number: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const orders: NewOrder[] = [];
  const problems: string[] = [];
  for (const { cells, number } of lines) {
    const raw = Object.fromEntries(columns.map((name, index) => [name!, cells[index] ?? ""]));
    const order = OrderInput.safeParse(raw);
    if (order.success) orders.push(order.data as NewOrder);
    else problems.push(`line ${number}: ${describe(order.error)}`);
  }
  return { orders, problems };
}

function describe(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");

/** Commas, quotes doubled inside quotes, any line ends, an optional byte order mark. */
export function readCsv(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  const body = csv.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at]!;
    if (isQuoted && sign === '"' && body[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === ",") endCell();
    else if (!isQuoted && sign === "\n") endRow();
    else cell += sign;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** Finds and orders the rows of a query. */
import { compare } from "../../odata/compare.ts";
import type { DataverseCall } from "../core/dataverse-call.ts";
import { badQuery } from "../core/dataverse-error.ts";
import type { Row } from "../core/rows.ts";
import { mayRead } from "../core/security.ts";
import type { Table } from "../schema/schema.ts";
import { fieldOf, parseFilter } from "./filter.ts";
import type { Options } from "./options.ts";

/** The rows that the caller may read and that match the filter. */
export function listRows(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
  options: Options,
): Row[] {
  const filter = options.get("$filter");
  const test = filter === undefined ? () => true : parseFilter(call, table, filter);
  const rows = candidates.filter((row) => mayRead(call, table, row) && test(row));
  sortRows(call, table, rows, options.get("$orderby"));
  return rows;
}

function sortRows(call: DataverseCall, table: Table, rows: Row[], orderBy: string | undefined) {
  if (orderBy === undefined) return;
  const keys = orderBy.split(",").map((part) => {
    const [path = "", direction = "asc", ...rest] = part.trim().split(/\s+/);
    if (!/^(asc|desc)$/i.test(direction) || rest.length > 0) {
      throw badQuery(`Syntax error in '${orderBy}'.`);
    }
    const { read } = fieldOf(call, table, path.split("/"));
    return { read, sign: /desc/i.test(direction) ? (-1 as const) : (1 as const) };
  });
  rows.sort(byKeys(keys));
}

/** Compares by one key after the other; null sorts before everything else. */
export function byKeys<T>(keys: readonly { read(item: T): unknown; sign: 1 | -1 }[]) {
  return (one: T, other: T): number => {
    for (const { read, sign } of keys) {
      const [a, b] = [read(one), read(other)];
      const order = compare(a, b) ?? (a === null ? -1 : 1);
      if (order !== 0) return order * sign;
    }
    return 0;
  };
}

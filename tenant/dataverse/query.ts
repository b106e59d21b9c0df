/** The options of a query, and reading rows by them. */
import type { TenantRequest } from "../http.ts";
import { compare } from "../odata/compare.ts";
import type { DataverseCall } from "./dataverse-call.ts";
import { badQuery } from "./dataverse-error.ts";
import { fieldOf, parseFilter } from "./filter.ts";
import { checkSelect, viewRow } from "./row-view.ts";
import { isReference, type Row } from "./rows.ts";
import { findCollection, findNavigation, type Table } from "./schema.ts";
import { mayRead } from "./security.ts";

const PAGE_MAX = 5000;
const KNOWN = new Set([
  "$select",
  "$filter",
  "$orderby",
  "$top",
  "$count",
  "$expand",
  "$skiptoken",
]);

/** Options as given in a URL, or inside the parentheses of an `$expand`. */
export type Options = ReadonlyMap<string, string>;

export function readOptions(query: URLSearchParams): Options {
  const options = new Map<string, string>();
  for (const [name, value] of query) {
    if (name === "$skip") throw badQuery("Skip Clause is not supported in CRM");
    if (name.startsWith("$") && !KNOWN.has(name)) {
      throw badQuery(`The query parameter ${name} is not supported.`);
    }
    if (name.startsWith("$")) options.set(name, value);
  }
  return options;
}

export function listRows(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
  options: Options,
): { rows: Row[]; total: number } {
  const filter = options.get("$filter");
  const test = filter === undefined ? () => true : parseFilter(call, table, filter);
  const rows = candidates.filter((row) => mayRead(call, table, row) && test(row));
  sortRows(call, table, rows, options.get("$orderby"));
  return { rows, total: rows.length };
}

function sortRows(call: DataverseCall, table: Table, rows: Row[], orderBy: string | undefined) {
  if (orderBy === undefined) return;
  const keys = orderBy.split(",").map((part) => {
    const [path, direction = "asc"] = part.trim().split(/\s+/);
    if (!/^(asc|desc)$/i.test(direction)) throw badQuery(`Syntax error in '${orderBy}'.`);
    return {
      field: fieldOf(call, table, (path ?? "").split("/")),
      sign: /desc/i.test(direction) ? -1 : 1,
    };
  });
  rows.sort((one, other) => {
    for (const { field, sign } of keys) {
      const [a, b] = [field.read(one), field.read(other)];
      const order = compare(a, b);
      if (order === 0) continue;
      // Null sorts before everything else.
      if (order === null) return a === null ? -sign : sign;
      return order * sign;
    }
    return 0;
  });
}

export function readSelect(table: Table, options: Options): string[] | null {
  const text = options.get("$select");
  if (text === undefined || text.trim() === "") return null;
  const select = text.split(",").map((name) => name.trim());
  checkSelect(table, select);
  return select;
}

export function viewWithExpand(
  call: DataverseCall,
  table: Table,
  row: Row,
  options: Options,
): Record<string, unknown> {
  const { withAnnotations } = call;
  const view = viewRow(call, table, row, { select: readSelect(table, options), withAnnotations });
  for (const { name, inner } of readExpand(options.get("$expand"))) {
    view[name] = expand(call, table, row, name, inner);
  }
  return view;
}

function expand(
  call: DataverseCall,
  table: Table,
  row: Row,
  name: string,
  inner: Options,
): unknown {
  const single = findNavigation(call.schema, table, name);
  if (single !== undefined) {
    const reference = row.values[single.attribute];
    if (!isReference(reference) || reference.table !== single.referenced.name) return null;
    const target = call.rows.get(single.referenced, reference.id);
    if (target === null || !mayRead(call, single.referenced, target)) return null;
    return viewWithExpand(call, single.referenced, target, inner);
  }
  const many = findCollection(call.schema, table, name);
  if (many === undefined) {
    throw badQuery(
      `Could not find a property named '${name}' on type 'Microsoft.Dynamics.CRM.${table.name}'.`,
    );
  }
  const children = childrenOf(call, many.referencing, many.attribute, row.id);
  const { rows } = listRows(call, many.referencing, children, inner);
  const top = Number(inner.get("$top") ?? rows.length);
  return rows.slice(0, top).map((child) => viewWithExpand(call, many.referencing, child, inner));
}

export function childrenOf(
  { rows }: DataverseCall,
  table: Table,
  attribute: string,
  parentId: string,
): Row[] {
  return rows.all(table).filter((row) => {
    const reference = row.values[attribute];
    return isReference(reference) && reference.id === parentId;
  });
}

/** `a,b($select=x;$expand=c($select=y))` split at the outermost level. */
function readExpand(text: string | undefined): { name: string; inner: Options }[] {
  if (text === undefined) return [];
  return splitOutside(text, ",").map((part) => {
    const match = /^\s*([\w]+)\s*(?:\((.*)\))?\s*$/s.exec(part);
    if (match === null) throw badQuery(`Syntax error in the $expand '${text}'.`);
    const inner = new Map<string, string>();
    for (const option of splitOutside(match[2] ?? "", ";")) {
      const at = option.indexOf("=");
      inner.set(option.slice(0, at).trim(), option.slice(at + 1).trim());
    }
    return { name: match[1]!, inner };
  });
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (text[index] !== separator || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)].filter((part) => part.trim() !== "");
}

/** Which rows of a result make this page, and the query of the next one. */
export function readPage(request: TenantRequest, options: Options, pageSize: number | null) {
  const top = options.has("$top") ? Number(options.get("$top")) : null;
  if (top !== null && (!Number.isInteger(top) || top < 0)) {
    throw badQuery(`Invalid value '${options.get("$top")}' for $top query option found.`);
  }
  const page = readSkipToken(options.get("$skiptoken"));
  const size = Math.min(pageSize ?? PAGE_MAX, PAGE_MAX);
  // With $top there is one page only.
  if (top !== null) return { start: 0, end: top, next: null };
  const next = new URLSearchParams(request.query);
  const cookie = `<cookie pagenumber="${page + 1}" pagingcookie="%253ccookie%2520page%253d%2522${page}%2522%252f%253e" istracking="False" />`;
  next.set("$skiptoken", cookie);
  return { start: (page - 1) * size, end: page * size, next };
}

function readSkipToken(token: string | undefined): number {
  if (token === undefined) return 1;
  const page = Number(/pagenumber="(\d+)"/.exec(token)?.[1]);
  if (!Number.isInteger(page)) throw badQuery("Malformed XML in the Paging Cookie");
  return page;
}

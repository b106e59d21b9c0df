/**
 * `$apply`: `filter(…)/groupby((a,b),aggregate(x with sum as y))`, to the extent that Dataverse supports it.
 */
import { compare } from "../../odata/compare.ts";
import { splitOutside } from "../../odata/split.ts";
import type { DataverseCall } from "../core/dataverse-call.ts";
import { badQuery, DataverseProblem } from "../core/dataverse-error.ts";
import { FORMATTED_VALUE } from "../core/preferences.ts";
import type { Row } from "../core/rows.ts";
import { type Column, findNavigation, type Table } from "../schema/schema.ts";
import { fieldOf, parseFilter } from "./filter.ts";
import { findProperty, formatValue } from "./row-view.ts";

const ROWS_MAX = 50_000;
const METHODS = ["sum", "average", "min", "max", "countdistinct"] as const;
type Method = (typeof METHODS)[number];

interface Measure {
  /** Null counts the rows. */
  readonly path: string | null;
  readonly method: Method | null;
  readonly alias: string;
}

export function applyTo(
  call: DataverseCall,
  table: Table,
  candidates: readonly Row[],
  text: string,
): Record<string, unknown>[] {
  let rows = candidates;
  const steps = splitOutside(text, "/");
  for (const [index, step] of steps.entries()) {
    const match = /^\s*(filter|groupby|aggregate)\((.*)\)\s*$/s.exec(step);
    if (match === null) throw syntax(text);
    const [, name, inner] = match as unknown as [string, string, string];
    const isLast = index === steps.length - 1;
    if (name === "filter") {
      const test = parseFilter(call, table, inner);
      rows = rows.filter(test);
      if (isLast) throw badQuery("The filter transformation must be followed by another one.");
      continue;
    }
    if (!isLast) throw badQuery(`Nothing can follow ${name} in $apply.`);
    checkSize(rows);
    if (name === "aggregate") return [measure(call, table, rows, readMeasures(inner))];
    return group(call, table, rows, inner);
  }
  throw syntax(text);
}

function checkSize(rows: readonly Row[]): void {
  if (rows.length <= ROWS_MAX) return;
  throw new DataverseProblem(
    400,
    "0x8004e023",
    "The maximum record limit is exceeded. Reduce the number of records.",
  );
}

function group(
  call: DataverseCall,
  table: Table,
  rows: readonly Row[],
  text: string,
): Record<string, unknown>[] {
  const match = /^\s*\(([^)]*)\)\s*(?:,\s*aggregate\((.*)\)\s*)?$/s.exec(text);
  if (match === null) throw syntax(text);
  const keys = match[1]!.split(",").map((path) => readKey(call, table, path.trim()));
  const measures = match[2] === undefined ? [] : readMeasures(match[2]);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map(({ read }) => read(row)));
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((members) => ({
    ...Object.assign({}, ...keys.map((key) => showKey(call, key, members[0]!))),
    ...measure(call, table, members, measures),
  }));
}

interface Key {
  readonly name: string;
  readonly column: Column;
  read(row: Row): unknown;
}

/** A property of a looked-up row is shown as `contact_fullname`: its table and its name. */
function readKey(call: DataverseCall, table: Table, path: string): Key {
  const names = path.split("/");
  if (names.length > 1 && names[0] === "ownerid") throw syntax(path);
  const { read } = fieldOf(call, table, names);
  const owner = names.slice(0, -1).reduce((from, name) => {
    return findNavigation(call.schema, from, name)!.referenced;
  }, table);
  const column = owner.columns[findProperty(owner, names.at(-1)!)!]!;
  if (column.type === "date") throw badQuery("groupby with datetime values is not supported.");
  const name = names.length === 1 ? path : `${owner.name}_${names.at(-1)}`;
  return { name, column, read };
}

function showKey(call: DataverseCall, { name, column, read }: Key, row: Row) {
  const value = read(row) as string | number | boolean | null;
  return value === null ? {} : annotated(call, name, value, formatValue(column, value));
}

function annotated(call: DataverseCall, name: string, value: unknown, formatted?: string) {
  const isWanted = formatted !== undefined && call.preferences.wants(FORMATTED_VALUE);
  return { ...(isWanted ? { [`${name}@${FORMATTED_VALUE}`]: formatted } : {}), [name]: value };
}

function readMeasures(text: string): Measure[] {
  return text.split(",").map((part) => {
    const match = /^\s*(?:\$count|([\w/]+)\s+with\s+(\w+))\s+as\s+(\w+)\s*$/.exec(part);
    const method = METHODS.find((known) => known === match?.[2]);
    if (match === null || (match[1] !== undefined && method === undefined)) throw syntax(text);
    return { path: match[1] ?? null, method: method ?? null, alias: match[3]! };
  });
}

function measure(
  call: DataverseCall,
  table: Table,
  rows: readonly Row[],
  measures: readonly Measure[],
): Record<string, unknown> {
  return Object.assign(
    {},
    ...measures.map(({ path, method, alias }) => {
      if (path === null) return annotated(call, alias, rows.length, String(rows.length));
      const { read } = fieldOf(call, table, path.split("/"));
      const values = rows.map((row) => read(row)).filter((value) => value !== null);
      const result = reduce(values, method!);
      const formatted = typeof result === "number" ? result.toLocaleString("en-US") : undefined;
      return annotated(call, alias, result, formatted);
    }),
  ) as Record<string, unknown>;
}

export function reduce(values: readonly unknown[], method: Method): unknown {
  if (method === "countdistinct") return new Set(values).size;
  if (values.length === 0) return null;
  if (method === "min" || method === "max") {
    const sign = method === "min" ? 1 : -1;
    return values.reduce((best, each) => ((compare(each, best) ?? 0) * sign < 0 ? each : best));
  }
  const sum = values.reduce<number>((total, each) => total + Number(each), 0);
  if (Number.isNaN(sum)) throw badQuery(`'${method}' needs a property with numbers.`);
  return method === "sum" ? sum : sum / values.length;
}

function syntax(text: string): Error {
  return badQuery(`Syntax error in the $apply '${text}'.`);
}

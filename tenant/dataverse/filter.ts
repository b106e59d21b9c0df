/** `$filter`: a recursive-descent parser whose result answers for a row. */
import { badQuery, unknownProperty } from "./dataverse-error.ts";
import { findProperty } from "./row-view.ts";
import { isReference, type Row, type Rows, type Value } from "./rows.ts";
import { type Column, findNavigation, type Schema, type Table } from "./schema.ts";

export type Test = (row: Row) => boolean;

interface World {
  readonly schema: Schema;
  readonly rows: Rows;
}

type Plain = string | number | boolean | null;
/** A property of the row, or of the row that a navigation property leads to. */
interface Field {
  readonly column: Column;
  read(row: Row): Plain;
}

const TOKEN =
  /\s*(?:('(?:[^']|'')*')|([()\],[])|([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})|(\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d)?|\d{4}-\d\d-\d\d)|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w./]*))/y;

export function parseFilter(world: World, table: Table, text: string): Test {
  const tokens = tokenize(text);
  let at = 0;
  const peek = () => tokens[at];
  const take = (): string => {
    const token = tokens[at++];
    if (token === undefined) throw syntax(text);
    return token;
  };
  const expect = (wanted: string) => {
    if (take() !== wanted) throw syntax(text);
  };

  const parseOr = (): Test => {
    let left = parseAnd();
    while (peek() === "or") {
      take();
      const [one, other] = [left, parseAnd()];
      left = (row) => one(row) || other(row);
    }
    return left;
  };
  const parseAnd = (): Test => {
    let left = parseNot();
    while (peek() === "and") {
      take();
      const [one, other] = [left, parseNot()];
      left = (row) => one(row) && other(row);
    }
    return left;
  };
  const parseNot = (): Test => {
    if (peek() !== "not") return parseTerm();
    take();
    const inner = parseNot();
    return (row) => !inner(row);
  };
  const parseTerm = (): Test => {
    const token = take();
    if (token === "(") {
      const inner = parseOr();
      expect(")");
      return inner;
    }
    if (["contains", "startswith", "endswith"].includes(token)) return parseTextTest(token);
    return parseComparison(fieldOf(world, table, token));
  };
  const parseTextTest = (name: string): Test => {
    expect("(");
    const field = fieldOf(world, table, take());
    expect(",");
    const wanted = String(literal(take(), text)).toLowerCase();
    expect(")");
    return (row) => {
      const value = String(field.read(row) ?? "").toLowerCase();
      if (name === "contains") return value.includes(wanted);
      return name === "startswith" ? value.startsWith(wanted) : value.endsWith(wanted);
    };
  };
  const parseComparison = (field: Field): Test => {
    const operator = take();
    if (operator === "in") {
      expect("(");
      const wanted: Plain[] = [];
      do wanted.push(comparable(field.column, literal(take(), text)));
      while (take() === ",");
      return (row) => wanted.includes(comparable(field.column, field.read(row)));
    }
    const compare = OPERATORS[operator];
    if (compare === undefined) throw syntax(text);
    const wanted = comparable(field.column, literal(take(), text));
    return (row) => compare(comparable(field.column, field.read(row)), wanted);
  };

  const test = parseOr();
  if (at < tokens.length) throw syntax(text);
  return test;
}

/** Nothing is greater or smaller than null; only equality can see it. */
const OPERATORS: Readonly<Record<string, (value: Plain, wanted: Plain) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  gt: (value, wanted) => value !== null && wanted !== null && value > wanted,
  ge: (value, wanted) => value !== null && wanted !== null && value >= wanted,
  lt: (value, wanted) => value !== null && wanted !== null && value < wanted,
  le: (value, wanted) => value !== null && wanted !== null && value <= wanted,
};

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (match === null) throw syntax(text);
    tokens.push(match.slice(1).find((part) => part !== undefined)!);
  }
  return tokens;
}

function literal(token: string, text: string): Plain {
  if (token === "null") return null;
  if (token === "true" || token === "false") return token === "true";
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (/^-?\d+(\.\d+)?$/.test(token)) return Number(token);
  if (/^\d{4}-|^[0-9a-fA-F]{8}-/.test(token)) return token;
  throw syntax(text);
}

/** Text and ids compare without case, times as moments. */
export function comparable(column: Column, value: Plain): Plain {
  if (value === null) return null;
  if (column.type === "date") return Date.parse(String(value));
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** `sprk_name`, `_sprk_matter_value`, or `sprk_Matter/sprk_name`. */
export function fieldOf(world: World, table: Table, path: string): Field {
  const [first, ...rest] = path.split("/") as [string, ...string[]];
  if (rest.length > 0) {
    const relationship = findNavigation(world.schema, table, first);
    if (relationship === undefined) throw unknownProperty(first, table.name);
    const { attribute, referenced } = relationship;
    const inner = fieldOf(world, referenced, rest.join("/"));
    return {
      column: inner.column,
      read(row) {
        const reference = row.values[attribute];
        const target = isReference(reference) ? world.rows.get(referenced, reference.id) : null;
        return target === null ? null : inner.read(target);
      },
    };
  }
  const name = findProperty(table, first);
  if (name === null) throw unknownProperty(first, table.name);
  return {
    column: table.columns[name]!,
    read: (row) => (name === table.primaryId ? row.id : plain(row.values[name] ?? null)),
  };
}

function plain(value: Value): Plain {
  return isReference(value) ? value.id : value;
}

function syntax(text: string): Error {
  return badQuery(`Syntax error at position 0 in '${text}'.`);
}

/** `$filter` and `$orderby` over rows: what names mean in a table. */
import { type Field, parseFilter as parse, type Source } from "../odata/filter.ts";
import { ODataSyntaxError } from "../odata/tokens.ts";
import { badQuery, unknownProperty } from "./dataverse-error.ts";
import { findProperty } from "./row-view.ts";
import { isReference, type Row, type Rows, type Value } from "./rows.ts";
import { type Column, findCollection, findNavigation, type Schema, type Table } from "./schema.ts";

export interface FilterWorld {
  readonly schema: Schema;
  readonly rows: Rows;
}

export function parseFilter(world: FilterWorld, table: Table, text: string): (row: Row) => boolean {
  return withSyntax(text, () => parse(text, rowsOf(world, table)));
}

/** Syntax errors in Dataverse's words. */
export function withSyntax<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw badQuery(`Syntax error at position ${error.at} in '${text}'.`);
  }
}

function rowsOf(world: FilterWorld, table: Table): Source {
  return {
    field: (names) => fieldOf(world, table, names),
    collection(names) {
      const found = findCollection(world.schema, table, names[0] ?? "");
      if (found === undefined || names.length > 1)
        throw unknownProperty(names.join("/"), table.name);
      const { referencing, attribute } = found;
      return {
        source: rowsOf(world, referencing),
        items: (row) =>
          world.rows.all(referencing).filter(({ values }) => {
            const reference = values[attribute];
            return isReference(reference) && reference.id === (row as Row).id;
          }),
      };
    },
  };
}

const LITERAL_TYPES: Readonly<Record<Column["type"], Field["type"]>> = {
  text: "text",
  memo: "text",
  int: "number",
  bigint: "number",
  decimal: "number",
  bool: "boolean",
  date: "time",
  guid: "guid",
  choice: "number",
  state: "number",
  status: "number",
  lookup: "guid",
};

/** `sprk_name`, `_sprk_matter_value`, or `sprk_Matter/sprk_name`. */
export function fieldOf(world: FilterWorld, table: Table, names: readonly string[]): Field {
  const [first = "", ...rest] = names;
  if (rest.length > 0) return fieldBehind(world, table, first, rest);
  const name = findProperty(table, first);
  if (name === null) throw unknownProperty(first, table.name);
  return {
    type: LITERAL_TYPES[table.columns[name]!.type],
    read(item) {
      const row = item as Row;
      return name === table.primaryId ? row.id : plain(row.values[name] ?? null);
    },
  };
}

function fieldBehind(world: FilterWorld, table: Table, first: string, rest: string[]): Field {
  const relationship = findNavigation(world.schema, table, first);
  if (relationship === undefined) throw unknownProperty(first, table.name);
  const { attribute, referenced } = relationship;
  const inner = fieldOf(world, referenced, rest);
  return {
    type: inner.type,
    read(item) {
      const reference = (item as Row).values[attribute];
      const target = isReference(reference) ? world.rows.get(referenced, reference.id) : null;
      return target === null ? null : inner.read(target);
    },
  };
}

function plain(value: Value): string | number | boolean | null {
  return isReference(value) ? value.id : value;
}

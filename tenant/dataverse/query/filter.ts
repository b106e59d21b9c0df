/** `$filter` and `$orderby` over rows: what names mean in a table. */
import { type Field, parseFilter as parse, type Source } from "../../odata/filter.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import type { DataverseCall } from "../core/dataverse-call.ts";
import { badQuery, unknownProperty } from "../core/dataverse-error.ts";
import { isReference, type Row, type Value } from "../core/rows.ts";
import { mayRead } from "../core/security.ts";
import { type Column, findCollection, findNavigation, type Table } from "../schema/schema.ts";
import { compileFunction } from "./query-functions.ts";
import { findProperty } from "./row-view.ts";
import { likeFunction } from "./wildcards.ts";

type FilterWorld = Pick<DataverseCall, "schema" | "rows">;

export function parseFilter(
  call: DataverseCall,
  table: Table,
  text: string,
): (row: Row) => boolean {
  return withSyntax(text, () => parse(text, rowsOf(call, table), call.request.query));
}

/** Throws syntax errors in Dataverse's words. */
export function withSyntax<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    const words = capitalize(error.message).replace(/\.$/, "");
    throw badQuery(`${words} at position ${error.at} in '${text}'.`);
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function rowsOf(call: DataverseCall, table: Table): Source {
  const field = (names: readonly string[]) => fieldOf(call, table, names);
  return {
    field,
    textFunction: likeFunction,
    hasIn: false,
    call: (called) =>
      compileFunction(called, {
        nowMs: call.context.clock.now(),
        userId: call.user.id,
        businessUnitId: call.businessUnitId(),
        // A lookup is named as its column or as its property.
        field: (name) =>
          field(table.columns[name]?.type === "lookup" ? [`_${name}_value`] : name.split("/")),
      }),
    collection(names) {
      const found = findCollection(call.schema, table, names[0] ?? "");
      if (found === undefined || names.length > 1)
        throw unknownProperty(names.join("/"), table.name);
      const { referencing, attribute } = found;
      return {
        source: rowsOf(call, referencing),
        items: (row) =>
          call.rows
            .childrenOf(referencing, attribute, (row as Row).id)
            .filter((child) => mayRead(call, referencing, child)),
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
  // An owner may be a user or a team, and has only its id.
  if (first === "ownerid") {
    if (rest[0] !== first || rest.length > 1) throw unknownProperty(rest[0]!, "principal");
    return fieldOf(world, table, [`_${first}_value`]);
  }
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

/** Rows as the Web API shows them. */
import { unknownProperty } from "./dataverse-error.ts";
import { eTagOf, isReference, type Row, type Rows } from "./rows.ts";
import type { Column, Schema, Table } from "./schema.ts";

export interface ViewOptions {
  /** Null shows every column that may be read. */
  readonly select: readonly string[] | null;
  readonly withAnnotations: boolean;
}

const FORMATTED = "@OData.Community.Display.V1.FormattedValue";
/** Columns that can be written and never read. */
const HIDDEN = new Set(["authvalue"]);

/** The column behind a property name: `sprk_name`, or `_sprk_matter_value` for a lookup. */
export function findProperty(table: Table, name: string): string | null {
  const column = table.columns[name];
  if (column !== undefined) return column.type === "lookup" || HIDDEN.has(name) ? null : name;
  const inner = /^_(.+)_value$/.exec(name)?.[1];
  return inner !== undefined && table.columns[inner]?.type === "lookup" ? inner : null;
}

export function viewRow(
  world: { schema: Schema; rows: Rows },
  table: Table,
  row: Row,
  options: ViewOptions,
): Record<string, unknown> {
  const view: Record<string, unknown> = { "@odata.etag": eTagOf(row) };
  for (const [name, column] of Object.entries(table.columns)) {
    if (HIDDEN.has(name)) continue;
    const property = column.type === "lookup" ? `_${name}_value` : name;
    if (!isWanted(table, property, options.select)) continue;
    const value = name === table.primaryId ? row.id : (row.values[name] ?? null);
    view[property] = isReference(value) ? value.id : value;
    if (name === "versionnumber") view[property] = row.version;
    if (options.withAnnotations) annotate(world, table, row, name, column, property, view);
  }
  return view;
}

function isWanted(table: Table, property: string, select: readonly string[] | null): boolean {
  return select === null || property === table.primaryId || select.includes(property);
}

/** Throws for the first name that is no property of the table. */
export function checkSelect(table: Table, select: readonly string[]): void {
  for (const name of select) {
    if (findProperty(table, name) === null) throw unknownProperty(name, table.name);
  }
}

function annotate(
  { schema, rows }: { schema: Schema; rows: Rows },
  table: Table,
  row: Row,
  name: string,
  column: Column,
  property: string,
  view: Record<string, unknown>,
): void {
  const value = row.values[name] ?? null;
  if (value === null) return;
  if (isReference(value)) {
    const target = schema.byName(value.table)!;
    const targetRow = rows.get(target, value.id);
    const navigation = schema.relationships.find(
      (known) =>
        known.referencing === table && known.attribute === name && known.referenced === target,
    );
    view[`${property}${FORMATTED}`] = String(targetRow?.values[target.primaryName] ?? value.id);
    view[`${property}@Microsoft.Dynamics.CRM.lookuplogicalname`] = value.table;
    view[`${property}@Microsoft.Dynamics.CRM.associatednavigationproperty`] =
      navigation?.navigation;
  } else if ("options" in column) view[`${property}${FORMATTED}`] = column.options[Number(value)];
  else if (column.type === "bool") view[`${property}${FORMATTED}`] = value ? "Yes" : "No";
  else if (column.type === "int")
    view[`${property}${FORMATTED}`] = Number(value).toLocaleString("en-US");
  else if (column.type === "date") {
    view[`${property}${FORMATTED}`] = new Date(String(value)).toLocaleString("en-US", {
      timeZone: "UTC",
    });
  }
}

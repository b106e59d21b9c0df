/** Rows as the Web API shows them. */
import { unknownProperty } from "../core/dataverse-error.ts";
import { FORMATTED_VALUE } from "../core/preferences.ts";
import { eTagOf, isReference, type Row, type Rows } from "../core/rows.ts";
import type { Column, Schema, Table } from "../schema/schema.ts";

export interface ViewOptions {
  /** Null shows every column that may be read. */
  readonly select: readonly string[] | null;
  /** Which annotations to add to the values. */
  readonly wants: (annotation: string) => boolean;
}

const LOOKUP_TABLE = "Microsoft.Dynamics.CRM.lookuplogicalname";
const LOOKUP_NAVIGATION = "Microsoft.Dynamics.CRM.associatednavigationproperty";
/** Columns that can be written but never read. */
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
    Object.assign(view, annotationsOf(world, table, row, name, options.wants));
  }
  return view;
}

function isWanted(table: Table, property: string, select: readonly string[] | null): boolean {
  return select === null || property === table.primaryId || select.includes(property);
}

/** Throws for the first name that is not a property of the table. */
export function checkSelect(table: Table, select: readonly string[]): void {
  for (const name of select) {
    if (findProperty(table, name) === null) throw unknownProperty(name, table.name);
  }
}

function annotationsOf(
  { schema, rows }: { schema: Schema; rows: Rows },
  table: Table,
  row: Row,
  name: string,
  wants: ViewOptions["wants"],
): Record<string, unknown> {
  const value = row.values[name] ?? null;
  const column = table.columns[name]!;
  if (value === null) return {};
  const property = column.type === "lookup" ? `_${name}_value` : name;
  const found: Record<string, unknown> = {};
  const add = (annotation: string, text: unknown) => {
    if (text !== undefined && wants(annotation)) found[`${property}@${annotation}`] = text;
  };
  if (!isReference(value)) {
    add(FORMATTED_VALUE, formatValue(column, value));
    return found;
  }
  const target = schema.byName(value.table)!;
  const targetRow = rows.get(target, value.id);
  const navigation = schema.relationships.find(
    (known) =>
      known.referencing === table && known.attribute === name && known.referenced === target,
  );
  add(FORMATTED_VALUE, String(targetRow?.values[target.primaryName] ?? value.id));
  add(LOOKUP_TABLE, value.table);
  add(LOOKUP_NAVIGATION, navigation?.navigation);
  return found;
}

const DATE_FORMAT = {
  timeZone: "UTC",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
} as const;

/** A value as a form of the app displays it; undefined for columns that are displayed unchanged. */
export function formatValue(column: Column, value: string | number | boolean): string | undefined {
  if ("options" in column) return column.options[Number(value)];
  switch (column.type) {
    case "bool":
      return value ? "Yes" : "No";
    case "int":
    case "bigint":
      return Number(value).toLocaleString("en-US");
    case "decimal":
      return Number(value).toLocaleString("en-US", { minimumFractionDigits: 2 });
    case "date":
      return new Date(String(value)).toLocaleString("en-US", DATE_FORMAT).replace(",", "");
    default:
      return undefined;
  }
}

/** Rows with what `$select` and `$expand` request. */
import { apiRoot, type DataverseCall } from "../core/dataverse-call.ts";
import { unknownProperty } from "../core/dataverse-error.ts";
import { isReference, type Row } from "../core/rows.ts";
import { mayRead } from "../core/security.ts";
import { findCollection, findNavigation, type Relationship, type Table } from "../schema/schema.ts";
import { listRows } from "./list-rows.ts";
import { type Expansion, type Options, readExpand, readWhole } from "./options.ts";
import { checkSelect, viewRow } from "./row-view.ts";

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
  const { wants } = call.preferences;
  const view = viewRow(call, table, row, { select: readSelect(table, options), wants });
  for (const expansion of readExpand(options.get("$expand"))) {
    view[expansion.name] = expand(call, table, row, expansion);
  }
  return view;
}

/** Throws what reading a row would throw, even if there is no row to read. */
export function checkExpand(call: DataverseCall, table: Table, options: Options): void {
  readSelect(table, options);
  for (const expansion of readExpand(options.get("$expand"))) {
    const { target, isMany } = follow(call, table, expansion.name);
    const inner = expansion.options(isMany);
    if (isMany) listRows(call, target, [], inner);
    readWhole(inner, "$top");
    checkExpand(call, target, inner);
  }
}

function follow(call: DataverseCall, table: Table, name: string) {
  const one = findNavigation(call.schema, table, name);
  if (one !== undefined) return { relationship: one, target: one.referenced, isMany: false };
  const many = findCollection(call.schema, table, name);
  if (many === undefined) throw unknownProperty(name, table.name);
  return { relationship: many, target: many.referencing, isMany: true };
}

function expand(call: DataverseCall, table: Table, row: Row, expansion: Expansion): unknown {
  const { relationship, target, isMany } = follow(call, table, expansion.name);
  const options = expansion.options(isMany);
  const view = (found: Row) =>
    expansion.isReference
      ? { "@odata.id": `${apiRoot(call)}/${target.setName}(${found.id})` }
      : viewWithExpand(call, target, found, options);
  if (!isMany) {
    const found = targetOf(call, relationship, row);
    return found === null ? null : view(found);
  }
  const children = call.rows.childrenOf(target, relationship.attribute, row.id);
  const rows = listRows(call, target, children, options);
  return rows.slice(0, readWhole(options, "$top") ?? rows.length).map(view);
}

/** The row that a lookup points to; null if it is empty, deleted or hidden from the caller. */
export function targetOf(call: DataverseCall, relationship: Relationship, row: Row): Row | null {
  const { attribute, referenced } = relationship;
  const reference = row.values[attribute];
  if (!isReference(reference) || reference.table !== referenced.name) return null;
  const target = call.rows.get(referenced, reference.id);
  return target !== null && mayRead(call, referenced, target) ? target : null;
}

/** `accounts(name,primarycontactid(fullname))` */
export function contextOf(call: DataverseCall, table: Table, options: Options): string {
  const shape = shapeOf(call, table, options);
  return `${apiRoot(call)}/$metadata#${table.setName}${shape === "" ? "" : `(${shape})`}`;
}

function shapeOf(call: DataverseCall, table: Table, options: Options): string {
  const select = options.get("$select");
  const expanded = readExpand(options.get("$expand")).map(({ name, options: inner }) => {
    const { target, isMany } = follow(call, table, name);
    return `${name}(${shapeOf(call, target, inner(isMany))})`;
  });
  return [...(select ? [select] : []), ...expanded].join(",");
}

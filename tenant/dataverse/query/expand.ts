/** Rows with what `$select` and `$expand` request. */
import { writeQuery } from "../../odata/write-query.ts";
import { apiRoot, type DataverseCall } from "../core/dataverse-call.ts";
import { badQuery, unknownProperty } from "../core/dataverse-error.ts";
import { isReference, type Row } from "../core/rows.ts";
import { mayRead } from "../core/security.ts";
import { findCollection, findNavigation, type Relationship, type Table } from "../schema/schema.ts";
import { listRows } from "./list-rows.ts";
import { type Expansion, type Options, readExpand, readWhole } from "./options.ts";
import { PAGE_MAX, writeSkipToken } from "./pages.ts";
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
  const expansions = readExpand(options.get("$expand"));
  const isNested = hasNested(call, table, expansions);
  for (const expansion of expansions) {
    Object.assign(view, expand(call, table, row, { ...expansion, isNested }));
  }
  return view;
}

/** Throws what reading a row would throw, even if there is no row to read. */
export function checkExpand(call: DataverseCall, table: Table, options: Options): void {
  readSelect(table, options);
  const expansions = readExpand(options.get("$expand"));
  const isNested = hasNested(call, table, expansions);
  for (const expansion of expansions) {
    const { target, isMany } = follow(call, table, expansion.name);
    if (expansion.name === OWNER && !expansion.isReference) {
      checkPrincipal(expansion.options(false));
      continue;
    }
    const inner = expansion.options(isMany);
    if (isMany && expansion.isReference) {
      throw badQuery("Expand with $ref is only supported on lookup type navigation property.");
    }
    if (isMany && isNested && (inner.has("$top") || inner.has("$orderby"))) {
      throw badQuery(
        "Only $select and $filter clause can be provided while doing $expand on many-to-one relationship or nested one-to-many relationship.",
      );
    }
    if (isMany) listRows(call, target, [], inner);
    readWhole(inner, "$top");
    checkExpand(call, target, inner);
  }
}

/** One nested `$expand` anywhere changes how all expanded collections are paged (join-tables). */
function hasNested(call: DataverseCall, table: Table, expansions: readonly Expansion[]): boolean {
  return expansions.some(({ name, options }) =>
    options(follow(call, table, name).isMany).has("$expand"),
  );
}

function follow(call: DataverseCall, table: Table, name: string) {
  const one = findNavigation(call.schema, table, name);
  if (one !== undefined) return { relationship: one, target: one.referenced, isMany: false };
  const many = findCollection(call.schema, table, name);
  if (many === undefined) throw unknownProperty(name, table.name);
  return { relationship: many, target: many.referencing, isMany: true };
}

function expand(
  call: DataverseCall,
  table: Table,
  row: Row,
  expansion: Expansion & { readonly isNested: boolean },
): Record<string, unknown> {
  const { name, isNested } = expansion;
  const { relationship, target, isMany } = follow(call, table, name);
  const options = expansion.options(isMany);
  const view = (found: Row) =>
    expansion.isReference
      ? { "@odata.id": `${apiRoot(call)}/${target.setName}(${found.id})` }
      : viewWithExpand(call, target, found, options);
  if (name === OWNER && !expansion.isReference) return { [name]: viewPrincipal(row, expansion) };
  if (!isMany) {
    const found = targetOf(call, relationship, row);
    return { [name]: found === null ? null : view(found) };
  }
  const children = call.rows.childrenOf(target, relationship.attribute, row.id);
  const rows = listRows(call, target, children, options);
  const { pageSize, honoured } = call.preferences;
  const size = isNested ? (pageSize ?? PAGE_MAX) : PAGE_MAX;
  if (isNested && pageSize !== null) honoured.add("odata.maxpagesize");
  const query = new Map(options);
  if (isNested) query.set("$skiptoken", writeSkipToken(1, size));
  const link = `${apiRoot(call)}/${table.setName}(${row.id})/${name}`;
  const end = Math.min(readWhole(options, "$top") ?? size, size);
  return {
    [name]: rows.slice(0, end).map(view),
    ...(isNested && rows.length < size
      ? {}
      : { [`${name}@odata.nextLink`]: query.size === 0 ? link : `${link}?${writeQuery(query)}` }),
  };
}

/** An owner may be a user or a team, so all that is known of it is its id. */
const OWNER = "ownerid";

function checkPrincipal(options: Options): void {
  for (const name of options.keys()) {
    if (name !== "$select") throw badQuery(`The query option ${name} does not apply to an owner.`);
  }
  const names = options.get("$select")?.split(",") ?? [];
  const unknown = names.map((name) => name.trim()).find((name) => name !== OWNER);
  if (unknown !== undefined) throw unknownProperty(unknown, "principal");
}

function viewPrincipal(row: Row, { options }: Expansion): Record<string, unknown> | null {
  checkPrincipal(options(false));
  const owner = row.values[OWNER];
  if (!isReference(owner)) return null;
  return { "@odata.type": `#Microsoft.Dynamics.CRM.${owner.table}`, [OWNER]: owner.id };
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

/** Runs a FetchXML query: joins, filters, sorts. */
import type { DataverseCall } from "../core/dataverse-call.ts";
import { DataverseProblem } from "../core/dataverse-error.ts";
import { isReference, type Row } from "../core/rows.ts";
import { mayRead } from "../core/security.ts";
import type { Table } from "../schema/schema.ts";
import { compileCondition } from "./fetch-conditions.ts";
import {
  type Fetch,
  type FetchEntity,
  type FetchFilter,
  type FetchLink,
  wrong,
} from "./fetch-xml.ts";
import { byKeys } from "./list-rows.ts";

/** One result: the row of the entity, and the rows that links joined to it, by alias. */
export interface FetchRecord {
  readonly row: Row;
  readonly linked: ReadonlyMap<string, Row | null>;
}

/** An entity of the query with its table; links have an alias. */
export interface Joined {
  readonly entity: FetchEntity;
  readonly table: Table;
  readonly alias: string | null;
}

export function findRecords(
  call: DataverseCall,
  fetch: Fetch,
  joined: readonly Joined[],
): FetchRecord[] {
  const root = joined[0]!;
  let records: FetchRecord[] = readable(call, root.table).map((row) => ({
    row,
    linked: new Map(),
  }));
  records = joinAll(call, records, root, joined);
  for (const { entity, alias, table } of joined) {
    const tests = entity.filters.map((filter) =>
      compileFilter(call, filter, { table, alias, joined }),
    );
    const isOuter = alias !== null && (entity as FetchLink).type === "outer";
    // Filters of an outer link belong to the join and were applied there.
    if (!isOuter) records = records.filter((record) => tests.every((test) => test(record)));
  }
  sort(records, joined, fetch.isAggregate);
  return records;
}

/** Every entity of the query, the root first, with the alias under which its columns are shown. */
export function joinedOf(
  call: DataverseCall,
  entity: FetchEntity,
  alias: string | null = null,
): Joined[] {
  const table = call.schema.byName(entity.name);
  if (table === undefined) {
    throw new DataverseProblem(
      400,
      "0x80041102",
      `The entity with a name = '${entity.name}' with namemapping = 'Logical' was not found in the MetadataCache.`,
    );
  }
  const names = entity.attributes?.map(({ name }) => name) ?? [];
  for (const name of names) columnOf(table, name);
  return [
    { entity, table, alias },
    ...entity.links.flatMap((link, index) => {
      columnOf(table, link.to);
      return joinedOf(call, link, link.alias ?? `${link.name}${index + 1}`);
    }),
  ];
}

export function columnOf(table: Table, name: string) {
  const column = table.columns[name];
  if (column !== undefined) return column;
  throw new DataverseProblem(
    400,
    "0x80041103",
    `'${table.name}' entity doesn't contain attribute with Name = '${name}' and NameMapping = 'Logical'.`,
  );
}

export function cellOf(table: Table, row: Row | null, name: string): unknown {
  if (row === null) return null;
  if (name === table.primaryId) return row.id;
  const value = row.values[name] ?? null;
  return isReference(value) ? value.id : value;
}

function readable(call: DataverseCall, table: Table): Row[] {
  return call.rows.all(table).filter((row) => mayRead(call, table, row));
}

function joinAll(
  call: DataverseCall,
  records: readonly FetchRecord[],
  parent: Joined,
  joined: readonly Joined[],
): FetchRecord[] {
  let found = [...records];
  for (const link of parent.entity.links) {
    const child = joined.find(({ entity }) => entity === link)!;
    columnOf(child.table, link.from);
    found = joinAll(call, join(call, found, parent, child, link), child, joined);
  }
  return found;
}

function join(
  call: DataverseCall,
  records: readonly FetchRecord[],
  parent: Joined,
  child: Joined,
  link: FetchLink,
): FetchRecord[] {
  const candidates = readable(call, child.table);
  const tests =
    link.type === "outer"
      ? link.filters.map((filter) => compileFilter(call, filter, { ...child, joined: [child] }))
      : [];
  return records.flatMap((record) => {
    const from = parent.alias === null ? record.row : (record.linked.get(parent.alias) ?? null);
    const wanted = cellOf(parent.table, from, link.to);
    const add = (row: Row | null): FetchRecord => ({
      row: record.row,
      linked: new Map([...record.linked, [child.alias!, row]]),
    });
    const matches =
      wanted === null
        ? []
        : candidates
            .filter((row) => cellOf(child.table, row, link.from) === wanted)
            .filter((row) => tests.every((test) => test(add(row))));
    switch (link.type) {
      case "inner":
        return matches.map(add);
      case "outer":
        return matches.length === 0 ? [add(null)] : matches.map(add);
      case "not any":
        return matches.length === 0 ? [add(null)] : [];
      default:
        return matches.length === 0 ? [] : [add(matches[0]!)];
    }
  });
}

interface FilterScope {
  readonly table: Table;
  readonly alias: string | null;
  readonly joined: readonly Joined[];
}

function compileFilter(
  call: DataverseCall,
  filter: FetchFilter,
  scope: FilterScope,
): (record: FetchRecord) => boolean {
  const world = {
    nowMs: call.context.clock.now(),
    userId: call.user.id,
    businessUnitId: call.businessUnitId(),
  };
  const conditions = filter.conditions.map(({ entity, attribute, operator, values }) => {
    const owner = entity === null ? scope : scope.joined.find(({ alias }) => alias === entity);
    if (owner === undefined) throw wrong(`No link-entity has the alias '${entity}'.`);
    columnOf(owner.table, attribute);
    const test = compileCondition(operator, values, world);
    return (record: FetchRecord) => {
      const row = owner.alias === null ? record.row : (record.linked.get(owner.alias) ?? null);
      return test(cellOf(owner.table, row, attribute));
    };
  });
  const tests = [
    ...conditions,
    ...filter.filters.map((inner) => compileFilter(call, inner, scope)),
  ];
  return filter.type === "and"
    ? (record) => tests.every((test) => test(record))
    : (record) => tests.some((test) => test(record));
}

function sort(records: FetchRecord[], joined: readonly Joined[], isAggregate: boolean): void {
  if (isAggregate) return;
  const keys = joined.flatMap(({ entity, table, alias }) =>
    entity.orders.map(({ attribute, isDescending }) => {
      if (attribute === null) throw wrong("An order without aggregates needs an attribute.");
      columnOf(table, attribute);
      return {
        sign: isDescending ? (-1 as const) : (1 as const),
        read: ({ row, linked }: FetchRecord) =>
          cellOf(table, alias === null ? row : (linked.get(alias) ?? null), attribute),
      };
    }),
  );
  records.sort(byKeys(keys));
}

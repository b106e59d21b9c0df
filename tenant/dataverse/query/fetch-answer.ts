/** The result of a FetchXML query: a page of records, or aggregates. */
import type { TenantResponse } from "../../http.ts";
import { answer, apiRoot, type DataverseCall } from "../core/dataverse-call.ts";
import type { Row } from "../core/rows.ts";
import type { Table } from "../schema/schema.ts";
import { reduce } from "./apply.ts";
import {
  cellOf,
  columnOf,
  type FetchRecord,
  findRecords,
  type Joined,
  joinedOf,
} from "./fetch-rows.ts";
import { type Fetch, type FetchAttribute, parseFetch, wrong } from "./fetch-xml.ts";
import { byKeys } from "./list-rows.ts";
import { PAGE_MAX } from "./pages.ts";
import { viewRow } from "./row-view.ts";

const CRM = "Microsoft.Dynamics.CRM";

export function answerFetch(call: DataverseCall, table: Table, xml: string): TenantResponse {
  const fetch = parseFetch(xml);
  const joined = joinedOf(call, fetch.entity);
  if (joined[0]!.table !== table) {
    throw wrong(`The entity '${fetch.entity.name}' is not the one of the set '${table.setName}'.`);
  }
  const records = findRecords(call, fetch, joined);
  const context = `${apiRoot(call)}/$metadata#${table.setName}`;
  if (fetch.isAggregate) {
    return answer(call, 200, {
      "@odata.context": context,
      value: aggregate(fetch, joined, records),
    });
  }
  const shown = records.map((record) => show(call, joined, record));
  const unique = fetch.isDistinct ? distinct(shown) : shown;
  const size = fetch.top ?? Math.min(fetch.count ?? PAGE_MAX, PAGE_MAX);
  const start = (fetch.page - 1) * size;
  return answer(call, 200, {
    "@odata.context": `${context}${shapeOf(fetch)}`,
    ...pagingOf(call, fetch, { total: unique.length, isMore: start + size < unique.length }),
    value: unique.slice(start, start + size),
  });
}

function shapeOf({ entity }: Fetch): string {
  const names = entity.attributes?.map(({ name }) => name) ?? [];
  return names.length === 0 ? "" : `(${names.join(",")})`;
}

function pagingOf(
  { preferences }: DataverseCall,
  fetch: Fetch,
  { total, isMore }: { total: number; isMore: boolean },
) {
  const has = (name: string) => preferences.wants(`${CRM}.${name}`);
  const hasPages = fetch.top === null;
  const cookie = `<cookie pagenumber="${fetch.page + 1}" pagingcookie="%253ccookie%2520page%253d%2522${fetch.page}%2522%252f%253e" istracking="False" />`;
  return {
    ...(has("totalrecordcount")
      ? { [`@${CRM}.totalrecordcount`]: fetch.returnsTotal ? Math.min(total, PAGE_MAX) : -1 }
      : {}),
    ...(has("totalrecordcountlimitexceeded")
      ? { [`@${CRM}.totalrecordcountlimitexceeded`]: fetch.returnsTotal && total > PAGE_MAX }
      : {}),
    ...(has("morerecords") && hasPages ? { [`@${CRM}.morerecords`]: isMore } : {}),
    ...(has("fetchxmlpagingcookie") && hasPages && isMore
      ? { [`@${CRM}.fetchxmlpagingcookie`]: cookie }
      : {}),
  };
}

function show(call: DataverseCall, joined: readonly Joined[], { row, linked }: FetchRecord) {
  const [root, ...links] = joined as [Joined, ...Joined[]];
  const view = showRoot(call, root, row);
  for (const { entity, table, alias } of links) {
    const target = linked.get(alias!) ?? null;
    const names = entity.attributes?.map((attribute) => attribute) ?? allOf(table);
    for (const { name, alias: own } of names) {
      const value = cellOf(table, target, name);
      // An empty column is omitted from a joined record.
      if (value !== null) view[own ?? `${alias}.${name}`] = value;
    }
  }
  return view;
}

function allOf(table: Table): Pick<FetchAttribute, "name" | "alias">[] {
  return Object.keys(table.columns).map((name) => ({ name, alias: null }));
}

function showRoot(
  call: DataverseCall,
  { entity, table }: Joined,
  row: Row,
): Record<string, unknown> {
  const { wants } = call.preferences;
  if (entity.attributes === null || entity.attributes.length === 0) {
    return viewRow(call, table, row, { select: null, wants });
  }
  const plain = entity.attributes.filter(({ alias }) => alias === null);
  const select = plain.map(({ name }) =>
    columnOf(table, name).type === "lookup" ? `_${name}_value` : name,
  );
  const view = viewRow(call, table, row, { select, wants });
  for (const { name, alias } of entity.attributes) {
    if (alias !== null) view[alias] = cellOf(table, row, name);
  }
  return view;
}

function distinct(records: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const seen = new Map<string, Record<string, unknown>>();
  for (const record of records) {
    const key = JSON.stringify(record);
    if (!seen.has(key)) seen.set(key, record);
  }
  return [...seen.values()];
}

interface Output {
  readonly alias: string;
  readonly attribute: FetchAttribute;
  read(record: FetchRecord): unknown;
}

function aggregate(
  fetch: Fetch,
  joined: readonly Joined[],
  records: readonly FetchRecord[],
): Record<string, unknown>[] {
  const outputs = joined.flatMap((each) =>
    (each.entity.attributes ?? []).map((attribute) => toOutput(each, attribute)),
  );
  const keys = outputs.filter(({ attribute }) => attribute.isGroup);
  const measures = outputs.filter(({ attribute }) => !attribute.isGroup);
  const groups = new Map<string, FetchRecord[]>();
  for (const record of records) {
    const key = JSON.stringify(keys.map(({ read }) => read(record)));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  if (keys.length === 0 && groups.size === 0) groups.set("", []);
  const results = [...groups.values()].map((members) => ({
    ...Object.fromEntries(keys.map(({ alias, read }) => [alias, read(members[0]!)])),
    ...Object.fromEntries(measures.map((output) => [output.alias, measure(output, members)])),
  }));
  return results.sort(byKeys(ordersOf(joined))).slice(0, fetch.top ?? results.length);
}

function ordersOf(joined: readonly Joined[]) {
  return joined.flatMap(({ entity }) =>
    entity.orders.map(({ alias, isDescending }) => {
      if (alias === null) throw wrong("An order of aggregates needs an alias.");
      const sign = isDescending ? (-1 as const) : (1 as const);
      return { sign, read: (record: Record<string, unknown>) => record[alias] ?? null };
    }),
  );
}

function toOutput({ table, alias }: Joined, attribute: FetchAttribute): Output {
  if (attribute.alias === null) throw wrong("An attribute of an aggregate query needs an alias.");
  if (!attribute.isGroup && attribute.aggregate === null)
    throw wrong("An attribute of an aggregate query must be aggregated or grouped.");
  const part = attribute.dateGrouping === null ? null : datePartOf(attribute.dateGrouping);
  return {
    alias: attribute.alias,
    attribute,
    read({ row, linked }) {
      const from = alias === null ? row : (linked.get(alias) ?? null);
      const value = cellOf(table, from, attribute.name);
      return part === null || value === null ? value : part(new Date(String(value)));
    },
  };
}

function datePartOf(grouping: string): (date: Date) => number {
  const parts: Readonly<Record<string, (date: Date) => number>> = {
    day: (date) => date.getUTCDate(),
    month: (date) => date.getUTCMonth() + 1,
    quarter: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
    year: (date) => date.getUTCFullYear(),
  };
  const part = parts[grouping];
  if (part === undefined) throw wrong(`The dategrouping '${grouping}' is not supported.`);
  return part;
}

function measure({ attribute, read }: Output, members: readonly FetchRecord[]): unknown {
  const values = members.map(read).filter((value) => value !== null);
  switch (attribute.aggregate) {
    case "count":
      return members.length;
    case "countcolumn":
      return attribute.isDistinct ? new Set(values).size : values.length;
    case "sum":
    case "min":
    case "max":
      return reduce(values, attribute.aggregate);
    case "avg":
      return reduce(values, "average");
    default:
      throw wrong(`The aggregate '${attribute.aggregate}' is not supported.`);
  }
}

/** Rows: list, create, read, upsert, delete. */
import type { TenantResponse } from "../http.ts";
import { hasTag } from "../request-headers.ts";
import { callBulkAction } from "./actions.ts";
import { answer, type DataverseCall, readBody } from "./core/dataverse-call.ts";
import {
  badQuery,
  DataverseProblem,
  keyNotFound,
  rowNotFound,
  wrongMethod,
} from "./core/dataverse-error.ts";
import type { Segment } from "./core/entity-path.ts";
import { eTagOf, type Row, type Value } from "./core/rows.ts";
import { checkRight } from "./core/security.ts";
import { createRow, deleteRow, duplicateId, updateRow } from "./operations.ts";
import { isGuid, readKey } from "./payload.ts";
import { useProperty } from "./property-routes.ts";
import { readOptions } from "./query/options.ts";
import { answerCount, answerList, answerWritten, checkRowOptions, viewOne } from "./row-answers.ts";
import type { Table } from "./schema/schema.ts";

/** How a URL names one row: by its id, or by the columns of an alternate key. */
interface RowAddress {
  readonly row: Row | null;
  readonly id: string | null;
  readonly keyValues: Record<string, Value>;
  /** The key as the client wrote it, for `OData-EntityId`. */
  readonly text: string;
}

export async function useSet(
  call: DataverseCall,
  table: Table,
  segment: Segment,
  rest: readonly Segment[],
): Promise<TenantResponse> {
  if (segment.args === null) {
    if (rest.length === 1 && rest[0]!.name === "$count") return count(call, table);
    const bulk = rest.length === 1 ? await callBulkAction(call, table, rest[0]!) : null;
    if (bulk !== null) return bulk;
    if (rest.length > 0) throw badQuery("Bad Request - Error in query syntax.");
    if (call.request.method === "GET") return list(call, table);
    if (call.request.method === "POST") return create(call, table);
    throw wrongMethod();
  }
  const address = findRow(call, table, segment.args);
  if (rest.length > 0) {
    if (address.row === null) throw notFound(table, address);
    checkRight(call, table, address.row, "ReadAccess");
    if (["PUT", "PATCH", "DELETE"].includes(call.request.method)) checkMatch(call, address.row);
    return useProperty(call, table, address.row, rest);
  }
  switch (call.request.method) {
    case "GET":
      return read(call, table, address);
    case "PATCH":
      return upsert(call, table, address);
    case "DELETE":
      return remove(call, table, address);
    default:
      throw wrongMethod();
  }
}

function findRow(call: DataverseCall, table: Table, args: string): RowAddress {
  const plain = args.replace(new RegExp(`^${table.primaryId}=`), "");
  if (isGuid(plain)) {
    const id = plain.toLowerCase();
    return { row: call.rows.get(table, id), id, keyValues: {}, text: id };
  }
  const key = readKey(table, args);
  if (key === null) throw badQuery("Bad Request - Error in query syntax.");
  const row = call.rows.findByKey(table, key.columns, key.values);
  return { row, id: null, keyValues: key.values, text: args };
}

function notFound(table: Table, { id }: RowAddress): DataverseProblem {
  return id === null ? keyNotFound(table.name) : rowNotFound(table.name, id);
}

function list(call: DataverseCall, table: Table): TenantResponse {
  return answerList(call, table, call.rows.all(table));
}

function count(call: DataverseCall, table: Table): TenantResponse {
  if (call.request.method !== "GET") throw wrongMethod();
  return answerCount(call, table, call.rows.all(table));
}

/** 304 says nothing about related rows, so a query that shows any of them never gets it. */
function read(call: DataverseCall, table: Table, address: RowAddress): TenantResponse {
  const { row } = address;
  const options = checkRowOptions(call, table);
  if (row === null) throw notFound(table, address);
  checkRight(call, table, row, "ReadAccess");
  const isPlain = !options.has("$expand") && !call.preferences.hasAnnotations;
  const isKnown = hasTag(call.request.headers["if-none-match"] ?? "", eTagOf(row));
  if (isPlain && isKnown) return answer(call, 304);
  return answer(call, 200, viewOne(call, table, row), { etag: eTagOf(row) });
}

async function create(call: DataverseCall, table: Table): Promise<TenantResponse> {
  checkRowOptions(call, table);
  const row = await createRow(call, table, readBody(call, table.setName));
  return answerWritten(call, table, row, row.id, 201);
}

/** PATCH creates a missing row, unless the conditions forbid it. */
async function upsert(
  call: DataverseCall,
  table: Table,
  address: RowAddress,
): Promise<TenantResponse> {
  checkRowOptions(call, table);
  const body = readBody(call, table.setName);
  const { row } = address;
  const match = call.request.headers["if-match"];
  const noneMatch = call.request.headers["if-none-match"];
  if (row === null) {
    if (match !== undefined) throw notFound(table, address);
    const fixed = { values: address.keyValues, ...(address.id === null ? {} : { id: address.id }) };
    const created = await createRow(call, table, body, fixed);
    return answerWritten(call, table, created, address.text, 201);
  }
  if (noneMatch === "*") throw duplicateId("A record with matching key values already exists.");
  checkMatch(call, row);
  await updateRow(call, table, row, body);
  // `$expand` is ignored here, as the service does (update-delete-entities-using-web-api).
  return answerWritten(withoutExpand(call), table, row, address.text, 200);
}

function withoutExpand(call: DataverseCall): DataverseCall {
  const query = new URLSearchParams(call.request.query);
  query.delete("$expand");
  return { ...call, request: { ...call.request, query } };
}

async function remove(
  call: DataverseCall,
  table: Table,
  address: RowAddress,
): Promise<TenantResponse> {
  const { row } = address;
  readOptions(call.request.query, []);
  if (row === null) throw notFound(table, address);
  checkMatch(call, row);
  await deleteRow(call, table, row);
  return answer(call, 204);
}

function checkMatch(call: DataverseCall, row: Row): void {
  const { "if-match": match, "if-none-match": noneMatch } = call.request.headers;
  const isOf = (header: string) => header.trim() === "*" || hasTag(header, eTagOf(row));
  if ((match === undefined || isOf(match)) && (noneMatch === undefined || !isOf(noneMatch))) return;
  throw new DataverseProblem(
    412,
    "0x80060882",
    "The version of the existing record doesn't match the RowVersion property provided.",
  );
}

/** One property of a row: `/sprk_name`, `/body/$value`, `/sprk_Matter`, `/sprk_Matter/$ref`. */
import type { TenantResponse } from "../http.ts";
import { answer, apiRoot, type DataverseCall, readBody } from "./core/dataverse-call.ts";
import {
  badPayload,
  badQuery,
  rowNotFound,
  unknownSegment,
  wrongMethod,
} from "./core/dataverse-error.ts";
import type { Segment } from "./core/entity-path.ts";
import { eTagOf, isReference, type Row } from "./core/rows.ts";
import { checkRight } from "./core/security.ts";
import { createRow, writeValues } from "./operations.ts";
import { readReference, readValue } from "./payload.ts";
import { targetOf } from "./query/expand.ts";
import { readOptions } from "./query/options.ts";
import { findProperty } from "./query/row-view.ts";
import {
  addressOf,
  answerCount,
  answerList,
  answerReferences,
  answerWritten,
  checkRowOptions,
  viewOne,
} from "./row-answers.ts";
import { findCollection, findNavigation, type Relationship, type Table } from "./schema/schema.ts";

export async function useProperty(
  call: DataverseCall,
  table: Table,
  row: Row,
  path: readonly Segment[],
): Promise<TenantResponse> {
  const [first, second, third] = path as [Segment, Segment?, Segment?];
  if (third !== undefined) throw badQuery("Bad Request - Error in query syntax.");
  const navigation = findNavigation(call.schema, table, first.name);
  if (navigation !== undefined) {
    if (second === undefined) return followNavigation(call, navigation, row);
    if (second.name === "$ref") return useReference(call, navigation, row);
    throw unknownSegment(second.name);
  }
  const collection = findCollection(call.schema, table, first.name);
  if (collection !== undefined) return useCollection(call, collection, row, first, second);
  const column = findProperty(table, first.name);
  if (column === null) throw unknownSegment(first.name);
  if (second !== undefined && second.name !== "$value") throw unknownSegment(second.name);
  readOptions(call.request.query, []);
  return useColumn(call, table, row, { name: column, isRaw: second !== undefined });
}

async function useCollection(
  call: DataverseCall,
  collection: Relationship,
  row: Row,
  first: Segment,
  second: Segment | undefined,
): Promise<TenantResponse> {
  const { referencing, attribute } = collection;
  const children = () => call.rows.childrenOf(referencing, attribute, row.id);
  const isGet = call.request.method === "GET";
  if (second?.name === "$ref") {
    if (isGet) return answerReferences(call, referencing, children());
    return call.request.method === "DELETE"
      ? removeReference(call, collection, row, first.args)
      : addReference(call, collection, row);
  }
  if (first.args !== null) throw badQuery("Bad Request - Error in query syntax.");
  if (second === undefined && call.request.method === "POST") {
    return createIn(call, collection, row);
  }
  if (!isGet) throw wrongMethod();
  if (second === undefined) return answerList(call, referencing, children());
  if (second.name === "$count") return answerCount(call, referencing, children());
  throw unknownSegment(second.name);
}

/** A new row of the collection points to the row it was made through. */
async function createIn(
  call: DataverseCall,
  { referencing, attribute, referenced }: Relationship,
  row: Row,
): Promise<TenantResponse> {
  checkRowOptions(call, referencing);
  const body = readBody(call, referencing.setName);
  const values = { [attribute]: { table: referenced.name, id: row.id } };
  const created = await createRow(call, referencing, body, { values });
  return answerWritten(call, referencing, created, created.id, 201);
}

async function useColumn(
  call: DataverseCall,
  table: Table,
  row: Row,
  { name, isRaw }: { name: string; isRaw: boolean },
): Promise<TenantResponse> {
  if (call.request.method === "GET") {
    const value = name === table.primaryId ? row.id : (row.values[name] ?? null);
    const plain = isReference(value) ? value.id : value;
    if (plain === null) return answer(call, 204);
    if (isRaw) {
      const body = Buffer.from(String(plain));
      return {
        ...answer(call, 200),
        headers: { "content-type": "text/plain", "odata-version": "4.0" },
        body,
      };
    }
    const context = `${apiRoot(call)}/$metadata#${table.setName}(${row.id})/${name}`;
    return answer(call, 200, { "@odata.context": context, value: plain });
  }
  checkRight(call, table, row, "WriteAccess");
  const column = table.columns[name];
  const isFixed = name === table.primaryId || column === undefined || column.readOnly === true;
  if (isFixed || column.type === "lookup") {
    throw badPayload(table.setName, `The property '${name}' cannot be set by itself.`);
  }
  if (call.request.method === "DELETE") {
    await writeValues(call, table, row, { [name]: null });
    return answer(call, 204);
  }
  if (call.request.method !== "PUT") throw wrongMethod();
  const { value } = readOnly(call, table, "value");
  await writeValues(call, table, row, {
    [name]: readValue(table, name, column, value),
  });
  return answer(call, 204);
}

/** A body that has this property and nothing else but control information. */
function readOnly(call: DataverseCall, table: Table, name: string): Record<string, unknown> {
  const body = readBody(call, table.setName);
  const isKnown = (each: string) => each === name || each.startsWith("@odata.");
  const unknown = Object.keys(body).find((each) => !isKnown(each));
  if (unknown === undefined) return body;
  throw badPayload(table.setName, `The property '${unknown}' does not exist here.`);
}

function followNavigation(call: DataverseCall, relationship: Relationship, row: Row) {
  if (call.request.method !== "GET") throw wrongMethod();
  const { referenced } = relationship;
  checkRowOptions(call, referenced);
  const target = targetOf(call, relationship, row);
  return target === null
    ? answer(call, 204)
    : answer(call, 200, viewOne(call, referenced, target), { etag: eTagOf(target) });
}

async function useReference(call: DataverseCall, relationship: Relationship, row: Row) {
  const { attribute, referenced, referencing } = relationship;
  readOptions(call.request.query, []);
  if (call.request.method === "GET") {
    const target = targetOf(call, relationship, row);
    if (target === null) return answer(call, 204);
    return answer(call, 200, {
      "@odata.context": `${apiRoot(call)}/$metadata#$ref`,
      "@odata.id": addressOf(call, referenced, target.id),
    });
  }
  checkRight(call, referencing, row, "WriteAccess");
  if (call.request.method === "DELETE") {
    await writeValues(call, referencing, row, { [attribute]: null });
    return answer(call, 204);
  }
  if (call.request.method !== "PUT") throw wrongMethod();
  const target = readTarget(call, referencing, referenced);
  await writeValues(call, referencing, row, {
    [attribute]: { table: referenced.name, id: target.id },
  });
  return answer(call, 204);
}

/** The row of `target` that the body of a request on `table` names. */
function readTarget(call: DataverseCall, table: Table, target: Table): Row {
  const given = readOnly(call, table, "@odata.id")["@odata.id"];
  const found = readReference(call.schema, call.rows, given);
  if (found === null || found.table !== target) {
    throw badPayload(table.setName, `'${String(given)}' is not a reference to ${target.setName}.`);
  }
  const row = call.rows.get(target, found.id);
  if (row === null) throw rowNotFound(target.name, found.id);
  return row;
}

/** By its key in the URL, or by `?$id=` with the address of the row. */
async function removeReference(
  call: DataverseCall,
  { attribute, referencing }: Relationship,
  row: Row,
  key: string | null,
) {
  const options = readOptions(call.request.query, ["$id"]);
  const given = key === null ? options.get("$id") : `${referencing.setName}(${key})`;
  const target = readReference(call.schema, call.rows, given);
  const child = target?.table === referencing ? call.rows.get(referencing, target.id) : null;
  const reference = child?.values[attribute];
  if (child === null || !isReference(reference) || reference.id !== row.id) {
    throw rowNotFound(referencing.name, target?.id ?? String(given));
  }
  checkRight(call, referencing, child, "WriteAccess");
  await writeValues(call, referencing, child, { [attribute]: null });
  return answer(call, 204);
}

async function addReference(call: DataverseCall, relationship: Relationship, row: Row) {
  if (call.request.method !== "POST") throw wrongMethod();
  readOptions(call.request.query, []);
  const { attribute, referenced, referencing } = relationship;
  const child = readTarget(call, referenced, referencing);
  checkRight(call, referencing, child, "WriteAccess");
  await writeValues(call, referencing, child, {
    [attribute]: { table: referenced.name, id: row.id },
  });
  return answer(call, 204);
}

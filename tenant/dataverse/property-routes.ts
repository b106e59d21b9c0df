/** One property of a row: `/sprk_name`, `/body/$value`, `/sprk_Matter`, `/sprk_Matter/$ref`. */
import type { TenantResponse } from "../http.ts";
import { answer, apiRoot, type DataverseCall, readBody } from "./dataverse-call.ts";
import { badPayload, unknownSegment, wrongMethod } from "./dataverse-error.ts";
import type { Segment } from "./entity-path.ts";
import { writeValues } from "./operations.ts";
import { readReference, readValue } from "./payload.ts";
import { childrenOf } from "./query.ts";
import { answerList, viewOne } from "./row-answers.ts";
import { findProperty } from "./row-view.ts";
import { isReference, type Row } from "./rows.ts";
import { findCollection, findNavigation, type Relationship, type Table } from "./schema.ts";
import { checkRight } from "./security.ts";

export async function useProperty(
  call: DataverseCall,
  table: Table,
  row: Row,
  path: readonly Segment[],
): Promise<TenantResponse> {
  const [first, second] = path as [Segment, Segment?];
  const navigation = findNavigation(call.schema, table, first.name);
  if (navigation !== undefined) {
    return second?.name === "$ref"
      ? useReference(call, navigation, row)
      : followNavigation(call, navigation, row);
  }
  const collection = findCollection(call.schema, table, first.name);
  if (collection !== undefined) {
    return second?.name === "$ref"
      ? addReference(call, collection, row)
      : listChildren(call, collection, row);
  }
  const column = findProperty(table, first.name);
  if (column === null) throw unknownSegment(first.name);
  return useColumn(call, table, row, { name: column, isRaw: second?.name === "$value" });
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
  if (call.request.method === "DELETE") {
    await writeValues(call, table, row, { [name]: null });
    return answer(call, 204);
  }
  if (call.request.method !== "PUT") throw wrongMethod();
  const { value } = readBody(call, table.setName);
  await writeValues(call, table, row, {
    [name]: readValue(table, name, table.columns[name]!, value),
  });
  return answer(call, 204);
}

function followNavigation(call: DataverseCall, { attribute, referenced }: Relationship, row: Row) {
  if (call.request.method !== "GET") throw wrongMethod();
  const reference = row.values[attribute];
  const target = isReference(reference) ? call.rows.get(referenced, reference.id) : null;
  if (target === null) return answer(call, 204);
  checkRight(call, referenced, target, "ReadAccess");
  return answer(call, 200, viewOne(call, referenced, target));
}

function listChildren(call: DataverseCall, { referencing, attribute }: Relationship, row: Row) {
  if (call.request.method !== "GET") throw wrongMethod();
  return answerList(call, referencing, childrenOf(call, referencing, attribute, row.id));
}

async function useReference(call: DataverseCall, relationship: Relationship, row: Row) {
  const { attribute, referenced, referencing } = relationship;
  checkRight(call, referencing, row, "WriteAccess");
  if (call.request.method === "DELETE") {
    await writeValues(call, referencing, row, { [attribute]: null });
    return answer(call, 204);
  }
  if (call.request.method !== "PUT") throw wrongMethod();
  const given = readBody(call, referencing.setName)["@odata.id"];
  const target = readReference(call.schema, call.rows, given);
  if (target === null || target.table !== referenced) {
    throw badPayload(
      referencing.setName,
      `'${String(given)}' is not a reference to ${referenced.setName}.`,
    );
  }
  await writeValues(call, referencing, row, {
    [attribute]: { table: referenced.name, id: target.id },
  });
  return answer(call, 204);
}

async function addReference(call: DataverseCall, relationship: Relationship, row: Row) {
  if (call.request.method !== "POST") throw wrongMethod();
  const { attribute, referenced, referencing } = relationship;
  const given = readBody(call, referenced.setName)["@odata.id"];
  const target = readReference(call.schema, call.rows, given);
  const child = target?.table === referencing ? call.rows.get(referencing, target.id) : null;
  if (child === null) {
    throw badPayload(
      referenced.setName,
      `'${String(given)}' is not a reference to ${referencing.setName}.`,
    );
  }
  checkRight(call, referencing, child, "WriteAccess");
  await writeValues(call, referencing, child, {
    [attribute]: { table: referenced.name, id: row.id },
  });
  return answer(call, 204);
}

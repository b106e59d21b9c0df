/** Creating, changing and deleting rows, with everything that follows from it. */
import type { DataverseCall } from "./core/dataverse-call.ts";
import { badPayload, DataverseProblem } from "./core/dataverse-error.ts";
import { checkDuplicates } from "./core/duplicates.ts";
import { isReference, type Row, type Value } from "./core/rows.ts";
import { checkRight } from "./core/security.ts";
import { readPayload } from "./payload.ts";
import type { Table } from "./schema/schema.ts";

export async function createRow(
  call: DataverseCall,
  table: Table,
  body: Record<string, unknown>,
  fixed: { id?: string; values?: Record<string, Value> } = {},
): Promise<Row> {
  const payload = readPayload(call, table, body);
  const values = { ...payload.values, ...fixed.values };
  for (const parent of payload.parents) {
    const row = await createRow(call, parent.table, parent.body);
    values[parent.attribute] = { table: parent.table.name, id: row.id };
  }
  const id = (fixed.id ?? payload.id ?? call.rows.newId()).toLowerCase();
  if (call.rows.get(table, id) !== null) throw duplicateId("Cannot insert duplicate key.");
  checkKeys(call, table, values, null);
  if (call.detectsDuplicates) checkDuplicates(call.rows.all(table), table, values, null);
  const complete = { ...defaults(call, table), ...derive(table, values), ...values };
  const row = call.rows.insert(table, id, complete);
  call.undo.push(() => call.rows.remove(table, row));
  call.context.journal.record("dataverse.created", { table: table.name, row: id });
  countAttachment(call, table, row);
  for (const child of payload.children) {
    const back = { [child.attribute]: { table: table.name, id } };
    await createRow(call, child.table, child.body, { values: back });
  }
  for (const { table: other, attribute, id: member } of payload.members) {
    const row = call.rows.get(other, member)!;
    checkRight(call, other, row, "WriteAccess");
    await writeValues(call, other, row, { [attribute]: { table: table.name, id } });
  }
  await fire(call, table, row, { message: "Create", values: complete, before: null });
  return row;
}

export async function updateRow(
  call: DataverseCall,
  table: Table,
  row: Row,
  body: Record<string, unknown>,
): Promise<void> {
  checkRight(call, table, row, "WriteAccess");
  const { values, children, parents, members } = readPayload(call, table, body);
  if (children.length + parents.length + members.length > 0) {
    throw badPayload(table.setName, "Deep update of navigation properties is not allowed.");
  }
  await writeValues(call, table, row, values);
}

/** Writes values that were already checked. */
export async function writeValues(
  call: DataverseCall,
  table: Table,
  row: Row,
  values: Record<string, Value>,
): Promise<void> {
  const next = { ...row.values, ...values };
  checkKeys(call, table, next, row);
  if (call.detectsDuplicates) checkDuplicates(call.rows.all(table), table, next, row);
  const before: Row = { ...row, values: { ...row.values } };
  const stamp = {
    modifiedon: now(call),
    modifiedby: userReference(call.user),
    modifiedonbehalfby: onBehalf(call),
  };
  call.rows.update(table, row, { ...values, ...derive(table, values), ...stamp });
  call.undo.push(() => call.rows.update(table, row, before.values));
  call.context.journal.record("dataverse.updated", {
    table: table.name,
    row: row.id,
    columns: Object.keys(values),
  });
  await fire(call, table, row, { message: "Update", values, before });
}

export async function deleteRow(call: DataverseCall, table: Table, row: Row): Promise<void> {
  checkRight(call, table, row, "DeleteAccess");
  call.rows.remove(table, row);
  call.undo.push(() => void call.rows.insert(table, row.id, row.values));
  call.context.journal.record("dataverse.deleted", { table: table.name, row: row.id });
  await fire(call, table, row, { message: "Delete", values: {}, before: row });
}

async function fire(
  call: DataverseCall,
  table: Table,
  row: Row,
  event: {
    message: "Create" | "Update" | "Delete";
    values: Record<string, Value>;
    before: Row | null;
  },
): Promise<void> {
  await call.webhooks.fire({
    ...event,
    table,
    rowId: row.id,
    after: event.message === "Delete" ? null : { ...row, values: { ...row.values } },
    userId: call.user.id,
    initiatorId: call.initiator.id,
    nowMs: call.context.clock.now(),
    organizationId: call.organizationId(),
    organizationName: new URL(call.context.origin()).host,
    businessUnitId: call.businessUnitId(),
    dateOffset: String(call.context.switches["dataverseDateOffset"] ?? ""),
    newId: call.rows.newId,
  });
}

function userReference({ id }: Row): Value {
  return { table: "systemuser", id };
}

/** The user who really acted, if that was on behalf of another user. */
function onBehalf({ user, initiator }: DataverseCall): Value {
  return user.id === initiator.id ? null : userReference(initiator);
}

function defaults(call: DataverseCall, table: Table): Record<string, Value> {
  const me = userReference(call.user);
  const values: Record<string, Value> = {
    createdon: now(call),
    modifiedon: now(call),
    createdby: me,
    createdonbehalfby: onBehalf(call),
    modifiedby: me,
    modifiedonbehalfby: onBehalf(call),
    ownerid: me,
    owninguser: me,
    owningbusinessunit: { table: "businessunit", id: call.businessUnitId() },
  };
  for (const [name, column] of Object.entries(table.columns)) {
    if (column.type === "bool") values[name] = false;
    if ("initial" in column && column.initial !== undefined) values[name] = column.initial;
  }
  return values;
}

/** Columns that the service computes from others. */
function derive(table: Table, values: Record<string, Value>): Record<string, Value> {
  const older = values["overriddencreatedon"];
  const owner = values["ownerid"];
  return {
    ...(older ? { createdon: older } : {}),
    ...(owner === undefined ? {} : { owninguser: owner }),
    ...deriveOwn(table, values),
  };
}

function deriveOwn(table: Table, values: Record<string, Value>): Record<string, Value> {
  if (table.name === "activitymimeattachment" && typeof values["body"] === "string") {
    return { filesize: Buffer.from(values["body"], "base64").length };
  }
  if (table.name === "contact" && (values["firstname"] || values["lastname"])) {
    const parts = [values["firstname"], values["lastname"]].filter(Boolean);
    return { fullname: values["fullname"] ?? parts.join(" ") };
  }
  return {};
}

/** An e-mail records how many attachments it has; this does not change its version. */
function countAttachment(call: DataverseCall, table: Table, row: Row): void {
  const mail = row.values["objectid"];
  if (table.name !== "activitymimeattachment" || !isReference(mail)) return;
  const parent = call.rows.get(call.schema.byName("email")!, mail.id);
  if (parent !== null)
    parent.values["attachmentcount"] = Number(parent.values["attachmentcount"] ?? 0) + 1;
}

function checkKeys(
  call: DataverseCall,
  table: Table,
  values: Record<string, Value>,
  self: Row | null,
): void {
  for (const { name, columns } of table.keys) {
    const other = call.rows.findByKey(table, columns, values);
    if (other === null || other === self) continue;
    throw new DataverseProblem(
      412,
      "0x80060892",
      `Entity Key ${name} violated. A record with the same value for ${columns.join(", ")} already exists.`,
    );
  }
}

export function duplicateId(message: string): DataverseProblem {
  return new DataverseProblem(412, "0x80040237", message);
}

function now(call: DataverseCall): string {
  return `${new Date(call.context.clock.now()).toISOString().slice(0, 19)}Z`;
}

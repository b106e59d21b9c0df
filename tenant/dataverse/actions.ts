/** Actions: many rows in one request, and sharing a row with a user. */
import type { TenantResponse } from "../http.ts";
import { answer, apiRoot, type DataverseCall, readBody } from "./core/dataverse-call.ts";
import { badPayload, rowNotFound, wrongMethod } from "./core/dataverse-error.ts";
import type { Segment } from "./core/entity-path.ts";
import type { Row } from "./core/rows.ts";
import { checkRight, RIGHTS, type Right } from "./core/security.ts";
import { createRow, updateRow } from "./operations.ts";
import { isGuid } from "./payload.ts";
import { readOptions } from "./query/options.ts";
import type { Table } from "./schema/schema.ts";

type Body = Record<string, unknown>;

const NAMESPACE = "Microsoft.Dynamics.CRM.";

/** `accounts/Microsoft.Dynamics.CRM.CreateMultiple`; null if the segment is not such an action. */
export async function callBulkAction(
  call: DataverseCall,
  table: Table,
  segment: Segment,
): Promise<TenantResponse | null> {
  const name = segment.name.replace(NAMESPACE, "");
  const act = BULK[name];
  if (act === undefined || !segment.name.startsWith(NAMESPACE)) return null;
  if (call.request.method !== "POST") throw wrongMethod();
  // `tag` is handed to plug-ins, of which there are none here.
  readOptions(call.request.query, ["tag"]);
  const ids: string[] = [];
  for (const target of readTargets(call, table)) ids.push(await act(call, table, target));
  if (name === "UpdateMultiple") return answer(call, 204);
  if (name === "UpsertMultiple") return answer(call, 204);
  const context = `${apiRoot(call)}/$metadata#Microsoft.Dynamics.CRM.CreateMultipleResponse`;
  return answer(call, 200, { "@odata.context": context, Ids: ids });
}

/** All or nothing: the first failure takes back what the request has done. */
export const BULK: Readonly<
  Record<string, (call: DataverseCall, table: Table, target: Body) => Promise<string>>
> = {
  CreateMultiple: async (call, table, target) => (await createRow(call, table, target)).id,
  async UpdateMultiple(call, table, target) {
    const row = findTarget(call, table, target);
    const id = String(target[table.primaryId] ?? "");
    if (row === null) throw rowNotFound(table.name, id);
    await updateRow(call, table, row, withoutId(table, target));
    return id;
  },
  async UpsertMultiple(call, table, target) {
    const row = findTarget(call, table, target);
    if (row === null) return (await createRow(call, table, target)).id;
    await updateRow(call, table, row, withoutId(table, target));
    return row.id;
  },
};

function readTargets(call: DataverseCall, table: Table): Body[] {
  const { Targets: targets, ...rest } = readBody(call, table.setName);
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) throw wrongParameter(table, unknown);
  if (!Array.isArray(targets) || targets.length === 0) throw wrongParameter(table, "Targets");
  for (const target of targets) {
    const type = String((target as Body | null)?.["@odata.type"] ?? "").replace(/^#/, "");
    if (type !== `${NAMESPACE}${table.name}`) throw wrongParameter(table, "@odata.type");
  }
  return targets as Body[];
}

function wrongParameter(table: Table, name: string) {
  return badPayload(table.setName, `The parameter '${name}' is missing, unknown or not valid.`);
}

function findTarget(call: DataverseCall, table: Table, target: Body): Row | null {
  const id = String(target[table.primaryId] ?? "");
  return isGuid(id) ? call.rows.get(table, id.toLowerCase()) : null;
}

function withoutId(table: Table, { [table.primaryId]: _id, ...values }: Body): Body {
  return values;
}

export const SHARING = new Set(["GrantAccess", "ModifyAccess", "RevokeAccess"]);

/** Sharing is an action of its own name; null when the segment is another one. */
export function callSharingAction(
  call: DataverseCall,
  segment: Segment,
  rest: readonly Segment[],
): TenantResponse | null {
  if (!SHARING.has(segment.name) || rest.length > 0) return null;
  if (call.request.method !== "POST") throw wrongMethod();
  readOptions(call.request.query, []);
  const body = readBody(call, segment.name);
  const second = segment.name === "RevokeAccess" ? "Revokee" : "PrincipalAccess";
  checkParameters(segment.name, body, ["Target", second]);
  const target = readRow(call, body["Target"], "Target");
  checkRight(call, target.table, target.row, "ShareAccess");
  if (segment.name === "RevokeAccess") {
    const { row: user } = readRow(call, body["Revokee"], "Revokee");
    call.security.unshare(user.id, target.table.name, target.row.id);
    return answer(call, 204);
  }
  const access = (body["PrincipalAccess"] ?? {}) as Body;
  checkParameters(segment.name, access, ["Principal", "AccessMask"]);
  const { row: user } = readRow(call, access["Principal"], "PrincipalAccess");
  const rights = readMask(access["AccessMask"]);
  call.security.share(user.id, target.table.name, target.row.id, rights);
  return answer(call, 204);
}

function checkParameters(action: string, body: Body, known: readonly string[]): void {
  const unknown = Object.keys(body).find(
    (name) => !known.includes(name) && !name.startsWith("@odata."),
  );
  if (unknown === undefined) return;
  throw badPayload(action, `The parameter '${unknown}' is not one of the action '${action}'.`);
}

/** `{"accountid": "…", "@odata.type": "Microsoft.Dynamics.CRM.account"}` */
function readRow(call: DataverseCall, given: unknown, name: string): { table: Table; row: Row } {
  const body = (given ?? {}) as Body;
  const type = String(body["@odata.type"] ?? "").replace(/^#?Microsoft\.Dynamics\.CRM\./, "");
  const table = call.schema.byName(type);
  const id = table === undefined ? "" : String(body[table.primaryId] ?? "");
  if (table === undefined || !isGuid(id)) {
    throw badPayload(name, `The parameter '${name}' is not a reference to a row.`);
  }
  const row = call.rows.get(table, id.toLowerCase());
  if (row === null) throw rowNotFound(table.name, id);
  return { table, row };
}

function readMask(mask: unknown): Right[] {
  const names = String(mask ?? "")
    .split(",")
    .map((each) => each.trim());
  const unknown = names.find((each) => !(RIGHTS as readonly string[]).includes(each));
  if (unknown === undefined) return names as Right[];
  throw badPayload("PrincipalAccess", `The value '${unknown}' is not an access right.`);
}

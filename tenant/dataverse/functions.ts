/** Functions, bound and unbound. */
import type { TenantResponse } from "../http.ts";
import { answer, apiRoot, type DataverseCall } from "./core/dataverse-call.ts";
import { badQuery, rowNotFound, unknownSegment, wrongMethod } from "./core/dataverse-error.ts";
import type { Segment } from "./core/entity-path.ts";
import { RIGHTS } from "./core/security.ts";
import { readReference } from "./payload.ts";
import { readOptions } from "./query/options.ts";

export const FUNCTIONS = new Set(["WhoAmI", "RetrieveVersion", "RetrieveTotalRecordCount"]);

/** Unbound functions are called by their bare name; returns null if the segment is not a function. */
export function callFunction(
  call: DataverseCall,
  segment: Segment,
  rest: readonly Segment[],
): TenantResponse | null {
  if (!FUNCTIONS.has(segment.name)) return null;
  if (call.request.method !== "GET") throw wrongMethod();
  if (rest.length > 0) throw unknownSegment(rest[0]!.name);
  readOptions(call.request.query, []);
  if (segment.name !== "RetrieveTotalRecordCount" && segment.args) {
    throw badQuery(`The function '${segment.name}' has no parameters.`);
  }
  switch (segment.name) {
    case "WhoAmI":
      return answer(call, 200, {
        "@odata.context": `${apiRoot(call)}/$metadata#Microsoft.Dynamics.CRM.WhoAmIResponse`,
        BusinessUnitId: call.businessUnitId(),
        UserId: call.user.id,
        OrganizationId: call.organizationId(),
      });
    case "RetrieveVersion":
      return answer(call, 200, {
        "@odata.context": `${apiRoot(call)}/$metadata#Microsoft.Dynamics.CRM.RetrieveVersionResponse`,
        Version: "9.2.25011.00000",
      });
    default:
      return totalCounts(call, segment);
  }
}

/** `RetrieveTotalRecordCount(EntityNames=['account','contact'])` */
function totalCounts(call: DataverseCall, { args }: Segment): TenantResponse {
  const given = /^EntityNames=(@\w+|\[.*\])$/.exec(args ?? "")?.[1] ?? "";
  const list = given.startsWith("@") ? (call.request.query.get(given) ?? "") : given;
  const names = [...list.matchAll(/['"]([^'"]+)['"]/g)].map(([, name]) => name!);
  const tables = names.map((name) => call.schema.byName(name));
  if (names.length === 0 || tables.includes(undefined)) {
    throw badQuery("The parameter 'EntityNames' must list logical names of tables.");
  }
  const counts = tables.map((table) => call.rows.all(table!).length);
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#Microsoft.Dynamics.CRM.RetrieveTotalRecordCountResponse`,
    EntityRecordCountCollection: {
      Count: names.length,
      IsReadOnly: false,
      Keys: names,
      Values: counts,
    },
  });
}

const PRINCIPAL_ACCESS = "Microsoft.Dynamics.CRM.RetrievePrincipalAccess";

/** `systemusers(id)/Microsoft.Dynamics.CRM.RetrievePrincipalAccess(Target=@t)?@t={'@odata.id':'…'}` */
export function callBoundFunction(
  call: DataverseCall,
  set: Segment,
  segment: Segment,
): TenantResponse | null {
  if (!/RetrievePrincipalAccess$/.test(segment.name)) return null;
  if (call.request.method !== "GET") throw wrongMethod();
  readOptions(call.request.query, []);
  // A bound function must be called by its full name.
  if (segment.name !== PRINCIPAL_ACCESS || set.name !== "systemusers")
    throw unknownSegment(segment.name);
  const users = call.schema.byName("systemuser")!;
  const user = call.rows.get(users, set.args ?? "");
  if (user === null) throw rowNotFound("systemuser", set.args ?? "");
  const alias = /Target=(@\w+)/.exec(segment.args ?? "")?.[1];
  const given =
    alias === undefined
      ? /Target=(\{.*\})/.exec(segment.args ?? "")?.[1]
      : call.request.query.get(alias);
  const path = /['"]@odata\.id['"]\s*:\s*['"]([^'"]+)['"]/.exec(given ?? "")?.[1];
  const target = path === undefined ? null : readReference(call.schema, call.rows, path);
  if (target === null) throw badQuery("The parameter 'Target' is missing or is no reference.");
  const row = call.rows.get(target.table, target.id);
  if (row === null) throw rowNotFound(target.table.name, target.id);
  const held = call.security.rightsOf(user, target.table, row);
  const rights = RIGHTS.filter((right) => held.includes(right));
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#Microsoft.Dynamics.CRM.RetrievePrincipalAccessResponse`,
    AccessRights: rights.length === 0 ? "None" : rights.join(", "),
  });
}

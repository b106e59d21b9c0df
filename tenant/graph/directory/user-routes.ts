import type { TenantContext, User } from "../../context.ts";
import { checkDirectoryAccess } from "../call/access.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, loadUser } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import type { RouteTable } from "../call/route-table.ts";

const PAGE_SIZE = 100;

export function addUserRoutes(routes: RouteTable, context: TenantContext): void {
  routes.on("GET", "/users", (call) => listUsers(context, call));
  routes.on("GET", "/users/{user}", (call) => {
    const user = loadUser(context, call.params["user"]!);
    checkDirectoryAccess(call.caller, user.id);
    const select = selectOf(call);
    return json(
      200,
      { "@odata.context": contextUrl(context, call, "users/$entity"), ...showUser(user, select) },
      call,
    );
  });
}

function listUsers(context: TenantContext, call: GraphCall) {
  checkDirectoryAccess(call.caller, null);
  const { query } = call.request;
  const top = Number(query.get("$top") ?? PAGE_SIZE);
  if (!Number.isInteger(top) || top < 1 || top > 999) {
    throw badRequest(
      "Invalid page size specified. Must be between 1 and 999 inclusive.",
      "Request_UnsupportedQuery",
    );
  }
  const skip = Number(query.get("$skiptoken")?.replace("RFNwdAIAAQ", "") ?? 0) || 0;
  const wanted = filterUsers(context.users, query.get("$filter"));
  const select = selectOf(call);
  const body: Record<string, unknown> = {
    "@odata.context": contextUrl(context, call, "users"),
    value: wanted.slice(skip, skip + top).map((user) => showUser(user, select)),
  };
  if (skip + top < wanted.length) {
    const link = new URL(`${context.origin()}/${call.version}/users`);
    for (const [name, value] of query)
      if (name !== "$skiptoken") link.searchParams.set(name, value);
    link.searchParams.set("$skiptoken", `RFNwdAIAAQ${skip + top}`);
    body["@odata.nextLink"] = link.toString();
  }
  return json(200, body, call);
}

/** Equality on a name, which is what finding a mailbox needs. */
function filterUsers(users: readonly User[], filter: string | null): readonly User[] {
  if (filter === null) return users;
  const match = /^\s*(userPrincipalName|mail|displayName|id)\s+eq\s+'((?:[^']|'')*)'\s*$/i.exec(
    filter,
  );
  if (match === null) throw badRequest("Invalid filter clause", "Request_UnsupportedQuery");
  const wanted = match[2]!.replace(/''/g, "'").toLowerCase();
  const name = match[1]!.toLowerCase();
  return users.filter((user) => {
    const value =
      name === "userprincipalname"
        ? user.userPrincipalName
        : name === "mail"
          ? user.mail
          : name === "id"
            ? user.id
            : user.displayName;
    return value.toLowerCase() === wanted;
  });
}

function selectOf(call: GraphCall): string[] | null {
  const text = call.request.query.get("$select");
  return text === null ? null : text.split(",").map((name) => name.trim().toLowerCase());
}

function showUser(user: User, select: string[] | null): Record<string, unknown> {
  const [givenName = null, surname = null] = user.displayName.split(/\s+(?=\S+$)/);
  const all: Record<string, unknown> = {
    businessPhones: [],
    displayName: user.displayName,
    givenName,
    jobTitle: null,
    mail: user.mail,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
    surname,
    userPrincipalName: user.userPrincipalName,
    id: user.id,
  };
  if (select === null) return all;
  const extra: Record<string, unknown> = {
    ...all,
    accountEnabled: true,
    userType: "Member",
    proxyAddresses: [`SMTP:${user.mail}`],
  };
  return Object.fromEntries(
    Object.entries(extra).filter(([name]) => select.includes(name.toLowerCase())),
  );
}

import type { TenantContext, User } from "../../context.ts";
import { parseFilter } from "../../odata/filter.ts";
import { createJsonSource } from "../../odata/json-source.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import { writeQuery } from "../../odata/write-query.ts";
import { checkDirectoryAccess } from "../call/access.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, loadUser } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { wrongSkipToken } from "../call/paging.ts";
import type { RouteTable } from "../call/route-table.ts";
import { checkIndexes, isCounted, isEventual } from "./advanced-query.ts";

const PAGE_SIZE = 100;

export function addUserRoutes(routes: RouteTable, context: TenantContext): void {
  const many = ["$select", "$filter", "$top", "$skiptoken", "$orderby", "$count"];
  routes.on("GET", "/users", (call) => listUsers(context, call), many);
  routes.on("GET", "/users/$count", (call) => countUsers(context, call), ["$filter"]);
  routes.on(
    "GET",
    "/users/{user}",
    (call) => {
      const user = loadUser(context, call.params["user"]!);
      checkDirectoryAccess(call.caller, user.id);
      const select = selectOf(call);
      return json(
        200,
        { "@odata.context": contextUrl(context, call, "users/$entity"), ...showUser(user, select) },
        call,
      );
    },
    ["$select"],
  );
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
  const token = query.get("$skiptoken");
  if (token !== null && !/^RFNwdAIAAQ\d+$/.test(token)) throw wrongSkipToken();
  const skip = Number(token?.slice("RFNwdAIAAQ".length) ?? 0);
  checkIndexes(call, isCounted(call), "User");
  const wanted = sortUsers(filterUsers(context.users, query.get("$filter")), query.get("$orderby"));
  const select = selectOf(call);
  const body: Record<string, unknown> = {
    "@odata.context": contextUrl(context, call, "users"),
    ...(isCounted(call) ? { "@odata.count": wanted.length } : {}),
    value: wanted.slice(skip, skip + top).map((user) => showUser(user, select)),
  };
  if (skip + top < wanted.length) {
    const next = new URLSearchParams(query);
    next.set("$skiptoken", `RFNwdAIAAQ${skip + top}`);
    body["@odata.nextLink"] = `${context.origin()}/${call.version}/users?${writeQuery(next)}`;
  }
  return json(200, body, call);
}

function countUsers(context: TenantContext, call: GraphCall) {
  checkDirectoryAccess(call.caller, null);
  if (!isEventual(call))
    throw badRequest("$count is not currently supported.", "Request_BadRequest");
  checkIndexes(call, true, "User");
  const counted = filterUsers(context.users, call.request.query.get("$filter"));
  return { status: 200, headers: { "content-type": "text/plain" }, body: String(counted.length) };
}

function filterUsers(users: readonly User[], text: string | null): readonly User[] {
  if (text === null) return users;
  try {
    const test = parseFilter(text, createJsonSource(checkUserProperty));
    return users.filter((user) => test(showUser(user, null)));
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw badRequest(`Invalid filter clause: ${error.message}`, "Request_UnsupportedQuery");
  }
}

function sortUsers(users: readonly User[], order: string | null): readonly User[] {
  if (order === null) return users;
  const match = /^\s*(displayName|userPrincipalName)(\s+asc|\s+desc)?\s*$/i.exec(order);
  if (match === null)
    throw badRequest(`'${order}' cannot be sorted by.`, "Request_UnsupportedQuery");
  const name = /^d/i.test(match[1]!) ? "displayName" : "userPrincipalName";
  const sign = /desc/i.test(match[2] ?? "") ? -1 : 1;
  return [...users].sort((one, other) => one[name].localeCompare(other[name]) * sign);
}

const USER_PROPERTIES = [
  ...["id", "businessPhones", "displayName", "givenName", "jobTitle", "mail", "mobilePhone"],
  ...["officeLocation", "preferredLanguage", "surname", "userPrincipalName", "accountEnabled"],
  ...["userType", "proxyAddresses"],
];

function checkUserProperty(name: string): void {
  if (USER_PROPERTIES.some((known) => known.toLowerCase() === name.toLowerCase())) return;
  throw badRequest(
    `Parsing OData Select and Expand failed: Could not find a property named '${name}' on type 'microsoft.graph.user'.`,
    "Request_BadRequest",
  );
}

function selectOf(call: GraphCall): string[] | null {
  const text = call.request.query.get("$select");
  if (text === null) return null;
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) checkUserProperty(name);
  return names.map((name) => name.toLowerCase());
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

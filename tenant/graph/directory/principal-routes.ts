/** Service principals and the app roles that are assigned to them. */
import { createHash } from "node:crypto";
import type { AppRegistration, Caller, TenantContext } from "../../context.ts";
import { parseFilter } from "../../odata/filter.ts";
import { createJsonSource } from "../../odata/json-source.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import type { RouteTable } from "../call/route-table.ts";
import { checkIndexes } from "./advanced-query.ts";

const GRAPH_APP_ID = "00000003-0000-0000-c000-000000000000";
const READ = ["Application.Read.All", "Application.ReadWrite.All", "Directory.Read.All"];
const WRITE = ["AppRoleAssignment.ReadWrite.All"];

/** A service principal: of an app of this tenant, or of Graph itself. */
interface Principal {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly app: AppRegistration | null;
}

export function addPrincipalRoutes(routes: RouteTable, context: TenantContext): void {
  const many = ["$select", "$filter", "$top"];
  routes.on("GET", "/servicePrincipals", (call) => listPrincipals(context, call), many);
  routes.on(
    "GET",
    "/servicePrincipals/{principal}",
    (call) => {
      check(call.caller, READ);
      const shown = select(call, show(context, load(context, call.params["principal"]!)));
      const address = contextUrl(context, call, "servicePrincipals/$entity");
      return json(200, { "@odata.context": address, ...shown }, call);
    },
    ["$select"],
  );
  routes.on("GET", "/servicePrincipals/{principal}/appRoleAssignments", (call) => {
    check(call.caller, READ);
    const { app } = load(context, call.params["principal"]!);
    return json(200, { value: app === null ? [] : assignmentsOf(context, app) }, call);
  });
  routes.on("GET", "/servicePrincipals/{principal}/appRoleAssignedTo", (call) => {
    check(call.caller, READ);
    const { id } = load(context, call.params["principal"]!);
    const all = context.apps.flatMap((app) => assignmentsOf(context, app));
    return json(200, { value: all.filter(({ resourceId }) => resourceId === id) }, call);
  });
  for (const side of ["appRoleAssignments", "appRoleAssignedTo"]) {
    const path = `/servicePrincipals/{principal}/${side}`;
    routes.on("POST", path, (call) => assign(context, call));
    routes.on("DELETE", `${path}/{assignment}`, (call) => unassign(context, call));
  }
}

export function check({ isAppOnly, roles, scopes }: Caller, allowed: readonly string[]): void {
  const granted = isAppOnly ? roles : scopes;
  if (allowed.some((name) => granted.has(name))) return;
  throw new GraphProblem(
    403,
    "Authorization_RequestDenied",
    "Insufficient privileges to complete the operation.",
  );
}

function principals(context: TenantContext): Principal[] {
  const graph = {
    id: idOf("principal/graph"),
    appId: GRAPH_APP_ID,
    displayName: "Microsoft Graph",
    app: null,
  };
  const own = context.apps.filter(({ hasPrincipal }) => hasPrincipal !== false).map(toPrincipal);
  return [graph, ...own];
}

const toPrincipal = (app: AppRegistration): Principal => ({
  id: app.servicePrincipalId,
  appId: app.appId,
  displayName: app.displayName,
  app,
});

export const showPrincipalOf = (context: TenantContext, app: AppRegistration): Shown =>
  show(context, toPrincipal(app));

/** By object id, or as `servicePrincipals(appId='…')`, which arrives as `appId='…'`. */
function load(context: TenantContext, name: string): Principal {
  const appId = /^appId='?([^']*)'?$/i.exec(name)?.[1];
  const found = principals(context).find((each) => each.id === name || each.appId === appId);
  if (found !== undefined) return found;
  throw new GraphProblem(
    404,
    "Request_ResourceNotFound",
    `Resource '${appId ?? name}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

function listPrincipals(context: TenantContext, call: GraphCall) {
  check(call.caller, READ);
  const { query } = call.request;
  const all = principals(context).map((each) => show(context, each));
  const top = Number(query.get("$top") ?? 100);
  if (!Number.isInteger(top) || top < 1 || top > 999) {
    throw badRequest(
      "Invalid page size specified. Must be between 1 and 999 inclusive.",
      "Request_UnsupportedQuery",
    );
  }
  const wanted = filter(call, all).slice(0, top);
  const address = contextUrl(context, call, "servicePrincipals");
  return json(
    200,
    { "@odata.context": address, value: wanted.map((each) => select(call, each)) },
    call,
  );
}

type Shown = Record<string, unknown>;

export function filter(call: GraphCall, all: readonly Shown[], type = "servicePrincipal"): Shown[] {
  const text = call.request.query.get("$filter");
  if (text === null) return [...all];
  // Counting is not modelled here, so no query is an advanced one.
  checkIndexes(call, false, `${type[0]!.toUpperCase()}${type.slice(1)}`);
  const source = createJsonSource((name) => checkName(all[0]!, name, type));
  try {
    return all.filter(parseFilter(text, source));
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw badRequest(`Invalid filter clause: ${error.message}`, "Request_UnsupportedQuery");
  }
}

function checkName(shown: Shown, name: string, type: string): void {
  if (name in shown) return;
  throw badRequest(
    `Could not find a property named '${name}' on type 'microsoft.graph.${type}'.`,
    "Request_BadRequest",
  );
}

export function select(call: GraphCall, shown: Shown, type = "servicePrincipal"): Shown {
  const text = call.request.query.get("$select");
  if (text === null) return shown;
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) checkName(shown, name, type);
  return Object.fromEntries(Object.entries(shown).filter(([name]) => names.includes(name)));
}

function show(context: TenantContext, { id, appId, displayName, app }: Principal): Shown {
  return {
    id,
    appId,
    displayName,
    accountEnabled: true,
    appOwnerOrganizationId: context.tenantId,
    servicePrincipalType: "Application",
    servicePrincipalNames: [appId, ...(app?.identifierUris ?? [])],
    appRoleAssignmentRequired: false,
    appRoles: rolesOf(context, appId).map(({ roleId, value }) => ({
      id: roleId,
      value,
      displayName: value,
      allowedMemberTypes: ["Application"],
      isEnabled: true,
    })),
    oauth2PermissionScopes: (app?.exposedScopes ?? []).map((value) => ({
      id: idOf(`scope/${appId}/${value}`),
      value,
      type: "User",
      isEnabled: true,
    })),
  };
}

/** The application permissions that an API offers: all that any app here has for it. */
function rolesOf(context: TenantContext, appId: string): { roleId: string; value: string }[] {
  const prefix = appId === GRAPH_APP_ID ? "" : `${appId}/`;
  const held = context.apps.flatMap((app) => app.appRoles);
  const own =
    prefix === "" ? [...GRAPH_ROLES, ...held.filter((name) => !name.includes("/"))] : held;
  const values = own
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  return [...new Set(values)].map((value) => ({ value, roleId: idOf(`role/${appId}/${value}`) }));
}

const GRAPH_ROLES = [
  ...["Mail.Read", "Mail.ReadBasic.All", "Mail.ReadWrite", "Mail.Send", "User.Read.All"],
  ...["Directory.Read.All", "FileStorageContainer.Selected", ...READ, ...WRITE],
  "FileStorageContainerTypeReg.Selected",
];

function assignmentsOf(context: TenantContext, app: AppRegistration) {
  return app.appRoles.map((name) => {
    const slash = name.indexOf("/");
    const appId = slash < 0 ? GRAPH_APP_ID : name.slice(0, slash);
    const value = name.slice(slash + 1);
    const resource = principals(context).find((each) => each.appId === appId);
    return {
      id: idOf(`assignment/${app.appId}/${name}`),
      appRoleId: idOf(`role/${appId}/${value}`),
      principalId: app.servicePrincipalId,
      principalDisplayName: app.displayName,
      principalType: "ServicePrincipal",
      resourceId: resource?.id ?? appId,
      resourceDisplayName: resource?.displayName ?? appId,
    };
  });
}

function assign(context: TenantContext, call: GraphCall) {
  check(call.caller, WRITE);
  load(context, call.params["principal"]!);
  const body = readJson(call.request);
  const unknown = Object.keys(body).find(
    (name) => !["principalId", "resourceId", "appRoleId"].includes(name),
  );
  if (unknown !== undefined)
    throw badRequest(
      `The property '${unknown}' does not exist on type 'microsoft.graph.appRoleAssignment'.`,
      "Request_BadRequest",
    );
  const { app } = load(context, String(body["principalId"]));
  const resource = load(context, String(body["resourceId"]));
  const role = rolesOf(context, resource.appId).find(({ roleId }) => roleId === body["appRoleId"]);
  if (app === null || role === undefined) {
    throw badRequest(
      "Permission being assigned was not found on application",
      "Request_BadRequest",
    );
  }
  const name = resource.app === null ? role.value : `${resource.appId}/${role.value}`;
  if (app.appRoles.includes(name)) {
    throw badRequest(
      "Permission being assigned already exists on the object",
      "Request_BadRequest",
    );
  }
  app.appRoles.push(name);
  return json(201, assignmentsOf(context, app).at(-1)!, call);
}

function unassign(context: TenantContext, call: GraphCall) {
  check(call.caller, WRITE);
  for (const app of context.apps) {
    const at = assignmentsOf(context, app).findIndex(({ id }) => id === call.params["assignment"]);
    if (at < 0) continue;
    app.appRoles.splice(at, 1);
    return { status: 204 };
  }
  throw new GraphProblem(404, "Request_ResourceNotFound", "The assignment does not exist.");
}

/** The same id for the same name in every run. */
export function idOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
